from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.position import Position


@pytest.mark.parametrize(
    "text",
    [
        ".... .... .o.. .xx.",
        "..../..../.o../.xx.",
        "..../..../.O../.XX./",
        "\n  ....\n\n  ....\n  .o..\n  .xx.\n",
        ". . . .\r\n. . . .\r\n. o . .\r\n. x x .",
    ],
)
def test_rows_may_be_set_apart_in_several_ways(text: str) -> None:
    assert parse_position(text, None) == Position.from_moves(Board(4, 4), (1, 1, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the 4x4 board has 4 rows, the text 0 rows"),
        ("..../..../....", "the 4x4 board has 4 rows, the text 3 rows"),
        ("..../..../..../..../....", "the 4x4 board has 4 rows, the text 5 rows"),
        ("..../..../.../....", r"row 2 \(line 3 from the top\): the 4x4 board has 4 columns, the row 3 squares"),
        ("..../...../..../....", r"row 3 \(line 2 from the top\): .* the row 5 squares"),
        ("..../..../.#../....", r"b2 \(line 3 from the top, square 2\): expected '.', 'x' or 'o', found '#'"),
        ("..../..../.x../....", "the stone on b2 floats"),
        ("..../..../..../xx..", "2 White and 0 Black stones"),
        ("..../..../oooo/xxxx", "White has a line already"),
    ],
)
def test_a_bad_drawing_is_refused_by_its_place(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(4, 4), "board")


@pytest.mark.parametrize(("text", "message"), [("", "no rows"), ("." * 65, "65x1 is too large")])
def test_a_drawing_of_no_board_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, None, "board")
