"""The analysis of a position as it grows: what is known, what rules prove, what search finds, the line of best play.

Each stage gives a whole answer, the object of `claimeven.solver.contract`, so that whoever listens can show what there
is at any time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

from claimeven.db.position_answer import PositionAnswer
from claimeven.reports.web.asked import Asked
from claimeven.reports.web.kernels import PROOFS, SEARCH, Kernels
from claimeven.reports.web.known import Known
from claimeven.reports.web.problem import Problem
from claimeven.reports.web.search import Search
from claimeven.reports.web.searches import Searches
from claimeven.solver.analysis import MoveAnswer
from claimeven.solver.contract import describe_move, describe_position
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, FalseProofError
from claimeven.solver.verdict import (
    Bounds,
    ContradictionError,
    Source,
    Value,
    Verdict,
    bounds_from_children,
    judge_end,
)

PULSE = 0.25
"""Seconds between two signs of life of a search."""


@dataclass(slots=True)
class Stage:
    """How far an analysis is: `search` is the one under way, if one is; the last stage has none."""

    answer: dict[str, Any]
    search: Search | None = None
    is_whole: bool = True
    """Whether all scores that were asked for are known."""
    waits_for_kernels: bool = False
    """Whether what comes next has to be compiled first."""

    @property
    def progress(self) -> dict[str, Any]:
        """What a search that is not over has cost so far."""
        if self.waits_for_kernels:
            return {"compiling": True}
        if self.search is None:
            return {}
        spent = time.monotonic() - self.search.began
        return {"search": self.search.id, "nodes": self.search.nodes, "seconds": round(spent, 2)}


class Analyst:
    """Analyses positions with what is known, by the rules and by search."""

    def __init__(self, known: Known, searches: Searches, kernels: Kernels) -> None:
        self._known = known
        self._searches = searches
        self._kernels = kernels

    async def analyze(
        self, asked: Asked, seconds: float, *, proves: bool = True, with_line: bool = False
    ) -> AsyncGenerator[Stage, None]:
        """The stages of an analysis, at least one; to close the iterator stops the search."""
        position = asked.position
        found = await self._known.answer(position)
        state = _State(asked, found)
        if position.is_over:
            yield Stage(state.describe([] if with_line else None))
            return
        wanted = [number for number, move in enumerate(state.moves) if move.score is None]
        needed = [SEARCH] * bool(wanted) + [PROOFS] * (proves and state.certificate is None)
        while not all(map(self._kernels.is_ready, needed)):
            yield Stage(state.describe(), is_whole=False, waits_for_kernels=True)
            await self._kernels.wait(needed[-1], PULSE)
        deadline = time.monotonic() + seconds
        if PROOFS in needed:
            await self._prove(state)
        if wanted:
            positions = [state.moves[number].position for number in wanted]
            async with self._searches.begin(position.board, positions, deadline - time.monotonic()) as (search, task):
                while True:
                    await asyncio.wait({task}, timeout=PULSE)
                    state.take({number: search.verdict(place) for place, number in enumerate(wanted)})
                    if task.done():
                        task.result()
                        break
                    yield Stage(state.describe(), search, is_whole=False)
            await self._known.keep([(move.position, move.verdict) for move in state.moves])
        is_whole = all(move.score is not None for move in state.moves)
        if not with_line or not is_whole:
            yield Stage(state.describe([] if with_line else None), is_whole=is_whole)
            return
        yield Stage(state.describe([]), is_whole=False)
        async for line, is_end in self._follow(state, deadline):
            yield Stage(state.describe(line), is_whole=is_end)

    async def scores(self, position: Position, seconds: float) -> dict[int, int | None]:
        """The score of every move, by column."""
        stages = self.analyze(Asked(position, "", ()), seconds, proves=False)
        columns: dict[int, int | None] = {}
        async for stage in stages:
            columns = {child["column"] - 1: child["score"] for child in stage.answer.get("children", [])}
        return columns

    async def _prove(self, state: _State) -> None:
        from claimeven.solver.rule_proof import find_proof

        try:
            proof = await asyncio.to_thread(find_proof, state.position)
        except FalseProofError as error:
            raise Problem(500, "false-proof", str(error)) from None
        if proof is not None:
            state.certificate = proof.certificate
            state.tighten(proof.verdict.bounds)

    async def _follow(self, state: _State, deadline: float) -> AsyncIterator[tuple[list[int], bool]]:
        """The line of best play, a move longer each time, and whether that is its end."""
        position, line = state.position, list[int]()
        scores: dict[int, int | None] = {move.column: move.score for move in state.moves}
        while True:
            known = [score for score in scores.values() if score is not None]
            if position.is_over or len(known) < len(scores) or deadline <= time.monotonic():
                yield line, True
                return
            best = max(known)
            middle = position.board.columns - 1
            column = min((each for each in scores if scores[each] == best), key=lambda each: abs(2 * each - middle))
            line.append(column)
            position = position.play(column)
            yield list(line), False
            scores = {} if position.is_over else await self.scores(position, max(deadline - time.monotonic(), 0.01))


class _State:
    """A position with what is known of it and of its moves so far."""

    def __init__(self, asked: Asked, found: PositionAnswer) -> None:
        self.asked = asked
        self.position = asked.position
        self.verdict = found.verdict
        self.moves = list(found.moves)
        self.certificate: Certificate | None = found.certificate
        self.best: tuple[int, ...] = found.best_columns

    def take(self, found: dict[int, Verdict]) -> None:
        """Add what search says of moves, by their numbers; raises Problem if it contradicts what is known."""
        for number, verdict in found.items():
            move = self.moves[number]
            bounds = _agree(move.position, move.verdict.bounds, verdict.bounds)
            if verdict.score is not None:
                self.moves[number] = MoveAnswer(move.column, move.position, verdict)
            elif bounds != move.verdict.bounds:
                self.moves[number] = MoveAnswer(move.column, move.position, Verdict(bounds, Source.SEARCH))
        scores = [move.score for move in self.moves if move.score is not None]
        if len(scores) == len(self.moves):
            best = max(scores)
            value = Value.of_score(best, self.position.to_move)
            _agree(self.position, self.verdict.bounds, Bounds.exactly(value))
            self.best = tuple(move.column for move in self.moves if move.score == best)
            if self.verdict.score is None:
                source = self.verdict.source if self.verdict.bounds.is_exact else Source.RETROGRADE
                self.verdict = Verdict(Bounds.exactly(value), source, best)
        else:
            self.tighten(
                bounds_from_children(self.position.to_move, [move.verdict.bounds for move in self.moves]),
                Source.RETROGRADE,
            )

    def tighten(self, bounds: Bounds, source: Source = Source.RULES) -> None:
        """Add what is known of the value of the position."""
        together = _agree(self.position, self.verdict.bounds, bounds)
        if together != self.verdict.bounds:
            self.verdict = Verdict(together, source, 0 if together.value is Value.DRAW else None)

    def describe(self, line: list[int] | None = None) -> dict[str, Any]:
        return describe_position(
            self.asked.moves,
            self.position,
            judge_end(self.position) if self.position.is_over else self.verdict,
            best_columns=self.best,
            certificate=self.certificate,
            children=[describe_move(move.column, move.square, move.verdict) for move in self.moves],
            line=line,
        )


def _agree(position: Position, one: Bounds, other: Bounds) -> Bounds:
    try:
        return one.tighten(other)
    except ContradictionError as error:
        raise Problem(500, "contradiction", f"two verdicts on {position!r} exclude each other: {error}") from None
