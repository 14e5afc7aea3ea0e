"""Games of arenas in a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimeven.db.errors import StoreError
from claimeven.db.store import Store
from claimeven.db.tables.games import StoredGame

GAMES = [
    StoredGame(2, "perfect", "mcts:seconds=1", "7x6", "", "4444", None, "board full", {"seconds": [0.5], "work": [12]}),
    StoredGame(1, "mcts:seconds=1", "perfect", "9x9 without gravity, e5 blocked", "a1", "a1 b2", 2, "first: crash"),
]


def test_games_come_back_as_they_were_in_order(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        run, other = (store.start_run("arena", {}) for _ in range(2))
        store.write_games(run, GAMES[:1])
        store.write_games(run, GAMES[1:])
        store.write_games(other, [])
    with Store.open(path, writable=False) as store:
        assert store.read_games(run) == GAMES[::-1]
        assert store.read_games(other) == []


def test_a_number_is_used_once_and_a_run_must_exist(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store:
        run = store.start_run("arena", {})
        store.write_games(run, GAMES)
        with pytest.raises(StoreError):
            store.write_games(run, GAMES[:1])
        assert len(store.read_games(run)) == 2
