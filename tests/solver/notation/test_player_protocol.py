from __future__ import annotations

import json
from typing import Any

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.position import Position


def question(**members: Any) -> str:
    """A question of the player protocol about the empty 4x4 board, with some members changed, None leaving one out."""
    usual = {"height": 4, "width": 4, "player": 1, "grid": [[0, 0, 0, 0]] * 4}
    return json.dumps({name: value for name, value in (usual | members).items() if value is not None})


def test_columns_come_from_the_left_and_from_top_to_bottom() -> None:
    grid = [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 1, 2], [0, 0, 0, 0]]
    assert str(parse_position(question(player=2, grid=grid))) == "....\n....\n..x.\nx.o."


def test_members_of_other_names_are_ignored() -> None:
    assert parse_position(question(time=5)) == Position.start(Board(4, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"not JSON: .* \(character 2\)"),
        ("[]", "expected an object with height, width, player and grid, found a list"),
        (question(grid=None), 'the object has no "grid"'),
        (question(width=None), 'the object has no "width"'),
        (question(player=None), 'the object has no "player"'),
        (question(height="4"), '"height": expected a whole number from 1 to 64, found "4"'),
        (question(width=True), '"width": expected a whole number from 1 to 64, found true'),
        (question(width=4.0), '"width": expected a whole number from 1 to 64, found 4.0'),
        (question(width=0), '"width": .* found 0'),
        (question(width=10**4000), r'"width": .* found 10{23}\.\.\.'),
        (question(player=3), '"player" is 3, but with 0 stones .* player 1\'s turn'),
        (
            question(player=2),
            '"player" is 2, but with 0 stones of player 1 and 0 of player 2 it is player 1\'s turn',
        ),
        (question(width=5), "the board is 4x4, but the object has width 5 and height 4"),
        (question(height=5), "the board is 4x4, but the object has width 4 and height 5"),
        (question(grid=0), '"grid": expected a list of columns, found 0'),
        (question(grid=[]), '"grid": the 4x4 board has 4 columns, the grid 0'),
        (question(grid=[0, 0, 0, 0]), "grid column 0: expected a list of 4 numbers, found 0"),
        (
            question(grid=[[0] * 4, [0] * 3, [0] * 4, [0] * 4]),
            "grid column 1: the 4x4 board has 4 rows, the list 3",
        ),
        (question(grid=[[0] * 4, [0, 0, 0, 9], [0] * 4, [0] * 4]), r"grid column 1, entry 3 \(b1\): .* found 9"),
        (question(grid=[[0] * 4, [0, 0, 0, [0]], [0] * 4, [0] * 4]), r"entry 3 \(b1\): .* found a list"),
        (question(grid=[[0, 0, 1, 0]] + [[0] * 4] * 3), "the stone on a2 floats"),
        (question(grid=[[0, 0, 0, 2]] + [[0] * 4] * 3), "0 White and 1 Black stones"),
    ],
)
def test_a_bad_question_is_refused_by_its_place(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(4, 4), "json")


def test_a_question_about_too_large_a_board_is_refused() -> None:
    with pytest.raises(NotationError, match="60x60 is too large"):
        parse_position(question(width=60, height=60), None, "json")
