"""What a book to a ply takes on so many workers: time, money and bytes, by a formula."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from claimeven.cluster.planning.costs import POSITIONS, AskerCosts, CostModel, count_rows
from claimeven.cluster.sharing import AT_THE_END, FIRST, GROWTH, IN_FLIGHT, LARGEST, OVERHEAD_SECONDS, seconds_for


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected; seconds are of a clock, on cores of one's own as fast as the one that was measured."""

    ply: int
    workers: int
    positions: int
    cpu_seconds: float
    """Of all workers together."""
    error: float
    """The standard error of `cpu_seconds`, as a share of it."""
    chunks: int
    deciding: float
    """Seconds until the last position is decided."""
    asking: float
    """Seconds of these that the one that asked is busy."""
    alone: float
    """Seconds before and after, in which workers wait: counting, starting, carrying verdicts back."""
    stored_bytes: float
    cost: float

    @property
    def seconds(self) -> float:
        return self.deciding + self.alone

    @property
    def is_bound_by_asker(self) -> bool:
        """Whether more workers would wait for the one that asked."""
        return self.asking >= self.cpu_seconds / self.workers


def forecast(model: CostModel, asker: AskerCosts, ply: int, workers: int, price: float = 0.0) -> Forecast:
    """What a book of 7x6 to a ply takes, from an empty store; `price` is that of an hour of a core.

    Workers have a core each, and so has the one that asks; all are paid for until the end.
    """
    alone = asker.start + count_rows(ply) * asker.counting + count_rows(ply - 1) * asker.parent
    found = forecast_positions(model, asker, ply, POSITIONS[ply], workers)
    seconds = alone + found.deciding
    return Forecast(
        ply=ply,
        workers=workers,
        positions=found.positions,
        cpu_seconds=found.cpu_seconds,
        error=found.error,
        chunks=found.chunks,
        deciding=found.deciding,
        asking=found.asking,
        alone=alone,
        stored_bytes=count_rows(ply) * asker.row_bytes,
        cost=(workers + 1) * seconds / 3600 * price,
    )


def forecast_positions(model: CostModel, asker: AskerCosts, ply: int, positions: int, workers: int) -> Forecast:
    """What it takes workers that are ready to decide so many positions of a ply, and nothing else."""
    mean = model.mean(ply)
    shortest = max(workers * OVERHEAD_SECONDS / mean, 1.0)
    size = min(seconds_for(workers) / mean, LARGEST, max(positions / (AT_THE_END * workers), shortest))
    chunks, begun = _count_first_chunks(positions, workers, size)
    left = positions - begun
    # Nobody knows yet how long a position takes: parts are small, and workers wait for the one that asked.
    first = max(begun * mean / workers, begun * asker.position + chunks * asker.chunk)
    others = left / max(size, 1.0) + (AT_THE_END * workers * log(max(size / shortest, 1.0)) if left else 0.0)
    # At the end parts become short, and the last worker is at one of the dearest positions that so many have.
    last = max(workers * OVERHEAD_SECONDS, float(np.quantile(model.costs(ply), 1 - 1 / (AT_THE_END * workers))))
    last *= 1 - 1 / workers
    rest = max(left * mean / workers + last, left * asker.position + others * asker.chunk)
    asking = positions * asker.position + (chunks + others) * asker.chunk
    return Forecast(
        ply=ply,
        workers=workers,
        positions=positions,
        cpu_seconds=positions * mean,
        error=model.error(ply),
        chunks=round(chunks + others),
        deciding=first + rest + asker.chunk,
        asking=asking,
        alone=0.0,
        stored_bytes=positions * asker.row_bytes,
        cost=0.0,
    )


def _count_first_chunks(positions: int, workers: int, size: float) -> tuple[float, float]:
    """The chunks with which parts grow to their size, and the positions in them."""
    chunks = begun = 0.0
    part = float(FIRST)
    while part < size and begun < positions:
        number = min(IN_FLIGHT * workers, (positions - begun) / part)
        chunks, begun = chunks + number, begun + number * part
        part *= GROWTH
    return chunks, begun
