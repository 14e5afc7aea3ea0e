"""The fewest diagrams for all leaves, beside all choices there are."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.solution.building import cover
from claimeven.solver.solution.building.cover import cover_leaves

VALID = st.lists(st.sets(st.integers(0, 7), min_size=1).map(sorted), max_size=12)


def least_by_trying(valid: list[list[int]]) -> int:
    """How many diagrams are needed, by all choices there are."""
    numbers = sorted({number for each in valid for number in each})
    for size in range(len(numbers) + 1):
        for choice in combinations(numbers, size):
            if all(not set(choice).isdisjoint(each) for each in valid):
                return size
    raise AssertionError("all of them are not enough")


@given(VALID)
def test_none_fewer_will_do(valid: list[list[int]]) -> None:
    parts = cover_leaves(valid)
    assert len(parts) == least_by_trying(valid)
    assert sorted(place for part in parts.values() for place in part) == list(range(len(valid)))
    assert all(number in valid[place] for number, part in parts.items() for place in part)
    assert [len(part) for part in parts.values()] == sorted((len(part) for part in parts.values()), reverse=True)


def test_the_largest_first_is_not_the_fewest() -> None:
    """Diagram 2 is valid for four of six leaves, and not needed."""
    valid = [[0], [0, 2], [0, 2], [1, 2], [1, 2], [1]]
    assert cover_leaves(valid) == {0: [0, 1, 2], 1: [3, 4, 5]}


def test_what_the_program_gives_up_is_covered_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "_least", lambda count, places: list(places))
    assert cover_leaves([[0], [2, 0], [2, 0], [2, 1], [2, 1], [1]]).keys() == {0, 1, 2}


def test_never_more_than_the_first_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "_least", lambda count, places: list(places))
    assert cover_leaves([[0], [0, 2], [0, 2], [1, 2], [1, 2], [1]]).keys() == {0, 1}
