"""Workers that are killed, hang, run out of memory, lie or are of another version cost their chunk and nothing else.

Everything is done by real processes: a scheduler and workers as users start them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from claimeven.cluster.connection import ClusterAddress, connect
from claimeven.cluster.crew import Crew
from claimeven.cluster.decider import ClusterDecider
from claimeven.cluster.errors import ClusterError, LostSchedulerError
from claimeven.cluster.messages import Question
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.verdicts import VerdictBatch
from tests.cluster.processes import Machines, wait_for

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

BOARD = Board(5, 4)
QUESTION = Question(BOARD, memory_bytes=1 << 20)
KEYS = np.concatenate(list(enumerate_ply(BOARD, 6)))

SLOW = """
import time
import claimeven.cluster.worker as worker
decide = worker.own = getattr(worker, "own", worker.decide)  # Dask may run this twice
def decide_slowly(order):
    time.sleep(0.1)
    return decide(order)
worker.decide = decide_slowly
"""
"""Chunks that take long enough for the scheduler to be killed meanwhile."""

HELD = """
import time
from pathlib import Path
import claimeven.cluster.worker as worker
decide = worker.own = getattr(worker, "own", worker.decide)  # Dask may run this twice
def decide_later(order):
    while not Path({gate!r}).exists():
        time.sleep(0.05)
    return decide(order)
worker.decide = decide_later
"""
"""Chunks that nobody does before there is a file `gate`."""


@contextmanager
def crew_of(cluster: Machines, patience: float = 60.0) -> Iterator[tuple[Crew, list[str]]]:
    told: list[str] = []
    with connect(ClusterAddress(cluster.address), None, lambda sentence: None) as client:
        crew = Crew(client, patience, told.append)
        try:
            yield crew, told
        finally:
            crew.close()


def decide_all(
    crew: Crew,
    after_each: Callable[[], None] = lambda: None,
    *,
    meanwhile: Callable[[], None] = lambda: None,
    spot: int = 0,
) -> VerdictBatch:
    """Decide all positions, and call a function after each chunk and another also while nothing comes."""
    found = VerdictBatch.unknown(KEYS)
    seen = np.zeros(len(KEYS), np.int64)
    for decided in ClusterDecider(crew, QUESTION, spot_checks=spot, seed=1).decide_keys(KEYS):
        found.put(decided.places, decided.verdicts)
        seen[decided.places] += 1
        meanwhile()
        if len(decided):
            after_each()
    assert (seen == 1).all()
    return found


@pytest.fixture(scope="module")
def expected() -> VerdictBatch:
    found = VerdictBatch.unknown(KEYS)
    for decided in Decider(BOARD, memory_bytes=1 << 20, threads=1).decide_keys(KEYS):
        found.put(decided.places, decided.verdicts)
    return found


def assert_equal(found: VerdictBatch, expected: VerdictBatch) -> None:
    for name in ("keys", "least", "greatest", "scores", "sources"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name


def test_a_worker_that_is_killed_costs_its_chunks_only(
    cluster: Machines, expected: VerdictBatch, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    first, _ = (cluster.start_worker(name, preload=HELD.format(gate=str(gate))) for name in ("first", "second"))
    with crew_of(cluster) as (crew, told):
        # Wait until both have chunks, so that the one that is killed has something to lose.
        def kill() -> None:
            if len(crew.names) == 2 and first.poll() is None:
                first.kill()
                first.wait()
                gate.touch()

        found = decide_all(crew, meanwhile=kill)
    assert first.wait() == -signal.SIGKILL
    assert_equal(found, expected)
    assert any("worker first is gone" in sentence for sentence in told), told


def test_a_worker_that_hangs_is_passed_over_and_may_come_back(
    cluster: Machines, expected: VerdictBatch, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    first, _ = (cluster.start_worker(name, preload=HELD.format(gate=str(gate))) for name in ("first", "second"))
    with crew_of(cluster, patience=4.0) as (crew, told):

        def stop() -> None:
            if len(crew.names) == 2 and not gate.exists():
                first.send_signal(signal.SIGSTOP)
                gate.touch()

        found = decide_all(crew, meanwhile=stop)
        assert any("worker first has been silent" in sentence for sentence in told), told
        first.send_signal(signal.SIGCONT)
        assert_equal(found, expected)
        # The same crew goes on with the next batch.
        assert_equal(decide_all(crew), expected)


def test_workers_that_cannot_be_trusted_are_refused_by_name(
    cluster: Machines, expected: VerdictBatch, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    (old / "claimeven").mkdir(parents=True)
    (old / "claimeven" / "__init__.py").write_text('__version__ = "0.0.1"\n')
    cluster.start_worker("older", path=old)
    cluster.start_worker("liar", preload=LIAR)
    with crew_of(cluster) as (crew, told):
        with pytest.raises(ClusterError, match="no worker of the cluster is any use"):
            decide_all(crew, spot=len(KEYS))
        cluster.start_worker("honest")
        wait_for(lambda: len(crew.client.nthreads()) == 3, "the honest one")
        assert_equal(decide_all(crew, spot=100), expected)
    assert any(sentence.startswith("worker older is refused: it has claimeven 0.0.1") for sentence in told), told
    assert any(sentence.startswith("worker liar is refused: ") for sentence in told), told


LIAR = """
from dataclasses import replace
import numpy as np
import claimeven.cluster.worker as worker
decide = worker.own = getattr(worker, "own", worker.decide)  # Dask may run this twice
def lie(order):
    reply = decide(order)
    search = (reply.sources == 3) & (reply.least == reply.greatest) & (reply.least != 0)
    least, greatest = (np.where(search, -ranks, ranks).astype(np.int8) for ranks in (reply.least, reply.greatest))
    scores = np.where(search, -128, reply.scores).astype(np.int8)
    return replace(reply, least=least, greatest=greatest, scores=scores)
worker.decide = lie
"""


def test_a_worker_without_memory_is_ended_by_its_nanny_and_the_chunk_done_elsewhere(
    cluster: Machines, expected: VerdictBatch
) -> None:
    cluster.start_worker("greedy", "--nanny", "--memory-limit", "700MB", preload=GREEDY)
    with crew_of(cluster) as (crew, told):

        def add_another(sentence: str) -> None:
            told.append(sentence)
            if "worker greedy is gone" in sentence and len([each for each in told if "greedy" in each]) == 1:
                cluster.start_worker("modest")

        crew.tell = add_another
        assert_equal(decide_all(crew), expected)
    assert any("worker greedy" in sentence and "done again" in sentence for sentence in told), told


GREEDY = """
import time
import claimeven.cluster.worker as worker
def eat(order):
    eaten = []
    for _ in range(60):
        eaten.append(bytearray(b"x" * (20 << 20)))
        time.sleep(0.05)
    raise AssertionError("nobody stopped it")
worker.decide = eat
"""


def test_a_scheduler_that_goes_away_ends_the_work_in_a_sentence(cluster: Machines) -> None:
    cluster.start_worker("first", preload=SLOW)
    taken = 0

    def kill() -> None:
        nonlocal taken
        taken += 1
        cluster.scheduler.kill()

    with crew_of(cluster) as (crew, _), pytest.raises(LostSchedulerError, match="the scheduler"):
        decide_all(crew, kill)
    assert taken
