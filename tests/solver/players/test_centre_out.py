from __future__ import annotations

import pytest

from claimeven.solver.players.centre_out import centre_out
from claimeven.solver.players.game import Game
from tests.solver.players.states import GAMES


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_move_once_and_never_back_towards_the_middle(game: Game) -> None:
    order = centre_out(game)
    assert sorted(order) == list(range(game.moves))
    places = [(move, 0) if game.gravity else divmod(move, game.height) for move in order]
    rows = 1 if game.gravity else game.height
    distances = [abs(column - (game.width - 1) / 2) + abs(row - (rows - 1) / 2) for column, row in places]
    assert distances == sorted(distances)


def test_seven_columns() -> None:
    assert centre_out(Game()) == (3, 2, 4, 1, 5, 0, 6)
