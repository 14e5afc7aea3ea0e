"""Which games an arena plays, that a seed gives the same games again, and that nothing stops it."""

from __future__ import annotations

from collections import Counter

import pytest

from claimeven.reports.arena.tournament import Conditions, plan, play_all, play_fixture
from claimeven.solver.players import registry
from claimeven.solver.players.game import Game
from claimeven.solver.players.player import PlayerError
from tests.solver.players.scripted import REGISTRY


@pytest.fixture(autouse=True)
def _scripted_players(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, place in REGISTRY.items():
        monkeypatch.setitem(registry.PLAYERS, name, place)


def test_every_pairing_has_its_games_with_both_sides_and_all_openings() -> None:
    fixtures = plan(3, 4, [(0,), (1,)])
    assert [fixture.number for fixture in fixtures] == list(range(1, 13))
    counted = Counter((fixture.first, fixture.second, fixture.opening) for fixture in fixtures)
    assert counted == {
        (first, second, opening): 1
        for first in range(3)
        for second in range(3)
        if first != second
        for opening in ((0,), (1,))
    }


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_seed_gives_the_same_games_on_any_number_of_threads(jobs: int) -> None:
    players = ("chance", "leftmost", "rules")
    fixtures = plan(3, 6, [()])
    conditions = Conditions(Game(5, 4), seed=9)
    alone = {fixture.number: play_fixture(players, fixture, conditions).played.moves for fixture in fixtures}
    together = list(play_all(players, fixtures, conditions, jobs))
    assert {game.fixture.number: game.played.moves for game in together} == alone
    assert len(together) == len(fixtures)
    other = {game.fixture.number: game.played.moves for game in play_all(players, fixtures, Conditions(Game(5, 4)), 1)}
    assert other != alone
    # Chance plays differently in each of its games, though they are alike.
    games_of_chance = [game.played.moves for game in together if {game.fixture.first, game.fixture.second} == {0, 1}]
    assert len(set(games_of_chance)) > 2


def test_bad_players_lose_and_the_arena_goes_on() -> None:
    players = ("crashing", "leftmost", "sleeping:seconds=30")
    games = list(play_all(players, plan(3, 2, [()]), Conditions(Game(), seconds=0.05), jobs=3))
    assert len(games) == 6
    assert {game.winner for game in games if 1 in (game.fixture.first, game.fixture.second)} == {1}
    assert all(game.played.is_forfeit for game in games)


def test_a_player_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(PlayerError, match="there is no player 'nobody'"):
        list(play_all(("nobody", "rules"), plan(2, 2, [()]), Conditions(Game()), 1))


def test_closing_begins_no_further_game() -> None:
    games = play_all(("chance", "leftmost"), plan(2, 1000, [()]), Conditions(Game()), 1)
    next(games)
    games.close()  # type: ignore[attr-defined]
    assert list(games) == []
