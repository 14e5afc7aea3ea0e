"""What `book plan` prints: what was asked for, all plies, and the same as JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from claimeven.cluster.planning.costs import STRETCH, AskerCosts, CostModel, PlySample
from claimeven.db.books import measurement
from tests.scripts.stores import run

MODEL = CostModel(
    tuple(
        PlySample(ply, np.random.default_rng(ply).exponential(mean, (50, STRETCH)))
        for ply, mean in ((8, 0.04), (10, 0.011), (12, 0.003))
    )
)
ASKER = AskerCosts(counting=2e-7, chunk=0.015, position=5e-6, parent=7e-6, row_bytes=35)


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """What is measured takes half a minute; here it is what it always is."""
    asked: list[tuple[int, int, int]] = []

    def measure(number: int, seed: int, memory: int, tell: object) -> tuple[CostModel, AskerCosts]:
        asked.append((number, seed, memory))
        return MODEL, ASKER

    monkeypatch.setattr(measurement, "measure_costs", measure)
    return asked


def test_a_plan_names_time_money_and_bytes_of_every_ply(measured: list[tuple[int, int, int]]) -> None:
    result = run("book", "plan", "--ply", "12", "--workers", "100", "--sample", "64", "--seed", "5", "--memory", "1M")
    assert result.exit_code == 0, result.output
    assert measured == [(64, 5, 1 << 20)]
    assert "A book to ply 12 on 100 workers with a core each: 5,832,236 positions to decide" in result.stdout
    assert "by simulation" in result.stdout
    plies = [line.split()[0] for line in result.stdout.splitlines() if line.strip()[:2].strip().isdigit()]
    assert plies == [*(str(ply) for ply in range(8, 15)), "8", "10", "12"]


def test_a_plan_as_json_says_the_same_and_costs_what_the_price_says() -> None:
    cheap, dear = (
        json.loads(run("book", "plan", "--ply", "9", "--workers", "60", "--price", price, "--json").stdout)
        for price in ("1", "2")
    )
    assert cheap["plans"][0]["ply"] == 9
    assert cheap["plans"][0]["cost"] == pytest.approx(61 * cheap["plans"][0]["seconds"] / 3600)
    assert dear["plans"][0]["cost"] == pytest.approx(2 * cheap["plans"][0]["cost"])
    assert cheap["plans"][0]["simulated"]["total"] == pytest.approx(cheap["plans"][0]["seconds"], rel=0.2)
    assert cheap["plans"][0]["troubled"]["total"] > cheap["plans"][0]["simulated"]["total"]
    assert {(each["ply"], each["workers"]) for each in cheap["forecasts"]} == {
        (ply, workers) for ply in range(8, 15) for workers in (1, 10, 100, 1000)
    }


def test_only_plies_that_can_be_planned_are() -> None:
    assert run("book", "plan", "--ply", "15").exit_code == 2
    assert run("book", "plan", "--ply", "8", "--workers", "0").exit_code == 2
