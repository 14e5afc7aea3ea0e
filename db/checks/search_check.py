"""Stored verdicts against fresh searches, which take nothing from the store and nothing from Allis' rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from claimeven.db.checks.verification import Step, read_sample
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.position import Position, PositionError
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.searcher import DEFAULT_MEMORY, Searcher
from claimeven.solver.verdict import Bounds, Source, Value, Verdict
from claimeven.solver.verdict_code import describe_verdict
from claimeven.solver.verdicts import DRAW, VerdictBatch, describe_position

PART = 64
"""Positions a step, so that progress shows; a few dozen keep all threads busy."""


class SearchCheck:
    """A `Check`: is the value of every position what exact search finds, and the score if one is stored?

    A position that search does not decide within the budget is counted and says nothing.
    """

    def __init__(
        self, *, memory_bytes: int | None = None, threads: int | None = None, budget: Budget = UNLIMITED
    ) -> None:
        self._memory_bytes = DEFAULT_MEMORY if memory_bytes is None else memory_bytes
        self._threads = threads
        self._budget = budget

    def __call__(self, store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Step]:
        searcher = Searcher(board, self._memory_bytes, self._threads, uses_rules=False)
        for batch in read_sample(store, board, share, chance):
            # The score of a draw follows from its value, which is found faster.
            wants_score = batch.has_score & (batch.scores != DRAW)
            for which in (wants_score, ~wants_score):
                places = np.flatnonzero(which)
                for start in range(0, len(places), PART):
                    yield self._check(searcher, batch.select(places[start : start + PART]))

    def _check(self, searcher: Searcher, batch: VerdictBatch) -> Step:
        """Search positions that are alike in whether their scores are wanted."""
        board = searcher.board
        flaws, undecided = [], 0
        try:
            positions = [Position.from_key(board, int(key)) for key in batch.keys]
        except PositionError as error:
            return Step(len(batch), (f"{board}: a key in the store is not a position: {error}",))
        wants_score = bool(batch.has_score[0] and batch.scores[0] != DRAW)
        found = self._search_scores(searcher, positions) if wants_score else self._search_values(searcher, positions)
        for place, verdict in enumerate(found):
            stored = batch.verdict(place)
            if verdict is None:
                undecided += 1
            elif not _agree(stored, verdict):
                flaws.append(
                    f"{describe_position(board, int(batch.keys[place]))}: stored is {describe_verdict(stored)}; "
                    f"a fresh search says {describe_verdict(verdict)}"
                )
        return Step(len(batch), tuple(flaws), undecided)

    def _search_values(self, searcher: Searcher, positions: list[Position]) -> Iterator[Verdict | None]:
        for value in searcher.values(positions, self._budget):
            yield None if value is None else Verdict(Bounds.exactly(value), Source.SEARCH)

    def _search_scores(self, searcher: Searcher, positions: list[Position]) -> Iterator[Verdict | None]:
        for position, score in zip(positions, searcher.scores(positions, self._budget), strict=True):
            value = None if score is None else Value.of_score(score, position.to_move)
            yield None if value is None else Verdict(Bounds.exactly(value), Source.SEARCH, score)


def _agree(stored: Verdict, found: Verdict) -> bool:
    value = found.bounds.value
    assert value is not None
    return stored.bounds.contains(value) and (found.score is None or stored.score == found.score)
