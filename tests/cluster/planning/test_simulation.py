"""Workers that do not exist do all of the work, share it well, and lose what fails."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.cluster.planning.costs import POSITIONS, STRETCH, AskerCosts, CostModel, PlySample
from claimeven.cluster.planning.forecast import forecast, forecast_positions
from claimeven.cluster.planning.simulation import ReplayedCosts, Troubles, simulate

FREE = AskerCosts(0, 0, 0, 0, 0, start=0)
ASKER = AskerCosts(counting=2e-7, chunk=0.015, position=5e-6, parent=7e-6, row_bytes=35)


def uneven(mean: float, seed: int = 1) -> np.ndarray:
    """Stretches as they are: most are easy, few are very hard."""
    costs = np.random.default_rng(seed).lognormal(0, 1.5, (200, STRETCH))
    scaled: np.ndarray = costs * (mean / costs.mean())
    return scaled


MODEL = CostModel((PlySample(8, uneven(0.04)), PlySample(10, uneven(0.011, 2)), PlySample(12, uneven(0.003, 3))))


def test_one_worker_takes_as_long_as_all_positions_together() -> None:
    found = simulate(np.full((3, STRETCH), 0.5), 1000, 1, FREE)
    assert found.seconds == pytest.approx(500)
    assert found.idle == pytest.approx(0)
    assert found.lost == 0


def test_costs_between_two_places_are_those_of_the_positions_there() -> None:
    costs = ReplayedCosts(uneven(1.0), 1001, np.random.default_rng(1))
    single = [costs.between(place, place + 1) for place in range(1001)]
    assert costs.between(3, 998) == pytest.approx(sum(single[3:998]))
    assert set(np.round(single, 9)) <= set(np.round(uneven(1.0).ravel(), 9))


@pytest.mark.parametrize("workers", [2, 10, 50])
def test_uneven_work_is_shared_well(workers: int) -> None:
    found = simulate(uneven(0.04), 91_295, workers, ASKER)
    assert found.seconds * workers < 1.1 * 91_295 * 0.042
    assert found.idle < 0.1


def test_failures_cost_chunks_and_no_positions() -> None:
    calm = simulate(uneven(0.04), 20_000, 20, ASKER)
    found = simulate(uneven(0.04), 20_000, 20, ASKER, Troubles(failures=60))
    assert found.lost > 5
    assert found.seconds > calm.seconds


def test_slow_workers_are_given_less_to_do() -> None:
    calm = simulate(uneven(0.04), 91_295, 20, ASKER)
    found = simulate(uneven(0.04), 91_295, 20, ASKER, Troubles(slow=0.5, slowness=3.0), seed=2)
    assert 1.2 * calm.seconds < found.seconds < 2.2 * calm.seconds  # all of them would take three times as long


def test_more_workers_than_the_asker_can_serve_wait_for_it() -> None:
    found = simulate(uneven(0.04), 91_295, 1000, ASKER)
    assert found.asking == pytest.approx(found.seconds, rel=0.1)
    assert found.idle > 0.5
    assert forecast(MODEL, ASKER, 8, 1000).is_bound_by_asker


@pytest.mark.parametrize("ply", [8, 12])
@pytest.mark.parametrize("workers", [1, 2, 10, 100, 1000])
def test_the_formula_says_what_the_simulation_does(ply: int, workers: int) -> None:
    found = simulate(MODEL.costs(ply), POSITIONS[ply], workers, ASKER)
    said = forecast_positions(MODEL, ASKER, ply, POSITIONS[ply], workers)
    assert said.deciding == pytest.approx(found.seconds, rel=0.25 if workers == 1000 else 0.1)
    assert said.asking == pytest.approx(found.asking, rel=0.35)


def test_everybody_is_paid_until_the_end() -> None:
    found = forecast(MODEL, ASKER, 10, 9, price=2.0)
    assert found.cost == pytest.approx(10 * 2.0 * found.seconds / 3600)
    assert found.alone > ASKER.start
    assert found.stored_bytes == pytest.approx(35 * sum(POSITIONS[:11]))
