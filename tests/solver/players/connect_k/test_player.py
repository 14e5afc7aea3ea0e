"""The connect-k player: every game, in time, traps seen, and random moves beaten."""

from __future__ import annotations

import time

import pytest

from claimeven.solver.players.connect_k.player import ConnectKPlayer, make
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Player, PlayerError
from claimeven.solver.players.registry import Resources, make_player
from tests.solver.players.games_of_every_kind import GAMES, check_interruption, points_against_random

NINE = Game(9, 9, 5, gravity=False)
BLOCKED_TEN = Game(10, 8, blocked=33)


def make_connect_k(**settings: str) -> ConnectKPlayer:
    return make(settings, Resources())


def test_it_is_a_player() -> None:
    player = make_player("connect-k:depth=3")
    assert isinstance(player, Player)
    assert (player.name, player.unit) == ("connect-k:depth=3", "nodes")
    assert make_player("connect-k").name == "connect-k:seconds=5"


@pytest.mark.parametrize("text", ["connect-k:seconds=6", "connect-k:depth=200", "connect-k:wit=3"])
def test_bad_settings_are_refused(text: str) -> None:
    with pytest.raises(PlayerError, match="connect-k"):
        make_player(text)


@pytest.mark.parametrize("game", [Game(), NINE, BLOCKED_TEN], ids=str)
def test_it_beats_random_moves(game: Game) -> None:
    assert points_against_random(make_connect_k(depth="2"), game, 20) == 20


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_is_played_to_the_end_and_the_same_way_twice(game: Game) -> None:
    def play_game() -> tuple[int, ...]:
        player = make_connect_k(depth="2")
        player.start(game)
        state = State.start(game)
        while not state.is_over:
            state = state.play(player.choose(state).move)
        return state.moves

    assert play_game() == play_game()


def test_it_wins_and_prevents_wins_at_once() -> None:
    player = make_connect_k()
    for moves, expected in (([3, 0, 3, 0, 3, 0], 3), ([3, 0, 3, 0, 3], 3)):
        choice = player.choose(State.start(Game()).play_all(moves))
        assert (choice.move, choice.work) == (expected, 0)


def test_it_makes_a_trap_and_prevents_one() -> None:
    # An open row of three on the bottom row wins.
    choice = make_connect_k(depth="4").choose(State.start(Game()).play_all([3, 3, 4, 4]))
    assert choice.move in (2, 5)
    assert choice.score is not None
    assert choice.score > 900_000
    assert make_connect_k(depth="4").choose(State.start(Game()).play_all([3, 3, 4])).move in (1, 2, 5)
    # Without gravity, three in a row that are open at both ends become four, and then five.
    cells = [40, 0, 49, 80, 31, 8]  # e5, a1, f5, i9, d5, a9
    choice = make_connect_k(depth="4").choose(State.start(NINE).play_all(cells))
    assert choice.move in (22, 58)
    assert choice.score is not None
    assert choice.score > 900_000


@pytest.mark.parametrize("game", [Game(), Game(12, 12, 5, gravity=False)], ids=str)
def test_it_keeps_its_time(game: Game) -> None:
    player = make_connect_k(seconds="0.4")
    player.start(game)
    state = State.start(game)
    for seconds in (None, 0.15):
        begin = time.monotonic()
        choice = player.choose(state, seconds)
        # Less than twice the time, on a machine that others use too.
        assert time.monotonic() - begin < 2 * (seconds or 0.4)
        assert choice.work > 1000
        state = state.play(choice.move)


def test_it_can_be_interrupted() -> None:
    check_interruption(make_connect_k(), NINE)
