"""Runs in a store: what others go by must be what it can be."""

from __future__ import annotations

from typing import Any

import pytest

from claimeven.db.errors import RowError
from claimeven.db.store import Store

BUILD = {"board": "7x6", "ply": 4}
ARENA = {"players": ["random", "perfect"], "game": "7x6", "seed": 1, "seconds": 0.5}


@pytest.mark.parametrize(
    ("command", "sound", "name", "value"),
    [
        ("book build", BUILD, "board", None),
        ("book build", BUILD, "board", "7x6; rm -r /"),
        ("book build", BUILD, "ply", "2; rm -r /"),
        ("book build", BUILD, "ply", -1),
        ("arena", ARENA, "players", "random"),
        ("arena", ARENA, "players", [1]),
        ("arena", ARENA, "game", None),
        ("arena", ARENA, "seed", "x"),
        ("arena", ARENA, "seconds", "x"),
    ],
)
def test_arguments_that_cannot_be(command: str, sound: dict[str, Any], name: str, value: object) -> None:
    with Store.open("sqlite://") as store:
        store.start_run(command, sound)
        assert store.runs()[0].arguments == sound
        store.start_run(command, sound | {name: value})
        with pytest.raises(RowError, match=f"number 2 of the table runs is damaged: its {name} is none"):
            store.runs()


def test_arguments_that_are_missing() -> None:
    with Store.open("sqlite://") as store:
        store.start_run("book build", {"board": "7x6"})
        with pytest.raises(RowError, match="its ply is none"):
            store.runs()
