"""How fast workers of a cluster are beside threads of one process, on the same positions, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from claimeven.cluster.connection import ClusterAddress, connect
from claimeven.cluster.crew import Crew
from claimeven.cluster.decider import ClusterDecider
from claimeven.cluster.messages import Question
from claimeven.db.pipeline import answer_keys
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.deciding.key_decider import KeyDecider
from claimeven.solver.notation import parse_position
from claimeven.solver.positions import Keys, keys_of

LATE = "43443444536335525626636567777772"
"""A position that is decided at once, for workers to show that they are ready."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Positions that were decided into a new store, by so many workers, or by threads if there are none.

    `cpu_seconds` are those of whoever decides, `own_cpu_seconds` those of the process that asks, scheduler included;
    with threads this is the same process and all of it is in the former.
    """

    workers: int
    threads: int
    positions: int
    seconds: float
    cpu_seconds: float
    own_cpu_seconds: float
    nodes: int
    chunk_seconds: tuple[float, ...] = ()
    position_seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    verdicts: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))

    @property
    def name(self) -> str:
        return f"local:{self.workers}" if self.workers else f"one process, {self.threads} threads"

    @property
    def occupancy(self) -> float:
        """How much of a core each thread or worker had, on average."""
        return self.cpu_seconds / self.seconds / (self.workers or self.threads)


def measure_threads(board: Board, keys: Keys, threads: int, memory_bytes: int) -> Run:
    """Decide positions with threads of this process, from an empty table into a new store."""
    decider = Decider(board, memory_bytes=memory_bytes, threads=threads)
    wall, cpu = time.perf_counter(), time.process_time()
    costs, verdicts = _decide(decider, keys)
    seconds, spent = time.perf_counter() - wall, time.process_time() - cpu
    return Run(0, threads, len(keys), seconds, spent, 0.0, decider.nodes, (), costs, verdicts)


def measure_workers(board: Board, keys: Keys, workers: int, memory_bytes: int) -> Run:
    """The same with so many workers with one thread each, from when all of them are ready."""
    question = Question(board, memory_bytes=memory_bytes, threads=1)
    chunks: list[float] = []
    with _ready_crew(question, workers) as crew:
        decider = ClusterDecider(crew, question, on_chunk=lambda part, reply: chunks.append(reply.took))
        before = _worker_seconds(crew)
        wall, cpu = time.perf_counter(), time.process_time()
        costs, verdicts = _decide(decider, keys)
        seconds, own = time.perf_counter() - wall, time.process_time() - cpu
        spent = _worker_seconds(crew) - before
    return Run(workers, 1, len(keys), seconds, spent, own, decider.nodes, tuple(chunks), costs, verdicts)


def measure_rounds(
    board: Board, keys: Keys, workers: int, rounds: int, memory_bytes: int, tell: Tell
) -> tuple[list[Run], list[Run], list[Run]]:
    """Threads, as many workers, and one worker; the former two in turns, so often, the latter once."""
    by_threads: list[Run] = []
    by_workers: list[Run] = []
    for number in range(rounds):
        turns = ["threads", "workers"] if number % 2 == 0 else ["workers", "threads"]
        for turn in turns:
            tell(f"round {number + 1}, {workers} {turn} ...")
            if turn == "threads":
                by_threads.append(measure_threads(board, keys, workers, memory_bytes))
            else:
                by_workers.append(measure_workers(board, keys, workers, memory_bytes))
    tell("one worker ...")
    return by_threads, by_workers, [measure_workers(board, keys, 1, memory_bytes)]


def count_differences(runs: list[Run]) -> int:
    """In how many positions not all runs say the same."""
    first = runs[0].verdicts
    different = np.zeros(len(first), bool)
    for run in runs[1:]:
        different |= run.verdicts != first
    return int(np.count_nonzero(different))


def median_of(runs: list[Run], value: Callable[[Run], float]) -> float:
    return median(value(run) for run in runs)


def _decide(decider: KeyDecider, keys: Keys) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Decide and store positions; gives the seconds of each, and its value."""
    costs, values = np.zeros(len(keys)), np.zeros(len(keys), np.int8)
    with TemporaryDirectory() as directory, Store.open(Path(directory) / "book.db") as store:
        for answered in answer_keys(decider, keys, store):
            costs[answered.places] = answered.seconds
            values[answered.places] = answered.verdicts.least
    return costs, values


@contextmanager
def _ready_crew(question: Question, workers: int) -> Iterator[Crew]:
    with connect(ClusterAddress(None, workers), 1, lambda sentence: None) as client:
        crew = Crew(client, 120.0, lambda sentence: None)
        try:
            keys = keys_of(question.board, [parse_position(LATE, question.board)])
            while len(crew.names) < workers:
                for _ in ClusterDecider(crew, question).decide_keys(keys):
                    pass
            yield crew
        finally:
            crew.close()


def _worker_seconds(crew: Crew) -> float:
    """The CPU seconds of all workers so far."""
    return float(sum(crew.client.run(time.process_time).values()))
