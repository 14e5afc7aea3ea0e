"""Audits by workers count what audits here count, in the same order, and nothing is believed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from claimeven.cluster import auditing
from claimeven.cluster.auditing import AuditOrder, AuditQuestion, AuditReply, ClusterAudit, accept
from claimeven.cluster.errors import ClusterError, DisagreementError
from claimeven.solver.audit.comparison import NO_VALUE, ChunkResult, Counts
from claimeven.solver.audit.positions import PositionSource, make_chunk
from claimeven.solver.board import Board
from claimeven.solver.verdict import Value
from tests.cluster.processes import Machines, Process, wait_for
from tests.cluster.test_faults import crew_of
from tests.scripts.stores import run

SOURCE = PositionSource("6x4", "uniform", 3, 6, 23)
QUESTION = AuditQuestion(Board(6, 4), 0, None, 1 << 20, 1)
LIMITED = replace(QUESTION, nodes=5_000_000)


def no_solve(positions: object) -> list[Value]:
    raise AssertionError("games at random need no search")


class Bench:
    """A crew without processes: two workers, the answers of one of which come late, and some of which are lost."""

    def __init__(self, answer: Callable[[AuditOrder], Any] = auditing.audit) -> None:
        self._answer = answer
        self.losses = 0

    def do(self, work: Any) -> Iterator[Any]:
        late: list[Any] = []
        while not work.is_over:
            first, second = work.take("first", 2), work.take("second", 2)
            late += [second] if second is not None else []
            if first is not None:
                yield work.receive("first", first, self._answer(work.task_of(first)[1]))
            elif late:
                part = late.pop()  # the last one first
                if self.losses < 3:
                    self.losses += 1
                    work.give_back("second", part)
                else:
                    yield work.receive("second", part, self._answer(work.task_of(part)[1]))


def audit_with(crew: Any, question: AuditQuestion = QUESTION, spot: int = 0, wanted: int = 3000) -> list[ChunkResult]:
    kept: list[ChunkResult] = []
    ClusterAudit(crew, question, 1, spot_checks=spot).run(SOURCE, wanted, 100, kept.append, lambda number: None)
    return kept


def total(results: list[ChunkResult]) -> dict[str, Any]:
    counts = Counts()
    for result in results:
        counts.add(result.counts)
    return counts.to_json()


@pytest.fixture(scope="module")
def expected() -> list[ChunkResult]:
    kept: list[ChunkResult] = []
    QUESTION.make_audit(2).run(SOURCE, 3000, 100, kept.append, lambda number: None)
    return kept


def test_what_comes_in_any_order_is_kept_in_the_order_of_the_positions(expected: list[ChunkResult]) -> None:
    crew = Bench()
    kept = audit_with(crew, spot=50)
    assert crew.losses == 3
    assert total(kept) == total(expected)
    assert total(kept)["total"]["tried"] == 2900
    # The first of them are the first positions, whoever was done first.
    first = sum(result.counts.total("tried") for result in kept[:5])
    keys = make_chunk(SOURCE, 0, 3000, no_solve)[100 : 100 + first]
    assert total(kept[:5]) == total([QUESTION.make_audit(1).audit_positions(Board(6, 4), keys)])


@pytest.fixture(scope="module")
def order() -> AuditOrder:
    return AuditOrder(QUESTION, make_chunk(SOURCE, 0, 200, no_solve))


def changed(array: np.ndarray, place: int, value: int | np.int8) -> np.ndarray:
    array = array.copy()
    array[place] = value
    return array


def proved(reply: AuditReply) -> int:
    return int(np.flatnonzero(reply.greatest < 1)[0])


def open_(reply: AuditReply) -> int:
    return int(np.flatnonzero((reply.greatest == 1) & (reply.least == -1))[0])


SPOILT: dict[str, Callable[[AuditReply], Any]] = {
    "its answer is none": lambda reply: None,
    "another length": lambda reply: replace(reply, values=reply.values[1:]),
    "there are none of": lambda reply: replace(reply, values=changed(reply.values, proved(reply), 3)),
    "nothing is proved of": lambda reply: replace(reply, values=changed(reply.values, open_(reply), 0)),
    "left positions out": lambda reply: replace(reply, values=changed(reply.values, proved(reply), NO_VALUE)),
}


@pytest.mark.parametrize("reason", SPOILT)
def test_what_cannot_be_is_refused(order: AuditOrder, reason: str) -> None:
    reply = auditing.audit(order)
    accept(order, reply)
    with pytest.raises(DisagreementError, match=reason):
        accept(order, SPOILT[reason](reply))


def invent(order: AuditOrder) -> AuditReply:
    """Of the first proof it says that search contradicts it."""
    reply = auditing.audit(order)
    places = np.flatnonzero(reply.greatest < 1)
    return replace(reply, values=changed(reply.values, int(places[0]), 1)) if len(places) else reply


def hide(order: AuditOrder) -> AuditReply:
    """It proves nothing, so nothing is ever wrong."""
    size = len(order.keys)
    small = np.int8
    return AuditReply(
        np.full(size, -1, small),
        np.full(size, 1, small),
        np.zeros(size, bool),
        np.zeros(size, np.uint64),
        np.full(size, NO_VALUE),
        0.01,
    )


def test_a_contradiction_that_is_none_here_is_not_believed() -> None:
    with pytest.raises(DisagreementError, match="is no contradiction here"):
        audit_with(Bench(invent))


def test_who_proves_nothing_is_found_out_by_a_sample() -> None:
    assert total(audit_with(Bench(hide)))["total"]["proved"] == 0
    with pytest.raises(DisagreementError, match="with another result"):
        audit_with(Bench(hide), spot=200)


LIAR = """
import claimeven.cluster.auditing as auditing
from tests.cluster.test_auditing import hide
auditing.audit = hide
"""


HELD = """
import time
from pathlib import Path
from threading import Thread
import claimeven.cluster.auditing as auditing
audit = auditing.own = getattr(auditing, "own", auditing.audit)  # Dask may run this twice
def audit_later(order):
    Path({begun!r}).touch()
    while not Path({gate!r}).exists():
        time.sleep(0.05)
    return audit(order)
auditing.audit = audit_later
"""
"""Parts that nobody does before there is a file `gate`; that one was begun, a file `begun` says."""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
class TestProcesses:
    """The same with real workers."""

    def test_the_command_counts_the_same_and_goes_on_with_or_without_workers(
        self, cluster: Machines, tmp_path: Path
    ) -> None:
        cluster.start_worker("first")
        cluster.start_worker("second")
        words = ["audit", "random", "--board", "6x4", "--kind", "cautious", "--jobs", "1", "--json", "--memory", "1M"]
        here = run(*words, "--positions", "4000", "--out", str(tmp_path / "here"))
        run(*words, "--positions", "1500", "--out", str(tmp_path / "there"))
        there = run(*words, "--positions", "4000", "--out", str(tmp_path / "there"), "--cluster", cluster.address)
        assert here.exit_code == there.exit_code == 0, there.stderr
        counts = [json.loads(result.stdout)["campaigns"][0]["counts"] for result in (here, there)]
        assert counts[0] == counts[1]
        assert counts[0]["total"]["tried"] == 4000

    def test_a_worker_that_lies_is_refused_and_one_that_is_killed_loses_its_part(
        self, cluster: Machines, expected: list[ChunkResult], tmp_path: Path
    ) -> None:
        gate = tmp_path / "gate"

        def start_held(name: str) -> Process:
            return cluster.start_worker(
                name, preload=HELD.format(begun=str(tmp_path / f"{name} has begun"), gate=str(gate))
            )

        cluster.start_worker("liar", preload=LIAR, path=Path(__file__).parents[2])
        with crew_of(cluster) as (crew, told):
            with pytest.raises(ClusterError, match="no worker of the cluster is any use"):
                audit_with(crew, spot=3000)
            victim, _ = start_held("victim"), start_held("honest")
            wait_for(lambda: len(crew.client.nthreads()) == 3, "the others")

            def kill() -> None:
                try:
                    wait_for((tmp_path / "victim has begun").exists, "the first part of the victim")
                    victim.kill()
                finally:
                    gate.touch()

            killer = Thread(target=kill)
            killer.start()
            kept: list[ChunkResult] = []
            ClusterAudit(crew, LIMITED, 1, spot_checks=10).run(SOURCE, 3000, 100, kept.append, lambda number: None)
            killer.join()
        assert total(kept) == total(expected)
        assert victim.wait() == -signal.SIGKILL
        assert any(sentence.startswith("worker victim is gone") for sentence in told), told
        assert any(sentence.startswith("worker liar is refused: ") for sentence in told), told
