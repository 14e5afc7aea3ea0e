"""Workers and threads decide the same, and the page says how long each took."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.cluster.planning.costs import STRETCH, AskerCosts, CostModel, PlySample, draw_stretches
from claimeven.reports.bench.cluster_page import ClusterSpeed, format_cluster_speed
from claimeven.reports.bench.cluster_speed import Run, count_differences, measure_threads, measure_workers
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply

ASKER = AskerCosts(counting=2e-7, chunk=0.015, position=5e-6, parent=7e-6, row_bytes=35)


def run_of(workers: int, seconds: float, nodes: int = 1_000_000, value: int = 1) -> Run:
    return Run(
        workers,
        1 if workers else 2,
        100,
        seconds,
        cpu_seconds=2 * seconds / (1 if workers != 1 else 2),
        own_cpu_seconds=0.5,
        nodes=nodes,
        chunk_seconds=(1.0, 3.0),
        position_seconds=np.full(100, 0.2),
        verdicts=np.full(100, value, np.int8),
    )


def make_speed(*, value: int = 1) -> ClusterSpeed:
    model = CostModel(tuple(PlySample(ply, np.full((9, STRETCH), 0.2 / ply)) for ply in (8, 10, 12)))
    threads = [run_of(0, seconds) for seconds in (9.0, 10.0, 30.0)]
    workers = [run_of(2, 12.5, 1_100_000, value)]
    return ClusterSpeed(8, threads, workers, [run_of(1, 20.0)], model, ASKER, 0.05)


def test_the_share_is_that_of_the_medians() -> None:
    speed = make_speed()
    assert speed.share == pytest.approx(0.8)
    assert speed.differences == 0
    page = format_cluster_speed(speed, [], {"commit": "x"})
    assert "| local:2 | 12.5 | 8.0 | 25.0 | 0.5 | 1 | 80% |" in page
    assert "1.10 times as many nodes" in page


def test_a_value_that_differs_is_counted() -> None:
    assert make_speed(value=-1).differences == 100


def test_a_run_that_is_replayed_takes_its_own_time() -> None:
    speed = make_speed()
    check = speed.check(speed.by_workers)
    assert check.cpu_seconds == pytest.approx(25.0)
    assert check.replayed.seconds == pytest.approx(12.5, rel=0.2)


def test_workers_and_threads_decide_the_same() -> None:
    (keys,) = enumerate_ply(Board(), 8, chunk=1 << 20)
    drawn = draw_stretches(keys, 8, 3)
    runs = [measure_threads(Board(), drawn, 2, 1 << 20), measure_workers(Board(), drawn, 2, 1 << 20)]
    assert count_differences(runs) == 0
    assert {run.positions for run in runs} == {8}
    assert runs[1].cpu_seconds > 0
    assert len(runs[1].chunk_seconds) >= 2
