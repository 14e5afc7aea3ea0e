"""Exact search that can be asked less than a score: whether a position is worth more than a given one."""

from __future__ import annotations

from claimeven.solver.position import Position
from claimeven.solver.search.budget import NO_LIMIT, UNLIMITED, Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.search.span import Span


class _Threshold(Span):
    """The scores a position may still have when only one question is of interest."""

    def __init__(self, position: Position, alpha: int) -> None:
        super().__init__(position)
        self.alpha = alpha

    @property
    def is_decided(self) -> bool:
        return self.least > self.alpha or self.greatest <= self.alpha

    def next_question(self) -> int:
        return self.alpha

    @property
    def question_nodes(self) -> int:
        return NO_LIMIT  # there is no other question to ask


class _NarrowedSpan(Span):
    """A span of which something is known before the search."""

    def __init__(self, position: Position, least: int, greatest: int) -> None:
        super().__init__(position)
        self.least = max(self.least, least)
        self.greatest = min(self.greatest, greatest)


class MoveSearcher(Searcher):
    """A searcher that decides which of several moves is best without the scores of all of them.

    >>> from claimeven.solver.board import Board
    >>> searcher = MoveSearcher(Board(4, 4), memory_bytes=1 << 20, threads=1)
    >>> searcher.exceeds(Position.start(Board(4, 4)), 0), searcher.score_between(Position.start(Board(4, 4)), -2, 2)
    (False, 0)
    """

    def exceeds(self, position: Position, score: int, budget: Budget = UNLIMITED) -> bool | None:
        """Whether the position is worth more than `score` to the side to move; None if that was not decided."""
        span = _Threshold(position, score)
        self._decide(position, span, budget)
        return span.least > score if span.is_decided else None

    def score_between(self, position: Position, least: int, greatest: int, budget: Budget = UNLIMITED) -> int | None:
        """The score of a position that is known to lie within bounds; None if it was not decided."""
        span = _NarrowedSpan(position, least, greatest)
        self._decide(position, span, budget)
        return span.least if span.is_decided else None

    def _decide(self, position: Position, span: Span, budget: Budget) -> None:
        self._check(position)
        with self._one_call():
            self._tighten(position, span, budget)
