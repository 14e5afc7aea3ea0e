"""Audits the rules with the workers of a cluster: positions go out, what rules and search say of each comes back.

Nothing is counted there. Every contradiction is looked for again here, and of every chunk some positions are audited
again here. A campaign goes on after the positions that are done, so results are handed on in the order of the
positions; what comes before its turn waits.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimeven.cluster.crew import Crew
from claimeven.cluster.errors import DisagreementError
from claimeven.cluster.sharing import Pace, choose_size
from claimeven.cluster.worker import hold, make_life_sign, one_at_a_time, own_threads
from claimeven.solver.audit.comparison import NO_VALUE, Audit, ChunkResult, Comparison, Progress
from claimeven.solver.audit.contradiction import find_contradiction
from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.positions import PositionSource, make_chunks
from claimeven.solver.audit.rule_bounds import NineRules, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, Mask, as_keys
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import Value
from claimeven.solver.verdicts import describe_position


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """What is asked of positions: as the arguments of an `Audit`; without threads a worker takes its own."""

    board: Board
    look_ahead: int
    nodes: int | None
    memory_bytes: int
    threads: int | None = None

    def make_audit(self, threads: int) -> Audit:
        search = ExactSearch(threads, Budget(nodes=self.nodes), self.memory_bytes)
        return Audit(NineRules(threads, self.look_ahead), search)


@dataclass(frozen=True, slots=True, eq=False)
class AuditOrder:
    """Unfinished positions for a worker to audit."""

    question: AuditQuestion
    keys: Keys


@dataclass(frozen=True, slots=True, eq=False)
class AuditReply:
    """What a worker found: an entry a position, as in `RuleBounds` and `Comparison`, and how long it was at it."""

    least: NDArray[np.int8]
    greatest: NDArray[np.int8]
    here: Mask
    parts: Keys
    values: NDArray[np.int8]
    took: float


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Positions of a chunk of the campaign, in the order of the campaign."""

    order: int
    chunk: int
    keys: Keys
    drawn: Mask
    """Which of them are audited again here."""


def prepare(question: AuditQuestion) -> None:
    """On a worker: load or compile the kernels."""
    with one_at_a_time:
        _warm_up(_hold_audit(question))


def _warm_up(audit: Audit) -> None:
    small = Board(4, 4)
    audit.compare(small, as_keys([Position.start(small).key]))


def audit(order: AuditOrder) -> AuditReply:
    """On a worker: audit the positions of an order."""
    began = time.monotonic()
    show_life = make_life_sign()
    with one_at_a_time:
        show_life()
        found = _hold_audit(order.question).compare(order.question.board, order.keys, lambda number: show_life())
    bounds = found.bounds
    took = time.monotonic() - began
    return AuditReply(bounds.least, bounds.greatest, bounds.here, bounds.parts, found.values, took)


def _hold_audit(question: AuditQuestion) -> Audit:
    return hold(question, lambda: question.make_audit(question.threads or own_threads()))


def accept(order: AuditOrder, reply: Any) -> Comparison:
    """What a reply says, if it can be read at all; raises DisagreementError if not."""
    if not isinstance(reply, AuditReply):
        raise DisagreementError("its answer is none")
    arrays = (reply.least, reply.greatest, reply.here, reply.parts, reply.values)
    if any(len(array) != len(order.keys) for array in arrays):
        raise DisagreementError("its answer has another length than the question")
    least, greatest, values = (array.astype(np.int8) for array in (reply.least, reply.greatest, reply.values))
    if (np.abs(least) > 1).any() or (np.abs(greatest) > 1).any() or ((np.abs(values) > 1) & (values != NO_VALUE)).any():
        raise DisagreementError("it sent values that there are none of")
    bounds = RuleBounds(least, greatest, reply.here.astype(bool), reply.parts.astype(np.uint64))
    found = Comparison(bounds, values)
    if ((values != NO_VALUE) & ~bounds.proved).any() or (bounds.here & ~bounds.proved).any():
        raise DisagreementError("it compared what nothing is proved of")
    if order.question.nodes is None and found.left_out.any():
        raise DisagreementError("it left positions out")
    return found


class ClusterAudit:
    """Audits campaigns with a crew of workers, as `Audit` does with threads.

    Of every chunk of a campaign `spot_checks` positions are audited again here.
    """

    def __init__(self, crew: Crew, question: AuditQuestion, threads: int, *, spot_checks: int, seed: int = 0) -> None:
        self.question = question
        self.local = question.make_audit(threads)
        self.spot_checks = spot_checks
        self.chance = np.random.default_rng(seed)
        self._crew = crew
        _warm_up(self.local)  # or all workers on this machine would compile the same at once

    def run(
        self, source: PositionSource, wanted: int, done: int, keep: Callable[[ChunkResult], object], progress: Progress
    ) -> None:
        """Audit the positions of a source but for the first `done`, and give to `keep` what is done, in their order.

        Raises ClusterError if the cluster cannot go on; what was given to `keep` before is right.
        """
        chunks = make_chunks(source, wanted, self.local.search.solve, done)
        work = _AuditWork(self, chunks, wanted - done)
        for results in self._crew.do(work):
            for result in results or ():
                keep(result)
                progress(result.counts.total("tried"))

    def check_again(self, keys: Keys, found: Comparison) -> None:
        """Audit positions here; raises DisagreementError if anything comes out otherwise."""
        if not len(keys):
            return
        here = self.local.compare(self.question.board, keys)
        wrong = (here.bounds.least != found.bounds.least) | (here.bounds.greatest != found.bounds.greatest)
        wrong |= (here.bounds.here != found.bounds.here) | (here.bounds.parts != found.bounds.parts)
        # What one of them did not find within the budget the other may have had in its table.
        wrong |= (here.values != found.values) & (here.values != NO_VALUE) & (found.values != NO_VALUE)
        if wrong.any():
            where = describe_position(self.question.board, int(keys[int(wrong.argmax())]))
            raise DisagreementError(f"{where} is audited here with another result")

    def check_contradictions(self, keys: Keys, found: Comparison) -> None:
        """Look for every contradiction again; raises DisagreementError for one that is not there."""
        board = self.question.board
        for place in np.flatnonzero(found.contradicted).tolist():
            position = Position.from_key(board, int(keys[place]))
            if find_contradiction(self.local.rules, self._solve, position) is None:
                raise DisagreementError(f"{describe_position(board, int(keys[place]))} is no contradiction here")

    def _solve(self, position: Position) -> Value:
        return self.local.search.solve([position])[0]  # without a budget: a worker may have been luckier


class _AuditWork:
    """A campaign as work for a crew; parts are taken in the order of the positions."""

    def __init__(self, audit: ClusterAudit, chunks: Iterator[tuple[int, Keys]], count: int) -> None:
        self._audit = audit
        self._chunks = chunks
        self._left = count
        self._number, self._keys, self._drawn = 0, np.zeros(0, np.uint64), np.zeros(0, bool)
        self._taken = self._kept = 0
        self._returned: list[_Part] = []
        self._early: dict[int, ChunkResult] = {}
        self._paces: dict[Hashable, Pace] = {}
        self._losses: Counter[int] = Counter()
        self._lost_by: dict[str, set[int]] = {}
        self._fill()

    @property
    def is_over(self) -> bool:
        return not len(self._keys) and self._kept == self._taken

    @property
    def preparation(self) -> tuple[Any, ...]:
        return prepare, self._audit.question

    def take(self, address: str, workers: int) -> _Part | None:
        # Who lost a part gets it again only where nobody else is left.
        avoided = self._lost_by.get(address, set()) if workers > 1 else set()
        for place, part in enumerate(self._returned):
            if part.order not in avoided:
                return self._returned.pop(place)
        if not len(self._keys):
            return None
        size = choose_size(self._paces, address, workers, max(self._left, len(self._keys)))
        part = _Part(self._taken, self._number, self._keys[:size], self._drawn[:size])
        self._keys, self._drawn = self._keys[size:], self._drawn[size:]
        self._left -= len(part.keys)
        self._taken += 1
        self._fill()
        return part

    def task_of(self, part: _Part) -> tuple[Any, ...]:
        return audit, self._order(part)

    def receive(self, address: str, part: _Part, answer: Any) -> list[ChunkResult]:
        """What is next in the order of the positions, now that this part is done."""
        check, found = self._audit, accept(self._order(part), answer)
        check.check_again(part.keys[part.drawn], _select(found, part.drawn))
        check.check_contradictions(part.keys, found)
        self._paces.setdefault(address, Pace()).add(len(part.keys), answer.took)
        self._early[part.order] = check.local.conclude(check.question.board, part.keys, found, part.chunk)
        results = []
        while self._kept in self._early:
            results.append(self._early.pop(self._kept))
            self._kept += 1
        return results

    def give_back(self, address: str, part: _Part) -> int:
        self._returned.append(part)
        self._losses[part.order] += 1
        self._lost_by.setdefault(address, set()).add(part.order)
        return self._losses[part.order]

    def leave(self, address: str) -> None:
        self._paces.pop(address, None)

    def _order(self, part: _Part) -> AuditOrder:
        return AuditOrder(self._audit.question, part.keys)

    def _fill(self) -> None:
        """The next chunk that has positions, if this one is used up."""
        while not len(self._keys):
            chunk = next(self._chunks, None)
            if chunk is None:
                return
            self._number, self._keys = chunk
            self._drawn = np.zeros(len(self._keys), bool)
            number = min(self._audit.spot_checks, len(self._keys))
            self._drawn[self._audit.chance.choice(len(self._keys), number, replace=False)] = True


def _select(found: Comparison, which: Mask) -> Comparison:
    bounds = found.bounds
    chosen = RuleBounds(bounds.least[which], bounds.greatest[which], bounds.here[which], bounds.parts[which])
    return Comparison(chosen, found.values[which])
