"""A choice of moves: one at every node that it reaches, and how large the whole is, each node once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from claimeven.solver.solution.building.workshop import OPEN_COST, Costs, Key, Workshop

MOVE_SIZE, LEAF_SIZE = 2, 1
"""A move has a node before it and one after it."""


class Choice:
    """The moves that make each node's own tree the smallest, changed one by one while that makes the whole smaller.

    A node that several others lead to counts once, which no sum over trees sees. Leaves and what is open count as much
    as they cost: whole numbers, or changes that come to the same would never end. Where `moves` say one it begins with
    that, but for leaves.
    """

    def __init__(self, workshop: Workshop, costs: Costs, moves: Mapping[Key, int] | None = None) -> None:
        self._nodes = workshop.nodes
        self._costs = costs
        self._moves = {key: move for key, (_, move) in costs.items()}
        self._moves.update({key: move for key, move in (moves or {}).items() if self._moves[key]})
        self._uses: Counter[Key] = Counter()
        self.size: float = 0
        self._take(workshop.roots)

    @property
    def reached(self) -> list[Key]:
        """The nodes of the whole, open ones too."""
        return [key for key, uses in self._uses.items() if uses]

    def move(self, key: Key) -> int:
        """The move, a bit, that is chosen at a node; 0 for leaves and what is open."""
        return self._moves[key]

    def improve(self) -> None:
        """Change moves while one change makes the whole smaller."""
        is_better = True
        while is_better:
            is_better = False
            for key in self.reached:
                if not self._uses[key] or not self._moves[key]:
                    continue
                for square, replies in self._nodes[key].moves.items():
                    if any(self._costs[reply][0] >= OPEN_COST for reply in replies):
                        continue
                    is_better |= self._change(key, square)

    def _change(self, key: Key, square: int) -> bool:
        """Choose another move if that makes the whole smaller; gives whether it does."""
        before, old, replies = self.size, self._moves[key], self._replies(key)
        if square == old:
            return False
        new = self._nodes[key].moves[square]
        self._take(new)
        self._drop(replies)
        if self.size < before:
            self._moves[key] = square
            return True
        self._take(replies)
        self._drop(new)
        return False

    def _replies(self, key: Key) -> tuple[Key, ...]:
        move = self._moves[key]
        return self._nodes[key].moves[move] if move else ()

    def _size_of(self, key: Key) -> float:
        return MOVE_SIZE if self._moves[key] else self._costs[key][0]

    def _take(self, keys: Iterable[Key]) -> None:
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            self._uses[key] += 1
            if self._uses[key] == 1:
                self.size += self._size_of(key)
                waiting += self._replies(key)

    def _drop(self, keys: Iterable[Key]) -> None:
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            self._uses[key] -= 1
            if self._uses[key] == 0:
                self.size -= self._size_of(key)
                waiting += self._replies(key)
