"""A game between two players, and what happens to one that misbehaves."""

from __future__ import annotations

import time

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, GameError
from claimeven.solver.players.match import FULL, LINE, play_game
from claimeven.solver.players.player import Choice, PlayerError
from tests.solver.players.scripted import (
    ScriptedPlayer,
    crashes,
    plays,
    plays_at_random,
    plays_leftmost,
    sleeps,
)


def test_a_game_is_played_to_its_line() -> None:
    first, second = plays([3, 3, 3, 3]), plays([2, 2, 2])
    played = play_game(Game(), first, second)
    assert (played.winner, played.ending, played.moves) == (FIRST, LINE, (3, 2, 3, 2, 3, 2, 3))
    assert not played.is_forfeit
    assert len(played.costs) == 7
    assert first.games == second.games == [Game()]
    assert [len(state.moves) for state in second.seen] == [1, 3, 5]


def test_an_opening_comes_first() -> None:
    played = play_game(Game(), plays([3]), plays([]), opening=(3, 2, 3, 2, 3, 2))
    assert (played.winner, played.opening, len(played.costs)) == (FIRST, (3, 2, 3, 2, 3, 2), 1)
    odd = play_game(Game(), plays([3, 3]), plays([2, 2, 2]), opening=(3, 2, 3))
    assert odd.moves[:4] == (3, 2, 3, 2)
    with pytest.raises(GameError):
        play_game(Game(), plays([]), plays([]), opening=(9,))


def test_a_full_board_is_a_draw() -> None:
    played = play_game(Game(2, 2, 3), plays_leftmost(), plays_leftmost())
    assert (played.winner, played.ending) == (None, FULL)


@pytest.mark.parametrize("seconds", [None, 5.0])
@pytest.mark.parametrize("is_first", [True, False])
def test_whoever_crashes_loses(seconds: float | None, is_first: bool) -> None:
    players = (crashes(), plays_leftmost()) if is_first else (plays_leftmost(), crashes())
    played = play_game(Game(), *players, seconds=seconds)
    assert played.winner == (SECOND if is_first else FIRST)
    assert played.ending == f"{'first' if is_first else 'second'}: RuntimeError: lost its mind"
    assert played.is_forfeit


@pytest.mark.parametrize("move", [7, -1, "4", None, 3.0])
def test_whoever_makes_an_illegal_move_loses(move: object) -> None:
    played = play_game(Game(), plays_leftmost(), ScriptedPlayer(lambda state: Choice(move)))  # type: ignore[arg-type]
    assert (played.winner, played.ending) == (FIRST, f"second: illegal move {move!r}")
    assert played.moves == (0,)


def test_a_full_column_is_illegal_and_nonsense_too() -> None:
    played = play_game(Game(), plays([0, 0, 0, 0]), plays([0, 0, 0]))
    assert (played.winner, played.ending) == (SECOND, "first: illegal move 0")
    nonsense = play_game(Game(), ScriptedPlayer(lambda state: "d4"), plays_leftmost())
    assert nonsense.ending == "first: illegal move 'd4'"


def test_whoever_takes_too_long_loses_and_nobody_waits() -> None:
    began = time.monotonic()
    played = play_game(Game(), plays_leftmost(), sleeps(60), seconds=0.1, grace=0.1)
    assert time.monotonic() - began < 5
    assert (played.winner, played.ending) == (FIRST, "second: took more than 0.1 s")


def test_grace_is_granted() -> None:
    played = play_game(Game(2, 2, 3), sleeps(0.05), plays_leftmost(), seconds=0.01, grace=2.0)
    assert played.ending == FULL
    assert played.costs[0].seconds >= 0.05


def test_a_player_that_refuses_the_game_loses() -> None:
    class Choosy(ScriptedPlayer):
        def start(self, game: Game) -> None:
            raise PlayerError("too large")

    for players, winner in (
        ((Choosy(lambda state: 0), plays_leftmost()), SECOND),
        ((plays_leftmost(), Choosy(lambda state: 0)), FIRST),
    ):
        played = play_game(Game(), *players)
        assert (played.winner, played.moves) == (winner, ())
        assert "PlayerError: too large" in played.ending


def test_work_is_kept() -> None:
    first = ScriptedPlayer(lambda state: Choice(state.legal_moves[0], work=7))
    played = play_game(Game(), first, plays_at_random(1))
    assert {cost.work for cost in played.costs[::2]} == {7}
    assert {cost.work for cost in played.costs[1::2]} == {0}
