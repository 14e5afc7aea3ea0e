"""Costs of plies from samples: what is drawn, what lies between and beyond, and how sure that is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.cluster.planning.costs import (
    POSITIONS,
    STRETCH,
    CostModel,
    PlySample,
    count_rows,
    draw_stretches,
    spread_cost,
)
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies


def sample(ply: int, *means: float) -> PlySample:
    """Stretches whose positions cost so much each."""
    return PlySample(ply, np.repeat(np.array(means)[:, None], STRETCH, axis=1))


def test_the_numbers_of_positions_are_those_that_are_counted() -> None:
    assert [len(keys) for _, keys in enumerate_plies(Board(), 9)] == list(POSITIONS[:10])
    assert count_rows(2) == 1 + 4 + 25


@pytest.mark.slow
def test_the_numbers_of_later_positions_are_those_that_are_counted() -> None:
    assert [len(keys) for _, keys in enumerate_plies(Board(), 14)] == list(POSITIONS)


def test_a_sampled_ply_costs_what_was_measured_and_others_go_on_in_proportion() -> None:
    model = CostModel((sample(8, 0.03, 0.05), sample(10, 0.01), sample(12, 0.005)))
    assert [model.mean(ply) for ply in (8, 10, 12)] == pytest.approx([0.04, 0.01, 0.005])
    assert model.mean(9) == pytest.approx(0.02)
    assert model.mean(14) == pytest.approx(0.0025)
    assert model.mean(6) == pytest.approx(0.16)
    assert model.costs(13).mean() == pytest.approx(model.mean(13))


def test_what_lies_beyond_the_samples_is_less_sure() -> None:
    model = CostModel((sample(8, 3, 5, 4, 4), sample(10, 1, 2, 2, 1), sample(12, 1, 1, 2, 1)))
    errors = {ply: model.error(ply) for ply in range(8, 15)}
    assert errors[12] == pytest.approx(model.samples[2].error)
    assert errors[11] < max(errors[10], errors[12])
    assert errors[12] < errors[13] < errors[14]


def test_one_stretch_says_nothing_about_its_error() -> None:
    assert sample(8, 1.0).error == float("inf")


@given(st.integers(STRETCH, 5000), st.integers(1, 2000), st.integers(0, 9))
def test_stretches_are_neighbours_from_everywhere_and_no_position_comes_twice(
    count: int, number: int, seed: int
) -> None:
    keys = np.arange(count, dtype=np.uint64) * np.uint64(3)
    drawn = draw_stretches(keys, number, seed)
    assert len(drawn) == STRETCH * min(max(number // STRETCH, 1), count // STRETCH)
    assert (np.diff(drawn.astype(np.int64)) > 0).all()
    assert (np.diff(drawn.reshape(-1, STRETCH).astype(np.int64), axis=1) == 3).all()
    assert np.array_equal(drawn, draw_stretches(keys, number, seed))


def test_costs_are_shared_out_by_nodes() -> None:
    costs = spread_cost([0, 1, 2, 1, 4, 0, 0, 0], 2.0)
    assert costs.tolist() == [[0, 0.25, 0.5, 0.25], [1, 0, 0, 0]]
    assert spread_cost([0] * STRETCH, 2.0).sum() == 0
