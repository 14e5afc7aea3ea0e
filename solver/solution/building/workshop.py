"""What a build knows: every position that it has looked at, the moves tried there, and the diagrams found."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position
from claimeven.solver.solution.check_kernel import completing
from claimeven.solver.solution.finding.finder import Levels, Library

Key = tuple[int, int]
"""The stones of the controller and of the opponent, of a position or its mirror image, whichever is the smaller."""

OPEN_COST = 1 << 40

LATE_COST, LATE_EMPTY, COST_A_MOVE = 4.0, 20, 1.45
"""A guess of what an open node costs: so much with so many empty squares, and so many times that for every move of the
controller before."""
GUESS_WEIGHT, MOST_GUESSES = 6, 8
SCORE_FACTORS = {1: 2.5, 2: 1.5, 3: 1.0, 4: 0.8, 5: 0.6, 6: 0.4}
"""By how much nodes with such a score, or with the last one or a higher one, cost more or less than others of their
ply: measured on 7x6."""

Costs = dict[Key, tuple[float, int]]
"""What nodes cost, and the move, a bit, by which they do; 0 for leaves and what is open."""


class BarrenLeafError(ValueError):
    """A node that has a diagram and is said to have none."""


@dataclass(slots=True)
class Node:
    """A position with the controller to move, and what was tried there."""

    ply: int
    leaf: int | None = None
    """The number of the diagram that is valid here; `mirrored` if it is so for the mirror image."""
    mirrored: bool = False
    rule_move: int = 0
    """The square, a bit, after which the nine rules prove the result."""
    knows_rules: bool = False
    """Whether the rules were tried."""
    work: int = 0
    mistakes: int = OPEN_COST
    best: Levels | None = None
    seen: int = 0
    """So many diagrams of the library are known not to be valid here."""
    moves: dict[int, tuple[Key, ...]] = field(default_factory=dict)
    """By square, a bit: where the opponent's replies lead, without those that the controller beats at once."""
    is_barren: bool = False
    """Whether it is known that no diagram is valid here."""
    needs_ties: bool = False
    """Whether it is known that no strict diagram is valid here, in which digits are never passed over,"""
    ties_from: int = 1
    """and after how many searches by SAT that became known."""
    knows_moves: bool = False
    """Whether `moves` are all that keep the result."""
    tries: int = 0
    """How many local searches for a diagram there were,"""
    sat_tries: int = 0
    """and how many by SAT, the last of which succeeded if it `is_by_sat`."""
    is_by_sat: bool = False
    score: int | None = None
    """The exact score for the controller, if it was asked for: the sooner he wins, the likelier a diagram is. 0 if that
    took too long."""

    @property
    def is_leaf(self) -> bool:
        return self.leaf is not None or self.rule_move != 0

    @property
    def is_open(self) -> bool:
        return not self.is_leaf and not self.moves


class Workshop:
    """The graph of a build; it only grows. `roots` is the root, or what the opponent's first moves lead to."""

    def __init__(self, board: Board, is_win: bool, roots: Iterable[Key]) -> None:
        self.board, self.is_win = board, is_win
        self.library = Library(board)
        self.nodes: dict[Key, Node] = {}
        self.roots = tuple(dict.fromkeys(self.canonical(*root) for root in roots))
        for root in self.roots:
            self.node(root)

    def canonical(self, own: int, other: int) -> Key:
        """The key of a position."""
        return min((own, other), self.turn((own, other)))

    def turn(self, stones: Key, is_mirrored: bool = True) -> Key:
        """The stones of the mirror image of a position, or of itself if it is not to be mirrored."""
        mirror = self.board.mirror
        return (mirror(stones[0]), mirror(stones[1])) if is_mirrored else stones

    def key_of(self, position: Position) -> tuple[Key, bool]:
        """The key of a position with the controller to move, and whether it is that of its mirror image."""
        own = position.stones(position.to_move)
        key = self.canonical(own, position.occupied ^ own)
        return key, key != (own, position.occupied ^ own)

    def position(self, own: int, other: int, before: int) -> Position:
        """The position of these stones; `before` are the controller's stones with him to move."""
        is_white = before.bit_count() == other.bit_count()
        return Position(self.board, own, other) if is_white else Position(self.board, other, own)

    def playable(self, own: int, other: int) -> int:
        """The squares, as bits, that can be played."""
        return (own | other) + self.board.bottom & self.board.squares

    def completing(self, stones: int, playable: int) -> int:
        """Those of some squares where one more stone makes a line."""
        words = (np.uint64(word) for word in (stones, playable, self.board.stride, self.board.connect))
        return int(completing(*words))

    def replies(self, own: int, other: int) -> Iterator[Key]:
        """Where the opponent's moves lead, as it lies on the board, without what the controller beats at once."""
        for square in bits(self.playable(own, other)):
            replied = other | 1 << square
            is_full = own | replied == self.board.squares
            if not is_full and not self.completing(own, self.playable(own, replied)):
                yield own, replied

    def node(self, key: Key) -> Node:
        """The node of a position, new if it has none yet."""
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = Node(key[0].bit_count() + key[1].bit_count())
        return node

    def spread_barrenness(self) -> None:
        """Mark the nodes that have no diagram, or no strict one, because of those that follow.

        A diagram is one for every position that it leads to, so there is none where each move that keeps the result can
        be answered by a way to a position that has none. Raises BarrenLeafError if one was found there all the same.
        """
        for key in sorted(self.nodes, key=lambda key: -self.nodes[key].ply):
            node = self.nodes[key]
            is_barren, needs_ties = node.is_barren, False
            if node.knows_moves and not is_barren:
                replies = [[self.nodes[reply] for reply in replies] for replies in node.moves.values()]
                is_barren = all(any(each.is_barren for each in way) for way in replies)
                needs_ties = all(any(each.is_barren or each.needs_ties for each in way) for way in replies)
            self.mark(key, is_barren=is_barren, needs_ties=needs_ties)

    def mark(self, key: Key, *, is_barren: bool, needs_ties: bool) -> None:
        """Write down that a node has no diagram, or no strict one; raises BarrenLeafError if it has one."""
        node = self.nodes[key]
        if is_barren and node.leaf is not None:
            raise BarrenLeafError(f"a diagram was found where there can be none: {key}")
        node.is_barren |= is_barren
        if needs_ties and not node.needs_ties:
            node.needs_ties, node.ties_from = True, node.sat_tries

    def costs(self) -> Costs:
        """The least cost of every node and the move that has it, 0 for leaves.

        A leaf costs one, a move two and its replies. Nodes that lead to something open cost OPEN_COST or more.
        """
        return self.costs_with(lambda _key, _known: OPEN_COST)

    def expected_costs(self, haste: float) -> Costs:
        """The same, where an open node costs what such nodes have cost so far.

        In `haste` it costs so many times that, and what is done already is taken rather than what may be smaller.
        """
        by_ply: dict[int, float] = {}

        def expect(key: Key, known: list[float]) -> float:
            node = self.nodes[key]
            if node.ply not in by_ply:
                by_ply[node.ply] = haste * self.expect(node.ply, known)
            factor = 1.0 if node.score is None else SCORE_FACTORS.get(min(node.score, max(SCORE_FACTORS)), 1.0)
            return max(by_ply[node.ply] * factor, 1.0)

        return self.costs_with(expect)

    def expect(self, ply: int, known: list[float]) -> float:
        """What an open node of a ply may cost; `known` are the costs of those that were tried.

        What is guessed counts as much as a few that are known, and none counts too much: the worst ones are where a
        wrong move was chosen, which is for the costs to show.
        """
        growth: float = COST_A_MOVE ** ((self.board.cells - ply - LATE_EMPTY) / 2)
        guess = LATE_COST * max(growth, 0.5)
        return (GUESS_WEIGHT * guess + sum(min(cost, MOST_GUESSES * guess) for cost in known)) / (
            GUESS_WEIGHT + len(known)
        )

    def costs_with(self, expect: Callable[[Key, list[float]], float], lucky: Container[Key] = ()) -> Costs:
        """The least cost of every node, where an open node costs what `expect` says of it and of the costs of what was
        tried in its ply, and where `lucky` nodes are leaves."""
        costs: Costs = {}
        by_ply: dict[int, list[Key]] = {}
        for key, node in self.nodes.items():
            by_ply.setdefault(node.ply, []).append(key)
        for ply in sorted(by_ply, reverse=True):
            known: list[float] = []
            waiting: list[Key] = []
            for key in by_ply[ply]:
                node = self.nodes[key]
                if node.is_leaf or key in lucky:
                    costs[key] = 1, 0
                elif node.moves:
                    costs[key] = min(
                        (2 + sum(costs[reply][0] for reply in replies), square)
                        for square, replies in node.moves.items()
                    )
                else:
                    waiting.append(key)
                    continue
                if node.work:
                    known.append(costs[key][0])
            for key in waiting:
                costs[key] = expect(key, known), 0
        return costs

    def reach(self, costs: Costs) -> list[Key]:
        """The nodes that are reached from the roots by the chosen moves, each once; open ones too."""
        reached = list(self.roots)
        met = set(reached)
        for key in reached:
            square = costs[key][1]
            for reply in self.nodes[key].moves[square] if square else ():
                if reply not in met:
                    met.add(reply)
                    reached.append(reply)
        return reached
