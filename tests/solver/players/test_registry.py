from __future__ import annotations

import subprocess
import sys

import pytest

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Player, PlayerError
from claimeven.solver.players.registry import PLAYERS, Resources, make_player

MADE_HERE = ("random", "negamax", "easy", "medium", "hard", "guru", "victor")


@pytest.mark.parametrize("name", MADE_HERE)
def test_a_player_is_made_by_its_name_and_plays_a_legal_move(name: str) -> None:
    player = make_player(name, Resources(seed=1, threads=1))
    assert isinstance(player, Player)
    assert player.name == name
    player.start(Game(5, 4))
    state = State.start(Game(5, 4)).play_all([2, 2, 2])
    choice = player.choose(state)
    assert choice.move in state.legal_moves
    assert bool(player.unit) == bool(choice.work)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_legal_moves_in_one_game_after_the_other(name: str) -> None:
    player = make_player(name, Resources(seed=1, threads=1))
    for moves in ("43443444536335525626636567777772", "434434445363355256266365"):
        game = Game()
        player.start(game)
        state = State.start(game).play_all([int(move) - 1 for move in moves])
        assert player.choose(state, seconds=0.3).move in state.legal_moves


@pytest.mark.parametrize("name", [name for name in MADE_HERE if name != "random"])
def test_a_setting_shows_in_the_name(name: str) -> None:
    assert make_player(f"{name}: depth = 3 ").name == f"{name}:depth=3"


def test_only_settings_that_differ_from_the_default_show_in_the_name() -> None:
    assert make_player("guru:depth=8,seconds=0.5,book=0").name == "guru:seconds=0.5,book=0"
    assert make_player("negamax:seconds=2,depth=0").name == "negamax:seconds=2"


def test_a_name_that_nobody_has_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(PlayerError, match=r"no player 'deep-blue'; there are: random, .*guru"):
        make_player("deep-blue")


@pytest.mark.parametrize("text", ["guru:depth", "guru:=3", "guru:depth=3,depth=4", "guru:depth=3,,x"])
def test_settings_that_cannot_be_read(text: str) -> None:
    with pytest.raises(PlayerError, match="NAME=VALUE"):
        make_player(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("random:depth=1", "random: there is no setting 'depth'; there are: none"),
        ("guru:deep=1", "there is no setting 'deep'; there are: depth, seconds, book"),
        ("guru:depth=0", "depth is a whole number from 1 to 64"),
        ("victor:seconds=nan", "seconds is a number from"),
        ("easy:book=2", "book is a whole number from 0 to 1"),
        ("negamax:depth=-1", "depth is a whole number from 0 to 144"),
    ],
)
def test_settings_that_a_player_does_not_have_or_cannot_read(text: str, reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        make_player(text)


def test_no_player_is_imported_before_it_is_asked_for() -> None:
    code = "import sys, claimeven.solver.players.registry; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "numba" not in loaded
    assert not {place.partition(":")[0] for place in PLAYERS.values()} & set(loaded)
