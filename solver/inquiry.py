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

WORTH_TELLING = 1_000_000
"""Nodes, a part of a second: what was found on the way with fewer is found again sooner than a store is opened."""


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

    def exceeds(self, position: Position, score: int, budget: Budget = UNLIMITED) -> bool | None:
        """As `Searcher.exceeds`."""
        return self._get().exceeds(position, score, budget)

    @property
    def nodes(self) -> int:
        """As `Searcher.nodes`."""
        return 0 if self._searcher is None else self._searcher.nodes

    def _get(self) -> Searcher:
        if self._searcher is None:
            self._searcher = self._make()
        return self._searcher


class Inquiry:
    """Asks what is known, and searches for what is not; with `scores` a value alone is not enough.

    The budget is that of each search on its own; what it was not enough for stays as it was known. `on_found` is told
    what search found, one position after the other; of what was only compared with a score, when that took a while.

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
        on_found: Callable[[Position, Verdict], None] | None = None,
    ) -> None:
        self._searcher = searcher
        self._on_found = on_found
        self._known = known or (lambda position: UNKNOWN)
        self._budget = budget
        self._scores = scores
        self._untold: list[tuple[Position, Verdict]] = []
        self._untold_nodes = 0

    def ask(self, positions: list[Position]) -> list[Verdict]:
        """The verdicts on positions of the searcher's board, in their order.

        Raises ContradictionError if search finds something else than what is known.
        """
        verdicts = [judge_end(position) if position.is_over else self._look_up(position) for position in positions]
        open_ = [place for place, verdict in enumerate(verdicts) if self._is_open(verdict)]
        for place, answer in zip(open_, self._search([positions[place] for place in open_]), strict=True):
            if answer.value is not None:
                verdicts[place] = _add_answer(positions[place], verdicts[place], answer)
                if self._on_found is not None:
                    self._on_found(positions[place], verdicts[place])
        return verdicts

    def is_worth(self, position: Position, score: int) -> bool | None:
        """Whether the score of a position, which is known not to be less, is this one; None beyond the budget."""
        verdict = judge_end(position) if position.is_over else self._look_up(position)
        if verdict.score is not None:
            return verdict.score == score
        before = self._searcher.nodes
        is_more = self._searcher.exceeds(position, score, self._budget)
        if is_more is False:
            answered = Bounds.exactly(Value.of_score(score, position.to_move))
            self._untold.append((position, Verdict(verdict.bounds.tighten(answered), Source.SEARCH, score)))
        self._untold_nodes += self._searcher.nodes - before
        self._tell_what_took_a_while()
        return None if is_more is None else not is_more

    def _tell_what_took_a_while(self) -> None:
        if self._on_found is None or self._untold_nodes < WORTH_TELLING:
            return
        for position, verdict in self._untold:
            self._on_found(position, verdict)
        self._untold, self._untold_nodes = [], 0

    def _is_open(self, verdict: Verdict) -> bool:
        return verdict.score is None if self._scores else verdict.value is None

    def _look_up(self, position: Position) -> Verdict:
        verdict = self._known(position)
        return replace(verdict, score=0) if verdict.value is Value.DRAW else verdict

    def _search(self, positions: list[Position]) -> Iterator[Answer]:
        # A position alone is searched by all threads together, several by a thread each.
        if len(positions) == 1:
            yield self._searcher.answer(positions[0], self._budget, scores=self._scores)
        elif positions:
            yield from self._searcher.answers(positions, self._budget, scores=self._scores)


def _add_answer(position: Position, known: Verdict, answer: Answer) -> Verdict:
    assert answer.value is not None
    score = 0 if answer.value is Value.DRAW else answer.score
    try:
        return Verdict(known.bounds.tighten(Bounds.exactly(answer.value)), Source.SEARCH, score)
    except ContradictionError as error:
        raise ContradictionError(
            f"what is known and what search finds exclude each other: {error}\n{position}"
        ) from None
