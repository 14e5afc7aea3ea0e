"""Exact search that takes nothing from the rules, so that the rules can be checked against it; any board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value

MEMORY = 256 << 20


class ExactSearch:
    """The values of positions on so many threads, each position within a budget; one table a board.

    >>> ExactSearch(threads=1).value(Position.start(Board(4, 4)))
    <Value.DRAW: 'draw'>
    """

    def __init__(self, threads: int | None = None, budget: Budget = UNLIMITED, memory_bytes: int = MEMORY) -> None:
        self._threads = threads
        self._budget = budget
        self._memory_bytes = memory_bytes
        self._searchers: dict[Board, Searcher] = {}

    def value(self, position: Position) -> Value | None:
        """The value of one position, None beyond the budget."""
        return self._searcher(position.board).value(position, self._budget)

    def values(self, positions: Sequence[Position]) -> Iterator[Value | None]:
        """The values of positions of one board, None beyond the budget."""
        if not positions:
            return iter(())
        searcher = self._searcher(positions[0].board)
        return searcher.values(positions, self._budget)

    def solve(self, positions: Sequence[Position]) -> list[Value]:
        """The values of positions of one board, without a budget."""
        if not positions:
            return []
        values = self._searcher(positions[0].board).values(positions)
        return [value for value in values if value is not None]

    def _searcher(self, board: Board) -> Searcher:
        if board not in self._searchers:
            self._searchers[board] = Searcher(board, self._memory_bytes, self._threads, uses_rules=False)
        return self._searchers[board]
