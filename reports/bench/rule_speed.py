"""How fast the rules are: evaluations a second, where the time goes, and the slowest position."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from claimeven.reports.bench.suites import SuitePosition
from claimeven.solver.position import Position
from claimeven.solver.proof.batch_evaluation import evaluate_all
from claimeven.solver.proof.chosen_set import CONFLICT_ROUNDS
from claimeven.solver.proof.evaluation import GENERATION_ROUNDS, Scratch, make_scratch
from claimeven.solver.proof.graph import prove_on_graph
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.proof.prover import BOUNDS, DEFAULT_BUDGET
from claimeven.solver.verdict import Value

REPETITIONS = 5
EXTRA_ROUNDS = 4
YARDSTICK_POSITIONS = 25


@dataclass(frozen=True, slots=True)
class RuleSpeed:
    """What was measured on one set of positions, on one core and after warm-up; times are in seconds."""

    name: str
    positions: int
    per_second: float
    yardstick_per_second: float
    generation_share: float
    conflicts_share: float
    search_share: float
    slowest: float
    mean_nodes: float
    most_nodes: int
    out_of_budget: int
    contradictions: int
    values: dict[str, int]

    @property
    def proofs(self) -> int:
        return self.positions - self.values.get("unknown", 0)


def measure_rules(name: str, suite: Sequence[SuitePosition], budget: int = DEFAULT_BUDGET) -> RuleSpeed:
    """Measure the nine-rule evaluation on a suite, and compare what it proves with the scores.

    The share of a part is measured by doing it several times over: what each extra round adds is what one round costs.
    The yardstick is the readable search on the networkx graph, on some of the positions.
    """
    positions = [entry.position for entry in suite]
    geometry = board_geometry(positions[0].board)
    work = make_scratch(geometry, 8192)
    whites = np.array([position.white for position in positions], np.uint64)
    blacks = np.array([position.black for position in positions], np.uint64)
    results = np.zeros(len(positions), np.int8)
    nodes = np.zeros(len(positions), np.int64)

    def seconds(counter: int | None = None) -> float:
        """The best of several runs over all positions, with extra rounds of one part."""
        if counter is not None:
            work.counters[counter] = 1 + EXTRA_ROUNDS
        best = min(
            _timed(lambda: evaluate_all(geometry, work, whites, blacks, budget, results, nodes))
            for _ in range(REPETITIONS)
        )
        work.counters[[CONFLICT_ROUNDS, GENERATION_ROUNDS]] = 1
        return best

    whole = seconds()
    verdicts = [BOUNDS[int(result)] for result in results]
    contradictions = sum(
        not verdict.contains(Value.of_score(entry.score, entry.position.to_move))
        for verdict, entry in zip(verdicts, suite, strict=True)
    )
    generation = (seconds(GENERATION_ROUNDS) - whole) / EXTRA_ROUNDS
    conflicts = (seconds(CONFLICT_ROUNDS) - whole) / EXTRA_ROUNDS
    sample = positions[:: max(1, len(positions) // YARDSTICK_POSITIONS)][:YARDSTICK_POSITIONS]
    return RuleSpeed(
        name=name,
        positions=len(positions),
        per_second=len(positions) / whole,
        yardstick_per_second=len(sample) / _timed(lambda: [prove_on_graph(position) for position in sample]),
        generation_share=generation / whole,
        conflicts_share=conflicts / whole,
        search_share=1 - (generation + conflicts) / whole,
        slowest=_slowest(work, positions, budget),
        mean_nodes=float(nodes.mean()),
        most_nodes=int(nodes.max()),
        out_of_budget=int((nodes >= budget).sum()),
        contradictions=contradictions,
        values=dict(sorted(Counter(map(str, verdicts)).items())),
    )


def format_rule_speeds(speeds: Sequence[RuleSpeed], run: Mapping[str, str]) -> str:
    """A page with one row a suite, and where it was measured."""
    rows = [
        "# Speed of the nine rules",
        "",
        "One core, after warm-up, best of five runs. Yardstick: the readable search on the networkx graph, same run.",
        "",
        "| suite | positions | proofs | false | evaluations/s | yardstick/s | solutions | conflicts | search | slowest "
        "| nodes, mean | nodes, most | out of budget |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {speed.name} | {speed.positions:,} | {speed.proofs:,} | {speed.contradictions} | {speed.per_second:,.0f} "
        f"| {speed.yardstick_per_second:,.0f} | {speed.generation_share:.0%} | {speed.conflicts_share:.0%} "
        f"| {speed.search_share:.0%} | {1000 * speed.slowest:.2f} ms | {speed.mean_nodes:.1f} | {speed.most_nodes:,} "
        f"| {speed.out_of_budget:,} |"
        for speed in speeds
    ]
    rows += ["", "What was proved: " + "; ".join(f"{speed.name} {_values(speed)}" for speed in speeds) + "."]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _slowest(work: Scratch, positions: Sequence[Position], budget: int) -> float:
    """The time of the slowest position, each at the better of two runs: a pause of the machine is not its own."""
    geometry = board_geometry(positions[0].board)
    result, nodes = np.zeros(1, np.int8), np.zeros(1, np.int64)
    slowest = 0.0
    for position in positions:
        white, black = np.array([position.white], np.uint64), np.array([position.black], np.uint64)
        run: Callable[[], object] = lambda: evaluate_all(geometry, work, white, black, budget, result, nodes)  # noqa: B023, E731
        slowest = max(slowest, min(_timed(run), _timed(run)))
    return slowest


def _timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _values(speed: RuleSpeed) -> str:
    return ", ".join(f"{count} {value}" for value, count in speed.values.items())
