"""Arenas come back from a store as they were played."""

from __future__ import annotations

import pytest

from claimeven.db.errors import RowError
from claimeven.db.store import Store
from claimeven.db.tables.games import StoredGame
from claimeven.reports.arena.record import read_arenas
from claimeven.reports.arena.standings import make_standings
from tests.reports.arena.arenas import NAMES, QUALITY, store_arena


def test_an_arena_reads_back() -> None:
    with Store.open("sqlite://") as store:
        store.start_run("book build", {"board": "7x6", "ply": 2})
        games = store_arena(store, QUALITY)
        (record,) = read_arenas(store)
    assert (record.run, record.game, record.players) == (2, "5x4", NAMES)
    assert (record.seed, record.seconds) == (7, 2.5)
    assert record.quality == dict(enumerate(QUALITY))
    results = [(game.fixture.first, game.fixture.second, game.winner) for game in games]
    assert record.standings == make_standings(NAMES, results)
    assert [game.is_forfeit for game in record.games] == [False, False, True, True, True, True]
    assert record.games[2].ending == "second: RuntimeError: lost its mind"
    first = record.games[0]
    assert first.opening == "3"
    assert first.moves == "".join(str(move + 1) for move in games[0].played.moves)
    assert len(first.details["seconds"]) == len(first.details["work"]) == len(first.moves) - 1


def test_the_latest_comes_first_and_one_that_was_stopped_is_there() -> None:
    with Store.open("sqlite://") as store:
        store_arena(store, None)
        store_arena(store, QUALITY)
        store.start_run("arena", {"players": [], "game": "7x6", "seed": 1, "seconds": None})
        records = read_arenas(store)
    assert [record.run for record in records] == [2, 1]
    assert records[1].quality is None


def test_a_game_of_somebody_else_is_refused() -> None:
    with Store.open("sqlite://") as store:
        store_arena(store, QUALITY)
        run = store.runs()[0].number
        store.write_games(run, [StoredGame(99, "nobody", NAMES[0], "5x4", "", "1", None, "board full")])
        with pytest.raises(RowError, match="number 99 of the table games is damaged: nobody of that name took part"):
            read_arenas(store)


@pytest.mark.parametrize("quality", [7, [{}], [{"moves": "x"}] * 3, [{"best": 1}] * 3])
def test_qualities_that_cannot_be_are_refused(quality: object) -> None:
    with Store.open("sqlite://") as store:
        store_arena(store, QUALITY)
        store.finish_run(store.runs()[0].number, {"games": 6, "quality": quality})
        with pytest.raises(RowError, match="what it says of the moves cannot be"):
            read_arenas(store)
