"""The page of `claimeven bench cluster`: workers beside threads, the model beside real runs, and what it predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from claimeven.cluster.planning.costs import STRETCH, AskerCosts, CostModel
from claimeven.cluster.planning.forecast import Forecast, forecast_positions
from claimeven.cluster.planning.simulation import USUAL, Simulated, simulate
from claimeven.reports.bench.cluster_speed import Run, count_differences, median_of
from claimeven.reports.plan import (
    PLIES,
    Plan,
    describe_asker,
    describe_seconds,
    forecast_table,
    make_plan,
    sample_table,
)

WORKERS = (1, 2, 10, 100, 1000)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSpeed:
    """What was measured, and the model that it is compared with."""

    ply: int
    by_threads: list[Run]
    by_workers: list[Run]
    by_one: list[Run]
    model: CostModel
    asker: AskerCosts
    price: float

    @property
    def share(self) -> float:
        """The throughput of the workers as a share of that of as many threads."""
        return median_of(self.by_threads, lambda run: run.seconds) / median_of(self.by_workers, lambda run: run.seconds)

    @property
    def differences(self) -> int:
        return count_differences([*self.by_threads, *self.by_workers, *self.by_one])

    @property
    def cpu_share(self) -> float:
        """The same by CPU seconds, those of the process that asks included: what cores of one's own would give."""
        return median_of(self.by_threads, lambda run: run.cpu_seconds) / median_of(
            self.by_workers, lambda run: run.cpu_seconds + run.own_cpu_seconds
        )

    def check(self, runs: list[Run]) -> Check:
        """The model and the simulation beside real runs."""
        run = runs[0]
        said = forecast_positions(self.model, self.asker, self.ply, run.positions, run.workers)
        rows = run.position_seconds[: len(run.position_seconds) // STRETCH * STRETCH].reshape(-1, STRETCH)
        # The run's own positions, with the CPU seconds that its workers had.
        cpu = median_of(runs, lambda each: each.cpu_seconds)
        rows = rows * (cpu / max(rows.sum(), 1e-9))
        replayed = simulate(rows, rows.size, run.workers, self.asker, in_order=True)
        return Check(run.workers, cpu, median_of(runs, lambda each: each.seconds), said, replayed)


@dataclass(frozen=True, slots=True)
class Check:
    """Real runs with so many workers, what the model says of them, and their own times replayed."""

    workers: int
    cpu_seconds: float
    seconds: float
    said: Forecast
    replayed: Simulated


def make_plans(model: CostModel, asker: AskerCosts, price: float) -> list[Plan]:
    """The model and the simulation for every ply on several numbers of workers."""
    return [make_plan(model, asker, ply, workers, price, seed=1) for ply in PLIES for workers in WORKERS]


def format_cluster_speed(speed: ClusterSpeed, plans: Sequence[Plan], run: Mapping[str, str]) -> str:
    """The page."""
    threads, workers = speed.by_threads, speed.by_workers
    number, rounds = threads[0].positions, len(threads)
    lines = [
        "# Clusters: speed, and what books would take",
        "",
        f"{number:,} positions of ply {speed.ply} on 7x6, drawn as stretches of {STRETCH} neighbours, into a new "
        f"SQLite store from empty tables: {threads[0].threads} threads of one process that share a table, and as many "
        f"Dask workers with a thread and a table of the same size each, from when all are ready. Medians of {rounds} "
        f"rounds in turns. Values that differ: {speed.differences}.",
        "",
        *_markdown(_speed_rows(speed), left=1),
        "",
        *_explain(speed),
        "",
        "## The model beside real runs",
        "",
        f"The model knows samples of other positions ({speed.model.error(speed.ply):.0%} standard error) and counts "
        "cores that nobody else uses; replayed are the CPU seconds of the run's own positions, in the simulation. By "
        "the clock a run takes longer than both by what others used of the cores.",
        "",
        *_markdown(_check_rows(speed)),
        "",
        f"Chunks with {workers[0].workers} workers: {_describe_chunks(workers)}",
        "",
        "## What books take",
        "",
        *_markdown(sample_table(speed.model)),
        "",
        f"{describe_asker(speed.asker)} Plies between the sampled ones are interpolated, 13 and 14 extrapolated. "
        "Cores are as fast as the one that was measured, and nobody else uses them.",
        "",
        f"Time and cost ({speed.price:g} an hour of a core, that of the process that asks included) by the number of "
        "workers with a core each:",
        "",
        *_markdown(forecast_table(speed.model, speed.asker, speed.price, WORKERS)),
        "",
        "The same by simulation, in which measured times are replayed on workers that do not exist: by the model / "
        f"simulated / simulated with troubles ({USUAL.slow:.0%} of the workers {USUAL.slowness:g} times as slow, each "
        f"fails {USUAL.failures:g} times an hour for {USUAL.absence:g} s).",
        "",
        *_markdown(_plan_rows(plans)),
    ]
    return "\n".join([*lines, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _speed_rows(speed: ClusterSpeed) -> list[list[str]]:
    rows = [["who", "s", "positions/s", "CPU s deciding", "CPU s asking", "million nodes", "share of the threads"]]
    for runs in (speed.by_threads, speed.by_workers, speed.by_one):
        seconds = median_of(runs, lambda each: each.seconds)
        rows.append(
            [
                runs[0].name,
                f"{seconds:.1f}",
                f"{runs[0].positions / seconds:.1f}",
                f"{median_of(runs, lambda each: each.cpu_seconds):.1f}",
                f"{median_of(runs, lambda each: each.own_cpu_seconds):.1f}" if runs[0].workers else "",
                f"{median_of(runs, lambda each: each.nodes) / 1e6:.0f}",
                f"{speed.share:.0%}" if runs is speed.by_workers else "",
            ]
        )
    return rows


def _explain(speed: ClusterSpeed) -> list[str]:
    """Where the difference between workers and threads comes from, by what was counted."""
    threads, workers = speed.by_threads, speed.by_workers
    nodes = median_of(workers, lambda each: each.nodes) / median_of(threads, lambda each: each.nodes)
    cpu = median_of(workers, lambda each: each.cpu_seconds) / median_of(threads, lambda each: each.cpu_seconds)
    own = median_of(workers, lambda each: each.own_cpu_seconds) / median_of(workers, lambda each: each.cpu_seconds)
    balance = speed.check(workers).replayed.idle
    busy, before = (median_of(runs, lambda each: each.occupancy) for runs in (workers, threads))
    return [
        f"Where the difference comes from: the workers look at {nodes:.2f} times as many nodes, as each knows only its "
        f"own table; with that they use {cpu:.2f} times the CPU; the process that asks, with Dask's scheduler in it, "
        f"uses another {own:.1%} of the workers' CPU on the same cores; and a worker had {busy:.2f} of a core on "
        f"average, a thread {before:.2f}: the rest was waiting, or used by others. By CPU seconds alone, as on cores "
        f"that nobody else uses, the workers would have {speed.cpu_share:.0%} of the threads' throughput, less "
        f"the {balance:.0%} of their time they wait in the simulation of this run, most of it for the last chunks.",
    ]


def _check_rows(speed: ClusterSpeed) -> list[list[str]]:
    rows = [["workers", "CPU s", "by the model", "model / real", "s by the model", "replayed", "by the clock", "cores"]]
    for runs in (speed.by_one, speed.by_workers):
        check = speed.check(runs)
        rows.append(
            [
                str(check.workers),
                f"{check.cpu_seconds:.1f}",
                f"{check.said.cpu_seconds:.1f}",
                f"{check.said.cpu_seconds / check.cpu_seconds:.2f}",
                f"{check.said.deciding:.1f}",
                f"{check.replayed.seconds:.1f}",
                f"{check.seconds:.1f}",
                f"{check.workers * median_of(runs, lambda each: each.occupancy):.2f}",
            ]
        )
    return rows


def _describe_chunks(runs: list[Run]) -> str:
    times = np.array([seconds for run in runs for seconds in run.chunk_seconds])
    return (
        f"{len(times) / len(runs):.0f} a run, {np.median(times):.1f} s in the middle, nine of ten within "
        f"{np.quantile(times, 0.9):.1f} s, the longest {times.max():.1f} s."
    )


def _plan_rows(plans: Sequence[Plan]) -> list[list[str]]:
    rows = [["ply", *(f"{number:,}" for number in WORKERS)]]
    for ply in PLIES:
        found = [plan for plan in plans if plan.forecast.ply == ply]
        cells = [
            " / ".join(
                describe_seconds(each)
                for each in (plan.forecast.seconds, plan.simulated_seconds, plan.troubled_seconds)
            )
            for plan in found
        ]
        rows.append([str(ply), *cells])
    return rows


def _markdown(rows: Sequence[Sequence[str]], left: int = 0) -> list[str]:
    """A table; the first `left` columns are words, the others numbers."""
    header, *body = rows
    marks = ["---"] * left + ["--:"] * (len(header) - left)
    return [f"| {' | '.join(row)} |" for row in (header, marks, *body)]


def speed_to_json(speed: ClusterSpeed) -> dict[str, Any]:
    """What was measured, as data."""

    def runs_to_json(runs: list[Run]) -> list[dict[str, Any]]:
        return [
            {
                "seconds": round(run.seconds, 3),
                "cpu_seconds": round(run.cpu_seconds, 3),
                "own_cpu_seconds": round(run.own_cpu_seconds, 3),
                "nodes": run.nodes,
                "chunk_seconds": [round(each, 3) for each in run.chunk_seconds],
            }
            for run in runs
        ]

    return {
        "ply": speed.ply,
        "positions": speed.by_threads[0].positions,
        "share": speed.share,
        "differences": speed.differences,
        "threads": runs_to_json(speed.by_threads),
        "workers": runs_to_json(speed.by_workers),
        "one worker": runs_to_json(speed.by_one),
    }
