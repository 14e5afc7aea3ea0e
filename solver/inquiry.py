"""Verdicts on a few positions: the end of the game, what is known already, and exact search for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from claimeven.solver.position import Position
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Value, Verdict, judge_end

if TYPE_CHECKING:
    from claimeven.solver.search.searcher import Answer, Searcher

Known: TypeAlias = Callable[[Position], Verdict]
"""What is known already of a position, by a store or a book; `UNKNOWN` if nothing."""


class LateSearcher:
    """A searcher that is made when it is first asked: who knows all the answers need not load what searches."""

    def __init__(self, make: Callable[[], Searcher]) -> None:
        self._make = make
        self._searcher: Searcher | None = None

    def answer(self, position: Position, budget: Budget = UNLIMITED, *, scores: bool = False) -> Answer:
        """As `Searcher.answer`."""
        return self._get().answer(position, budget, scores=scores)

    def answers(
        self, positions: Iterable[Position], budget: Budget = UNLIMITED, *, scores: bool = False
    ) -> Iterator[Answer]:
        """As `Searcher.answers`."""
        return self._get().answers(positions, budget, scores=scores)

    def _get(self) -> Searcher:
        if self._searcher is None:
            self._searcher = self._make()
        return self._searcher


class Inquiry:
    """Asks what is known, and searches for what is not; with `scores` a value alone is not enough.

    The budget is that of each search on its own; what it was not enough for stays as it was known.

    >>> from claimeven.solver.board import Board
    >>> from claimeven.solver.search.searcher import Searcher
    >>> Inquiry(Searcher(Board(4, 4), memory_bytes=1 << 20, threads=1)).ask([Position(board=Board(4, 4))])
    [Verdict('draw', score=0, source='search')]
    """

    def __init__(
        self,
        searcher: Searcher | LateSearcher,
        known: Known | None = None,
        budget: Budget = UNLIMITED,
        *,
        scores: bool = True,
    ) -> None:
        self._searcher = searcher
        self._known = known or (lambda position: UNKNOWN)
        self._budget = budget
        self._scores = scores

    def ask(self, positions: list[Position]) -> list[Verdict]:
        """The verdicts on positions of the searcher's board, in their order.

        Raises ContradictionError if search finds something else than what is known.
        """
        verdicts = [judge_end(position) if position.is_over else self._look_up(position) for position in positions]
        open_ = [place for place, verdict in enumerate(verdicts) if self._is_open(verdict)]
        for place, answer in zip(open_, self._search([positions[place] for place in open_]), strict=True):
            verdicts[place] = _add_answer(positions[place], verdicts[place], answer)
        return verdicts

    def _is_open(self, verdict: Verdict) -> bool:
        return verdict.score is None if self._scores else verdict.value is None

    def _look_up(self, position: Position) -> Verdict:
        verdict = self._known(position)
        return replace(verdict, score=0) if verdict.value is Value.DRAW else verdict

    def _search(self, positions: list[Position]) -> list[Answer]:
        if not positions:
            return []
        # A position alone is searched by all threads together, several by a thread each.
        if len(positions) == 1:
            return [self._searcher.answer(positions[0], self._budget, scores=self._scores)]
        return list(self._searcher.answers(positions, self._budget, scores=self._scores))


def _add_answer(position: Position, known: Verdict, answer: Answer) -> Verdict:
    if answer.value is None:
        return known
    score = 0 if answer.value is Value.DRAW else answer.score
    try:
        return Verdict(known.bounds.tighten(Bounds.exactly(answer.value)), Source.SEARCH, score)
    except ContradictionError as error:
        raise ContradictionError(
            f"what is known and what search finds exclude each other: {error}\n{position}"
        ) from None
