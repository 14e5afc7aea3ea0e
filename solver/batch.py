"""Many positions in, their verdicts out: the end, then the rules, then exact search for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Verdict, judge_end

if TYPE_CHECKING:
    from claimeven.solver.search.searcher import Answer, Searcher


RULES_EMPTY = 8
"""With so few empty squares, or fewer, exact search is faster than finding a proof and checking it."""

QUICK_EMPTY = 16
"""With so few empty squares a search is over before another thread could be asked to do it."""


class Engine(Enum):
    """What may decide a position: the rules, exact search, or the rules first and search for the rest."""

    AUTO = "auto"
    RULES = "rules"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a position, with the certificate if the rules proved it, and what search cost."""

    position: Position
    verdict: Verdict
    certificate: Certificate | None = None
    nodes: int = 0
    seconds: float = 0.0


class Decider:
    """Decides the positions of one board, keeping the transposition table from one batch to the next.

    With `scores` every decided position has its exact score, which only search finds. A position that search gives up
    within `budget`, each on its own, keeps what the rules said of it.

    >>> decider = Decider(Board(4, 4), memory_bytes=1 << 20, threads=1)
    >>> [str(decision.verdict.bounds) for decision in decider.decide([Position.start(Board(4, 4))])]
    ['draw']
    """

    def __init__(
        self,
        board: Board,
        engine: Engine = Engine.AUTO,
        *,
        scores: bool = False,
        memory_bytes: int | None = None,
        threads: int | None = None,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.board = board
        self.engine = engine
        self.scores = scores
        self.budget = budget
        self._memory_bytes = memory_bytes
        self._threads = threads
        self._searcher: Searcher | None = None

    def decide(self, positions: Sequence[Position]) -> list[Decision]:
        """The decisions on positions, in their order."""
        decisions = [self._without_search(position) for position in positions]
        if self.engine is Engine.RULES:
            return decisions
        open_ = [number for number, decision in enumerate(decisions) if self._is_open(decision)]
        for number, answer in zip(open_, self._search([positions[number] for number in open_]), strict=True):
            decisions[number] = _combine(decisions[number], answer)
        return decisions

    def stop(self) -> None:
        """End the search under way, from any thread: what it has not decided yet stays open."""
        if self._searcher is not None:
            self._searcher.stop()

    @property
    def nodes(self) -> int:
        """The nodes of all searches so far."""
        return 0 if self._searcher is None else self._searcher.nodes

    def _is_open(self, decision: Decision) -> bool:
        verdict = decision.verdict
        return not verdict.bounds.is_exact or (self.scores and verdict.score is None)

    def _without_search(self, position: Position) -> Decision:
        if position.is_over:
            return Decision(position, judge_end(position))
        if self.engine is Engine.SEARCH or (self.engine is Engine.AUTO and not _pays_to_prove(position)):
            return Decision(position, UNKNOWN)
        from claimeven.solver.proof.prover import prove

        attempt = prove(position)
        if attempt.certificate is None:
            return Decision(position, UNKNOWN)
        return Decision(position, Verdict(attempt.bounds, Source.RULES), attempt.certificate)

    def _search(self, positions: Sequence[Position]) -> list[Answer]:
        if not positions:
            return []
        if self._searcher is None:
            from claimeven.solver.search.searcher import DEFAULT_MEMORY, Searcher

            memory = DEFAULT_MEMORY if self._memory_bytes is None else self._memory_bytes
            self._searcher = Searcher(self.board, memory_bytes=memory, threads=self._threads)
        searcher, slow = self._searcher, [position for position in positions if _count_empty(position) > QUICK_EMPTY]
        # A position alone is searched by all threads together, several by a thread each.
        if len(slow) > 1:
            found = iter(list(searcher.answers(slow, self.budget, scores=self.scores)))
        else:
            found = (searcher.answer(position, self.budget, scores=self.scores) for position in slow)
        return [
            next(found)
            if _count_empty(position) > QUICK_EMPTY
            else searcher.answer(position, self.budget, scores=self.scores)
            for position in positions
        ]


def _count_empty(position: Position) -> int:
    return position.board.cells - position.ply


def _pays_to_prove(position: Position) -> bool:
    """Whether trying the rules before search pays; with an odd number of rows they say nothing at all."""
    return position.board.rows % 2 == 0 and _count_empty(position) > RULES_EMPTY


def _combine(decision: Decision, answer: Answer) -> Decision:
    """What the rules and search say together; raises ContradictionError if they exclude each other."""
    known = decision.verdict
    verdict = known
    if answer.value is not None:
        found = Bounds.exactly(answer.value)
        bounds = found if known is UNKNOWN else known.bounds.tighten(found)
        # The rules keep the credit for what they decided alone.
        verdict = Verdict(bounds, known.source if bounds == known.bounds else Source.SEARCH, answer.score)
    return replace(decision, verdict=verdict, nodes=answer.nodes, seconds=answer.seconds)
