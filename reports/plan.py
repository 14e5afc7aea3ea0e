"""What a book would cost, as a table to read and as data: samples, forecasts, and the simulation beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from claimeven.cluster.planning.costs import POSITIONS, AskerCosts, CostModel
from claimeven.cluster.planning.forecast import Forecast, forecast
from claimeven.cluster.planning.simulation import USUAL, Simulated, simulate

PLIES = range(8, 15)
WORKERS = (1, 10, 100, 1000)


@dataclass(frozen=True, slots=True)
class Plan:
    """A forecast with the same by simulation: seconds until the last position is decided, without and with troubles."""

    forecast: Forecast
    simulated: Simulated
    troubled: Simulated

    @property
    def simulated_seconds(self) -> float:
        return self.forecast.alone + self.simulated.seconds

    @property
    def troubled_seconds(self) -> float:
        return self.forecast.alone + self.troubled.seconds


def make_plan(model: CostModel, asker: AskerCosts, ply: int, workers: int, price: float, seed: int) -> Plan:
    """The forecast of a book on so many workers, and the simulation of it."""
    costs, number = model.costs(ply), POSITIONS[ply]
    return Plan(
        forecast(model, asker, ply, workers, price),
        simulate(costs, number, workers, asker, seed=seed),
        simulate(costs, number, workers, asker, USUAL, seed=seed),
    )


def describe_seconds(seconds: float) -> str:
    """A duration to read.

    >>> [describe_seconds(each) for each in (7.2, 150, 5400, 200_000)]
    ['7 s', '2.5 min', '1.5 h', '2.3 days']
    """
    for unit, length in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


def describe_bytes(number: float) -> str:
    """A size to read.

    >>> describe_bytes(2_100_000), describe_bytes(3.4e9)
    ('2 MB', '3.4 GB')
    """
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


def sample_table(model: CostModel) -> list[list[str]]:
    """What was measured of each ply: a header, then a row a sample."""
    rows = [["ply", "positions", "CPU ms a position", "spread", "worst", "error of the mean"]]
    for sample in model.samples:
        times = [f"{1000 * each:.1f}" for each in (sample.mean, sample.spread, sample.worst)]
        rows.append([str(sample.ply), f"{sample.seconds.size:,}", *times, f"{sample.error:.0%}"])
    return rows


def forecast_table(
    model: CostModel, asker: AskerCosts, price: float, workers: Sequence[int] = WORKERS
) -> list[list[str]]:
    """Time and cost of every ply on several numbers of workers: a header, then a row a ply."""
    rows = [["ply", "positions", "CPU", "error", "stored", *(f"{number:,}" for number in workers)]]
    for ply in PLIES:
        found = [forecast(model, asker, ply, number, price) for number in workers]
        one = found[0]
        cells = [f"{describe_seconds(each.seconds)}, {each.cost:.2f}" for each in found]
        known = [f"{one.positions:,}", describe_seconds(one.cpu_seconds), f"{one.error:.0%}"]
        rows.append([str(ply), *known, describe_bytes(one.stored_bytes), *cells])
    return rows


def describe_asker(asker: AskerCosts) -> str:
    """What the process that asks spends, in a sentence."""
    return (
        f"The process that asks spends {1000 * asker.chunk:.1f} ms on a chunk, {1e6 * asker.position:.1f} microseconds "
        f"on a position, {1e6 * asker.parent:.1f} on one that follows from others and {1e6 * asker.counting:.2f} on "
        f"counting each; a position takes {asker.row_bytes:.0f} bytes in the store, its proof included."
    )


def describe_plan(plan: Plan) -> list[str]:
    """What was asked for, in sentences."""
    found = plan.forecast
    lines = [
        f"A book to ply {found.ply} on {found.workers:,} workers with a core each: {found.positions:,} positions to "
        f"decide, {describe_seconds(found.cpu_seconds)} of CPU (give or take {found.error:.0%}), "
        f"{describe_bytes(found.stored_bytes)} stored.",
        f"  by the model             {describe_seconds(found.seconds)}, cost {found.cost:.2f}, {found.chunks:,} chunks",
        f"  by simulation            {describe_seconds(plan.simulated_seconds)}, {plan.simulated.chunks:,} chunks, "
        f"workers idle {plan.simulated.idle:.0%} of the time",
        f"  with slow and failing    {describe_seconds(plan.troubled_seconds)}, {plan.troubled.lost:,} chunks lost "
        f"({USUAL.slow:.0%} of them {USUAL.slowness:g} times as slow, each fails {USUAL.failures:g} times an hour)",
    ]
    if found.is_bound_by_asker:
        lines.append("  More workers would not help: they wait for the process that asks.")
    return lines


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their columns under each other."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def plans_to_json(model: CostModel, asker: AskerCosts, plans: Sequence[Plan], price: float) -> dict[str, Any]:
    """All of it as a JSON object; times are in seconds."""
    samples = [
        {
            "ply": each.ply,
            "positions": each.seconds.size,
            "seconds": each.mean,
            "spread": each.spread,
            "worst": each.worst,
            "error": each.error,
        }
        for each in model.samples
    ]
    forecasts = [_forecast_to_json(forecast(model, asker, ply, number, price)) for ply in PLIES for number in WORKERS]
    return {
        "samples": samples,
        "asker": asdict(asker),
        "price": price,
        "plans": [
            _forecast_to_json(plan.forecast)
            | {
                "simulated": asdict(plan.simulated) | {"total": plan.simulated_seconds},
                "troubled": asdict(plan.troubled) | {"total": plan.troubled_seconds},
            }
            for plan in plans
        ],
        "forecasts": forecasts,
    }


def _forecast_to_json(found: Forecast) -> dict[str, Any]:
    return asdict(found) | {"seconds": found.seconds, "bound_by_asker": found.is_bound_by_asker}
