"""A job: many positions as arrays, searched by all threads of a searcher while whoever asked looks on."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.positions import Keys, canonical_keys, join_stones
from claimeven.solver.score import greatest_score, least_score
from claimeven.solver.search.alpha_beta import STOP, STOPPED, decide
from claimeven.solver.search.budget import NO_LIMIT, Budget
from claimeven.solver.search.findings import Findings
from claimeven.solver.search.gate import Gate
from claimeven.solver.search.journal import Journal, read_found
from claimeven.solver.search.many import (
    ALL_DONE,
    DECIDED,
    GIVE_UP,
    GREATEST_SHIFT,
    JOB_WORDS,
    LEAST_SHIFT,
    NEEDS_ROOM,
    NO_REQUEST,
    NODES_SHIFT,
    NOTHING,
    OPEN,
    PAUSE,
    SCORE_OFFSET,
    STATE_MASK,
    Job,
    Thread,
    decide_many,
)
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words

if TYPE_CHECKING:
    from claimeven.solver.board import Board
    from claimeven.solver.search.table import TranspositionTable

Stones = NDArray[np.uint64]
Scores = NDArray[np.int8]

HELP_NODES = 200_000
"""A thread that helps another looks this often whether the question is still the same."""
WATCH_SECONDS = 0.05
IDLE_SECONDS = 0.002


class Worker(Protocol):
    """A thread's workspace and the words by which it is watched (`many.Thread`)."""

    workspace: Words
    control: Words
    journal: Journal

    def join(self, control: Words, busy: Words | None) -> None: ...


class SearchJob:
    """Positions that are being searched; none of them may be finished.

    Every thread takes one position after the other. One that finds none left helps with those that others are still at.
    What is found can be taken at any time, from any one thread: `newly_done` gives the numbers of the positions that
    were decided or given up since it was called last, `least` and `greatest` what their scores may be, for the side to
    move. The job ends when all are done, or by `stop`; it must be closed before the searcher does anything else.
    """

    def __init__(
        self,
        board: Board,
        white: Stones,
        black: Stones,
        budget: Budget,
        *,
        scores: bool,
        workers: Sequence[Worker],
        table: TranspositionTable,
        gate: Gate,
        busy: Words,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._board = board
        plies = np.bitwise_count(white | black)
        white_moves = plies % 2 == 0
        self._movers = np.ascontiguousarray(np.where(white_moves, white, black))
        self._others = np.ascontiguousarray(np.where(white_moves, black, white))
        played = plies.astype(np.int64)
        self._known = _pack(least_score(board.cells, played), greatest_score(board.cells, played))
        self._seconds = budget.seconds
        self._job = new_words(JOB_WORDS)
        self._job[Job.COUNT] = len(self._known)
        self._job[Job.MOVERS] = address_of(self._movers)
        self._job[Job.OTHERS] = address_of(self._others)
        self._job[Job.KNOWN] = address_of(self._known)
        self._job[Job.IS_VALUE] = not scores
        self._job[Job.NODE_BUDGET] = NO_LIMIT if budget.nodes is None else budget.nodes
        self._workers = workers
        self._table = table
        self._gate = gate
        self._busy = busy
        self._seen = np.zeros(len(self._known), dtype=np.bool_)
        self._is_stopped = False
        self._is_over = threading.Event()
        self._at = dict.fromkeys(range(len(workers)), (NOTHING, 0.0))
        self._busy.fill(0)
        self._take_journals(is_idle=True)  # what others have left there
        for worker in workers:
            worker.control[Thread.CURRENT] = NOTHING
            worker.control[Thread.REQUEST] = NO_REQUEST
            worker.join(worker.control, None)
        self._running = len(workers)
        self._leaving = threading.Lock()
        self._futures: list[Future[None]] = []
        try:
            for worker in workers:
                self._futures.append(pool.submit(self._work, worker))
        except BaseException:  # there may be no memory for another thread
            self._leave(len(workers) - len(self._futures))
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._known)

    def wait(self, seconds: float) -> bool:
        """Wait until all is done, but no longer than that; gives whether it is. Positions out of time are given up."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            if self._is_over.wait(max(min(left, WATCH_SECONDS), 0)):
                for future in self._futures:
                    future.result()
                return True
            if self._is_stopped:
                self._interrupt()
            self._give_up_what_takes_too_long()
            if left <= 0:
                return False

    def newly_done(self) -> NDArray[np.intp]:
        """The numbers of the positions that were decided or given up since the last call."""
        done = (self._known & STATE_MASK) != OPEN
        new = np.flatnonzero(done & ~self._seen)
        self._seen[new] = True
        return new

    def least(self, which: NDArray[np.intp]) -> Scores:
        """The least score that each of these positions may have."""
        return self._read(which, LEAST_SHIFT)

    def greatest(self, which: NDArray[np.intp]) -> Scores:
        """The greatest score that each of these positions may have."""
        return self._read(which, GREATEST_SHIFT)

    def is_done(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these positions are decided or given up."""
        done: NDArray[np.bool_] = (self._known[which] & STATE_MASK) != OPEN
        return done

    def is_decided(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these positions are decided, and not given up."""
        decided: NDArray[np.bool_] = (self._known[which] & STATE_MASK) == DECIDED
        return decided

    def nodes(self, which: NDArray[np.intp]) -> NDArray[np.int64]:
        """The nodes that each of these positions took, not counting those of threads that helped."""
        return (self._known[which] >> NODES_SHIFT).astype(np.int64)

    def take_found(self) -> None:
        """Nothing: what it finds of positions that nobody asked for are bounds on scores, and no verdicts."""

    def take_findings(self) -> Findings:
        """What was found on the way to positions that are still open, as far as it took much, since the last call."""
        rows = self._take_journals(is_idle=self._is_over.is_set())
        asked, least, greatest, works = read_found(rows[:, 2])
        is_open = asked < len(self)
        is_open[is_open] = (self._known[asked[is_open]] & STATE_MASK) == OPEN
        asked, rows = asked[is_open], rows[is_open]
        return Findings(
            self._canonical_keys(rows[:, 0], rows[:, 1]),
            least[is_open],
            greatest[is_open],
            works[is_open],
            self._canonical_keys(self._movers[asked], self._others[asked]),
        )

    @property
    def current(self) -> list[int]:
        """The positions that threads are at, by their numbers."""
        found = {int(worker.control[Thread.CURRENT]) for worker in self._workers}
        return sorted(found - {int(NOTHING)})

    def stop(self) -> None:
        """End the job: what is not done yet stays open."""
        self._is_stopped = True

    def close(self) -> None:
        """Stop, and wait for the threads to come back."""
        self.stop()
        while not self._is_over.is_set():
            self._interrupt()
            self._is_over.wait(IDLE_SECONDS)
        for worker in self._workers:
            worker.control[Thread.CURRENT] = NOTHING
            worker.join(worker.control, None)

    def __enter__(self) -> SearchJob:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _take_journals(self, *, is_idle: bool) -> NDArray[np.uint64]:
        return np.concatenate([worker.journal.take(is_idle=is_idle) for worker in self._workers])

    def _canonical_keys(self, movers: Stones, others: Stones) -> Keys:
        white_moves = np.bitwise_count(movers | others) % 2 == 0
        white, black = np.where(white_moves, movers, others), np.where(white_moves, others, movers)
        return canonical_keys(self._board, join_stones(self._board, white, black))

    def _read(self, which: NDArray[np.intp], shift: np.uint64) -> Scores:
        return (((self._known[which] >> shift) & np.uint64(255)).astype(np.int16) - SCORE_OFFSET).astype(np.int8)

    def _work(self, worker: Worker) -> None:
        try:
            addresses = [np.uint64(address_of(words)) for words in (worker.workspace, self._job, worker.control)]
            while not self._is_stopped:
                with self._gate.inside():
                    worker.control[Thread.REQUEST] = NO_REQUEST
                    worker.control[Thread.ROOM] = self._table.room
                    entries = self._table.entries
                    reason = decide_many(*addresses)
                if reason == NEEDS_ROOM:
                    self._grow(entries)
                elif reason == ALL_DONE:
                    self._help(worker)
                    return
        except BaseException:
            self.stop()  # or others would wait for what this thread was at
            raise
        finally:
            self._leave(1)

    def _leave(self, threads: int) -> None:
        with self._leaving:
            self._running -= threads
            if not self._running:
                self._is_over.set()

    def _help(self, worker: Worker) -> None:
        """Search with others what they are at, until nothing is left."""
        while not self._is_stopped:
            others = [each for each in self._workers if each is not worker and each.control[Thread.CURRENT] != NOTHING]
            if not others:
                if self._job[Job.NEXT] >= len(self) and not np.any((self._known & STATE_MASK) == OPEN):
                    return
                time.sleep(IDLE_SECONDS)
                continue
            owner = others[0]
            number, alpha = int(owner.control[Thread.CURRENT]), int(owner.control[Thread.QUESTION].astype(np.int64))
            if number >= len(self):
                continue
            owner.workspace[Slot.BUSY] = address_of(self._busy)
            worker.join(owner.control, self._busy)
            worker.workspace[Slot.NODE_LIMIT] = int(worker.workspace[Slot.NODES]) + HELP_NODES
            with self._gate.inside():
                bound = decide(
                    np.uint64(address_of(worker.workspace)), self._movers[number], self._others[number], alpha
                )
            if bound == STOPPED:
                continue
            time.sleep(0)  # the owner has been told, and takes the answer from the table

    def _grow(self, entries: int) -> None:
        """Let the table grow, unless another thread was faster."""
        with self._gate.alone(nudge=self._interrupt):
            if self._table.entries == entries:
                self._table.grow([worker.workspace for worker in self._workers])

    def _interrupt(self) -> None:
        """Make all threads come back to Python."""
        for worker in self._workers:
            worker.control[Thread.REQUEST] = PAUSE
            worker.control[Thread.CONTROL] = STOP

    def _give_up_what_takes_too_long(self) -> None:
        if self._seconds is None:
            return
        now = time.monotonic()
        for number, worker in enumerate(self._workers):
            current, since = worker.control[Thread.CURRENT], self._at[number][1]
            if current != self._at[number][0]:
                self._at[number] = (current, now)
            elif current != NOTHING and now - since >= self._seconds:
                worker.control[Thread.REQUEST] = GIVE_UP + current
                worker.control[Thread.CONTROL] = STOP


def _pack(least: NDArray[np.int64], greatest: NDArray[np.int64]) -> Words:
    """What is known of open positions, as `many` lays it out."""
    words = new_words(len(least))
    words[:] = (least + SCORE_OFFSET).astype(np.uint64) << LEAST_SHIFT
    words |= (greatest + SCORE_OFFSET).astype(np.uint64) << GREATEST_SHIFT
    return words
