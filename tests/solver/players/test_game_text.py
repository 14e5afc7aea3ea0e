"""Games and moves as text."""

from __future__ import annotations

import random

import pytest

from claimeven.solver.players.game import Game, GameError, State
from claimeven.solver.players.game_text import draw, format_moves, parse_cell, parse_game, parse_move, parse_moves

GAMES = (Game(), Game(9, 9), Game(12, 12, 5), Game(12, 4, gravity=False, blocked=7), Game(5, 5, 3, gravity=False))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_moves_read_back(game: Game) -> None:
    chance = random.Random(1)
    state = State.start(game)
    while not state.is_over:
        assert parse_moves(game, format_moves(game, state.moves)) == state.moves
        state = state.play(chance.choice(state.legal_moves))
    assert parse_moves(game, format_moves(game, state.moves)) == state.moves


def test_games() -> None:
    assert parse_game() == Game()
    assert parse_game("9X8x5") == Game(9, 8, 5)
    assert parse_game("5x5", gravity=False, blocked="c3") == Game(5, 5, gravity=False, blocked=12)
    for text in ("7", "7y6", "", "0x4", "13x6", "7x6x2"):
        with pytest.raises(GameError):
            parse_game(text)
    for cell in ("h1", "a7", "a0", "11", "aa1"):
        with pytest.raises(GameError):
            parse_cell(Game(), cell)


@pytest.mark.parametrize("text", ["8", "0", "-1", "aa", "", "d1", "٣", "1e9"])
def test_columns_that_do_not_exist(text: str) -> None:
    with pytest.raises(GameError, match="these columns can: 1, 2, 3, 4, 5, 6, 7"):
        parse_move(State.start(Game()), text)


def test_what_is_wrong_is_said_with_its_place() -> None:
    with pytest.raises(GameError, match="move 8: '4' cannot be played; the game is over"):
        parse_moves(Game(), "34343434"[1:] + "4" + "1")
    with pytest.raises(GameError, match="move 2: 'a1' cannot be played"):
        parse_moves(Game(gravity=False), "a1 a1")


def test_drawings() -> None:
    wide = draw(State.start(Game(12, 2)).play(11)).splitlines()
    assert len({len(line) for line in wide}) == 1
    assert wide[-1].split() == [str(number) for number in range(1, 13)]
    free = draw(State.start(Game(3, 2, 3, gravity=False, blocked=0)).play(3)).splitlines()
    assert free == [" 2 . x .", " 1 # . .", "   a b c"]
