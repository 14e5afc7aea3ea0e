"""A job: many positions as arrays, proved one after the other while whoever asked looks on."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.findings import Findings
from claimeven.solver.search.job import Scores, Stones

if TYPE_CHECKING:
    from claimeven.solver.search.dfpn.answer import ProofAnswer
    from claimeven.solver.verdicts import VerdictBatch

__all__ = ["ProofJob", "Stones"]

AGAIN_SECONDS = 0.05


class Prover(Protocol):
    """The searcher that a job belongs to."""

    board: Board

    def answer_within_call(self, position: Position, budget: Budget) -> ProofAnswer: ...

    def take_found(self, *, is_idle: bool = True) -> VerdictBatch: ...

    def stop(self) -> None: ...


class ProofJob:
    """Positions that are being proved; none of them may be finished. It is used as `SearchJob` is.

    `least` and `greatest` are -1, 0 or 1 for the side to move. What is known of a position that was given up may be one
    of the two bounds.
    """

    def __init__(self, searcher: Prover, white: Stones, black: Stones, budget: Budget) -> None:
        self._searcher = searcher
        self._white, self._black = white, black
        self._budget = budget
        self._least = np.full(len(white), -1, np.int8)
        self._greatest = np.full(len(white), 1, np.int8)
        self._nodes = np.zeros(len(white), np.int64)
        self._done = 0  # positions are done in their order
        self._seen = 0
        self._is_stopped = False
        self._is_over = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="proof-job")
        self._future: Future[None] = self._pool.submit(self._work)

    def __len__(self) -> int:
        return len(self._white)

    def wait(self, seconds: float) -> bool:
        """Wait until all is done, but no longer than that; gives whether it is."""
        if not self._is_over.wait(seconds):
            return False
        self._future.result()
        return True

    def newly_done(self) -> NDArray[np.intp]:
        """The numbers of the positions that were decided or given up since the last call."""
        new = np.arange(self._seen, self._done)
        self._seen = self._done
        return new

    def least(self, which: NDArray[np.intp]) -> Scores:
        """What the side to move gets at least in each of these positions."""
        return self._least[which]

    def greatest(self, which: NDArray[np.intp]) -> Scores:
        """What the side to move gets at most in each of these positions."""
        return self._greatest[which]

    def is_decided(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these positions are decided, and not given up."""
        decided: NDArray[np.bool_] = self._least[which] == self._greatest[which]
        return decided

    def nodes(self, which: NDArray[np.intp]) -> NDArray[np.int64]:
        """The visits that each of these positions took."""
        return self._nodes[which]

    def take_found(self) -> VerdictBatch:
        """What was decided on the way and is worth keeping, since the last call."""
        return self._searcher.take_found(is_idle=self._is_over.is_set())

    def take_findings(self) -> Findings:
        """None: all that is found are verdicts, and `take_found` gives them."""
        return Findings.none()

    def stop(self) -> None:
        """End the job: what is not done yet stays open."""
        self._is_stopped = True
        self._searcher.stop()

    def close(self) -> None:
        """Stop, and wait for the threads to come back."""
        while not self._is_over.wait(0 if not self._is_stopped else AGAIN_SECONDS):
            self.stop()  # again and again: a worker may just have been about to start
        self._pool.shutdown()

    def __enter__(self) -> ProofJob:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _work(self) -> None:
        try:
            for number in range(len(self)):
                position = Position(self._searcher.board, int(self._white[number]), int(self._black[number]))
                answer = self._searcher.answer_within_call(position, self._budget)
                least, greatest = answer.bounds.least.rank, answer.bounds.greatest.rank
                is_white = position.ply % 2 == 0
                self._least[number] = least if is_white else -greatest
                self._greatest[number] = greatest if is_white else -least
                self._nodes[number] = answer.nodes
                if self._is_stopped:
                    return
                self._done = number + 1
        finally:
            self._is_over.set()
