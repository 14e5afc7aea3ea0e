"""What positions of each ply cost to decide, from samples of some plies, and what they cost the one that asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.positions import Keys

POSITIONS = (
    *(1, 4, 25, 121, 568, 2_144, 8_231, 27_109, 91_295, 269_531),
    *(809_464, 2_148_087, 5_832_236, 14_105_207, 35_045_629),
)
"""The unfinished positions of 7x6 by ply, one of each mirror pair, as `enumerate_plies` counts them."""

SAMPLED_PLIES = (8, 10, 12)
STRETCH = 4
"""Neighbours that are sampled together: they find some of their work in the table, and are hard or easy together."""


@dataclass(frozen=True, slots=True, eq=False)
class PlySample:
    """CPU seconds of sampled positions of a ply, a row a stretch of neighbours."""

    ply: int
    seconds: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return float(self.seconds.mean())

    @property
    def spread(self) -> float:
        """The standard deviation of a position."""
        return float(self.seconds.std())

    @property
    def worst(self) -> float:
        return float(self.seconds.max())

    @property
    def error(self) -> float:
        """The standard error of the mean, as a share of it; neighbours are not independent, stretches are."""
        means = self.seconds.mean(axis=1)
        if len(means) < 2 or not self.mean:
            return float("inf")
        return float(means.std(ddof=1)) / sqrt(len(means)) / self.mean


@dataclass(frozen=True, slots=True)
class AskerCosts:
    """What the process that asked spends, in seconds, and what it stores.

    A chunk costs the same whatever its size, and a position what looking it up, sending, checking and writing it costs;
    a `parent` is a position of an earlier ply, which follows from others.
    """

    counting: float
    """Of each position of the ply and of those before it."""
    chunk: float
    position: float
    parent: float
    row_bytes: float
    start: float = 10.0
    """Until the workers are ready, with kernels that were compiled before."""


@dataclass(frozen=True, slots=True)
class CostModel:
    """What a position of any ply costs: the logarithm of the mean goes in straight lines through those of the samples.

    >>> samples = [PlySample(ply, np.full((4, STRETCH), cost)) for ply, cost in ((8, 0.04), (10, 0.01))]
    >>> model = CostModel(tuple(samples))
    >>> [round(model.mean(ply), 5) for ply in (8, 9, 10, 12)]
    [0.04, 0.02, 0.01, 0.0025]
    """

    samples: tuple[PlySample, ...]

    def mean(self, ply: int) -> float:
        """CPU seconds of a position, beyond the sampled plies by going on as they do."""
        return exp(sum(weight * log(sample.mean) for sample, weight in self._weights(ply)))

    def error(self, ply: int) -> float:
        """The standard error of that as a share of it, from the samples alone; extrapolation makes it larger."""
        return sqrt(sum((weight * sample.error) ** 2 for sample, weight in self._weights(ply)))

    def costs(self, ply: int) -> NDArray[np.float64]:
        """CPU seconds of positions of the nearest sample, as if they were of this ply; a row a stretch."""
        nearest = min(self.samples, key=lambda sample: abs(sample.ply - ply))
        return nearest.seconds * (self.mean(ply) / nearest.mean)

    def _weights(self, ply: int) -> list[tuple[PlySample, float]]:
        samples = sorted(self.samples, key=lambda sample: sample.ply)
        if len(samples) == 1:
            return [(samples[0], 1.0)]
        after = next((place for place, sample in enumerate(samples) if sample.ply >= ply), len(samples) - 1)
        one, other = samples[max(after, 1) - 1], samples[max(after, 1)]
        share = (ply - one.ply) / (other.ply - one.ply)
        return [(one, 1 - share), (other, share)]


def draw_stretches(keys: Keys, number: int, seed: int) -> Keys:
    """About so many positions of a ply, at least one stretch of neighbours, from everywhere in it.

    The keys are in ascending order, and so is what is drawn.
    """
    whole = len(keys) // STRETCH
    if not whole:
        raise ValueError(f"a sample needs {STRETCH} positions, and there are {len(keys)}")
    wanted = min(max(number // STRETCH, 1), whole)
    # One out of each of as many parts: what is hard lies together, and none of it should be left out.
    borders = np.linspace(0, whole, wanted + 1).astype(np.int64)
    drawn = np.random.default_rng(seed).integers(borders[:-1], borders[1:])
    places = drawn[:, None] * STRETCH + np.arange(STRETCH)
    drawn_keys: Keys = keys[places.ravel()]
    return drawn_keys


def count_rows(ply: int) -> int:
    """How many positions a book to a ply has."""
    return sum(POSITIONS[: ply + 1])


def spread_cost(nodes: Sequence[float] | NDArray[np.int64], seconds: float) -> NDArray[np.float64]:
    """The seconds of a sample shared out by nodes, a row a stretch: a position without any cost next to nothing."""
    counted = np.asarray(nodes, np.float64).reshape(-1, STRETCH)
    return np.multiply(counted, seconds / max(float(counted.sum()), 1.0), dtype=np.float64)
