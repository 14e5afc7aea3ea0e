"""A tree search that follows a game: the tree, with the state that is at its root."""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.solver.board import MAX_BITS
from claimeven.solver.players.game import Game, Move, State
from claimeven.solver.players.mcts.tree import (
    CHILDREN,
    DRAWN,
    LOST,
    UNPROVED,
    VISITS,
    WHAT,
    WON,
    children_of,
    clear,
    cut_back,
    find_child,
    move_into,
    proof_of,
)
from claimeven.solver.players.mcts.tree_memory import Arena, Grower

MOST_VISITS = 1 << 29
"""Where the counters of a tree end; one that has come so far is not grown further."""


@dataclass(frozen=True, slots=True)
class Child:
    """What the tree knows of a move: how often it was tried, its points from -1 to 1, and its proof."""

    move: Move
    visits: int
    mean: float
    proof: int

    @property
    def preference(self) -> tuple[int, int]:
        """Greater for better moves: a win, then what was tried most, then what is lost.

        A proved draw comes before open moves that have brought less than half the points.
        """
        rank = {WON: 3, DRAWN: 1, LOST: 0}.get(self.proof, 2 if self.mean >= 0 else 1)
        return rank, MOST_VISITS if self.proof == DRAWN else self.visits


def make_grower(game: Game) -> Grower:
    """What grows trees of a game fastest; only its kernels are compiled."""
    if game.gravity and game.connect == 4 and game.width * (game.height + 1) <= MAX_BITS:
        from claimeven.solver.players.mcts.small import SmallGrower

        return SmallGrower(game)
    from claimeven.solver.players.mcts.general import GeneralGrower

    return GeneralGrower(game)


class TreeSearch:
    """The tree of a game under way. Its root moves with the game and takes what is known below it along.

    >>> search = TreeSearch(Game(), 1 << 20, seed=1)
    >>> search.move_to(State.start(Game()).play_all([3, 3, 4, 4]))  # an open row of three is two moves away from a win
    >>> search.grow(10_000, 0.8) < 10_000, search.is_proved
    (True, True)
    """

    def __init__(self, game: Game, memory_bytes: int, seed: int) -> None:
        self.game = game
        self._grower = make_grower(game)
        self._tree = Arena.make(memory_bytes, seed)
        self._root = State.start(game)

    @property
    def size(self) -> int:
        """The rows in use, one for each node and one for each family of children."""
        return int(self._tree.used[0])

    @property
    def visits(self) -> int:
        """How often the root was visited, on behalf of earlier moves included."""
        return int(self._tree.nodes[0, VISITS])

    @property
    def is_proved(self) -> bool:
        return bool(proof_of(self._tree.nodes[0, WHAT]) != UNPROVED)

    def move_to(self, state: State) -> None:
        """Make a state that is not over the root, with all that is known of it if it is below the present one."""
        nodes, node = self._tree.nodes, self._find(state)
        # What was proved at first sight has no children, and does not tell which move is best.
        if node is None or (proof_of(nodes[node, WHAT]) != UNPROVED and not nodes[node, CHILDREN]):
            clear(nodes, self._tree.used)
        elif node:
            cut_back(nodes, self._tree.used, node)
        self._root = state

    def _find(self, state: State) -> int | None:
        """The node of a state, if the game can have come to it from the root and the tree has it."""
        known = len(self._root.moves)
        if state.moves[:known] != self._root.moves:
            return None
        node = 0
        for move in state.moves[known:]:
            node = int(find_child(self._tree.nodes, node, move))
            if not node:
                return None
        return node if self._root.play_all(state.moves[known:]).cells == state.cells else None

    def grow(self, visits: int, exploration: float) -> int:
        """Visit the tree so many times, or fewer if its root is proved; returns how many games were played to the end.

        The mover at the root must not be able to win at once.
        """
        visits = min(visits, MOST_VISITS - self.visits)
        return self._grower.grow(self._tree, self._root, exploration, visits)

    def children(self) -> list[Child]:
        """What is known of the moves of the root; nothing before the first visit."""
        what, first = self._tree.nodes[0, WHAT], int(self._tree.nodes[0, CHILDREN])
        rows = self._tree.nodes[first : first + children_of(what)].tolist()
        return [
            Child(int(move_into(what)), visits, points / max(visits, 1) - 1, int(proof_of(what)))
            for visits, points, _, what in rows
        ]
