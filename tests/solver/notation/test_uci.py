from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position, uci
from claimeven.solver.position import Position

ROW = "x,o,b,b,b,b," + "b,b,b,b,b,b," * 5 + "x,b,b,b,b,b"


def test_squares_come_column_by_column_from_the_bottom() -> None:
    assert parse_position(ROW) == Position.from_moves(Board(), (0, 0, 6))


@pytest.mark.parametrize("outcome", ["win", "loss", "draw"])
def test_the_class_may_follow(outcome: str) -> None:
    row = uci.parse_row(f"{ROW},{outcome}\n")
    assert row.position == parse_position(ROW)
    assert row.outcome == outcome
    assert uci.write(row.position, row.outcome) == f"{ROW},{outcome}"
    assert uci.parse_row(ROW).outcome is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the 7x6 board has 42 squares, the row has 1 field"),
        ("x,o,b", "the row has 3 fields"),
        (ROW + ",win,win", "the row has 44 fields"),
        (ROW + ",won", "field 43: expected win, loss or draw, found 'won'"),
        (ROW + ",", "field 43: expected win, loss or draw, found ''"),
        (ROW.replace("o", "y"), r"field 2 \(a2\): expected x, o or b, found 'y'"),
        (ROW.replace("x,o", ",o"), r"field 1 \(a1\): expected x, o or b, found ''"),
        (ROW.replace("x,o", "b,o"), "the stone on a2 floats"),
        (ROW.replace("x,o", "x,x"), "3 White and 0 Black stones"),
    ],
)
def test_a_bad_row_is_refused_by_its_field(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(), "uci")
