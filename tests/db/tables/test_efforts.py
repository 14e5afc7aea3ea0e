"""Efforts: the dearest positions of a board and no others, whatever order they come in."""

from __future__ import annotations

import random
from pathlib import Path

from claimeven.db.store import Store
from claimeven.db.tables.efforts import KEPT, Effort
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from tests.positions import at, random_positions


def test_only_the_dearest_are_kept_in_whatever_batches_they_come(tmp_path: Path) -> None:
    dearest: dict[int, Position] = {}
    for position in random_positions("7x6", 400, seed=3):
        dearest.setdefault(position.canonical_key, position)
    efforts = [Effort(position, 1000 + 7 * number, number / 8) for number, position in enumerate(dearest.values())]
    expected = efforts[: -KEPT - 1 : -1]
    random.Random(5).shuffle(efforts)
    with Store.open(tmp_path / "store.db") as store:
        for start in range(0, len(efforts), 60):
            store.write_efforts(Board(), efforts[start : start + 60])
        kept = store.read_efforts(Board())
    assert [(each.position.canonical_key, each.nodes, each.seconds) for each in kept] == [
        (each.position.canonical_key, each.nodes, each.seconds) for each in expected
    ]


def test_a_position_and_its_mirror_image_are_one_and_the_dearer_effort_counts() -> None:
    with Store.open("sqlite://") as store:
        store.write_efforts(Board(), [Effort(at("12"), 5, 0.5), Effort(at("76"), 9, 0.9)])
        store.write_efforts(Board(), [Effort(at("12"), 7, 0.7)])
        (effort,) = store.read_efforts(Board())
    assert (effort.position.canonical_key, effort.nodes, effort.seconds) == (at("12").canonical_key, 9, 0.9)


def test_boards_have_efforts_of_their_own() -> None:
    with Store.open("sqlite://") as store:
        assert store.read_efforts(Board()) == []
        store.write_efforts(Board(), [Effort(at("1"), 5, 0.5)])
        store.write_efforts(Board(5, 4), [Effort(at("1", "5x4"), 4, 0.4)])
        assert [effort.nodes for effort in store.read_efforts(Board())] == [5]
        assert [effort.nodes for effort in store.read_efforts(Board(5, 4))] == [4]
