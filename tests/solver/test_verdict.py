"""The algebra of verdicts, against all values a position might have."""

from __future__ import annotations

from itertools import product

import pytest

from claimeven.solver.position import Side
from claimeven.solver.verdict import Bounds, ContradictionError, Source, Value, Verdict, bounds_from_children

NAMES = ["white", "draw", "black", "not-white", "not-black", "unknown"]
ALL = [Bounds.parse(name) for name in NAMES]


def values_in(bounds: Bounds) -> set[Value]:
    return {value for value in Value if bounds.contains(value)}


def test_names_round_trip() -> None:
    assert [str(bounds) for bounds in ALL] == NAMES
    with pytest.raises(ValueError, match="'maybe' is not a verdict"):
        Bounds.parse("maybe")


@pytest.mark.parametrize(("one", "other"), list(product(ALL, ALL)))
def test_tightening_keeps_exactly_the_values_that_both_allow(one: Bounds, other: Bounds) -> None:
    both = values_in(one) & values_in(other)
    if both:
        assert values_in(one.tighten(other)) == both
    else:
        with pytest.raises(ContradictionError, match="exclude each other"):
            one.tighten(other)


@pytest.mark.parametrize("side", Side)
def test_a_position_has_the_best_value_that_its_children_allow(side: Side) -> None:
    best = max if side is Side.WHITE else min
    for children in product(ALL, repeat=2):
        possible = {
            best(values, key=lambda value: value.rank) for values in product(*(values_in(child) for child in children))
        }
        assert values_in(bounds_from_children(side, list(children))) == possible


def test_a_score_says_who_wins() -> None:
    assert Value.of_score(4, Side.WHITE) is Value.WHITE
    assert Value.of_score(4, Side.BLACK) is Value.BLACK
    assert Value.of_score(-4, Side.BLACK) is Value.WHITE
    assert Value.of_score(0, Side.BLACK) is Value.DRAW


def test_a_score_needs_an_exact_value() -> None:
    with pytest.raises(ContradictionError, match="does not go with not-white"):
        Verdict(Bounds.parse("not-white"), Source.SEARCH, score=1)
