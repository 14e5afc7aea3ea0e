from __future__ import annotations

import json

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.position import Position


def test_index_is_column_plus_row_from_the_top_times_columns() -> None:
    cells = [0] * 42
    cells[3 + 5 * 7], cells[3 + 4 * 7] = 1, 2
    assert parse_position(json.dumps(cells)) == Position.from_moves(Board(), (3, 3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[0, 0", r"not JSON: .* \(character 6\)"),
        ("[]", "the 4x4 board has 16 squares, the list has 0"),
        (json.dumps([0] * 17), "the 4x4 board has 16 squares, the list has 17"),
        (json.dumps([0] * 15 + [3]), r"index 15 \(d1\): expected 0, 1 or 2, found 3"),
        (json.dumps([0] * 15 + [-1]), r"index 15 \(d1\): .* found -1"),
        (json.dumps([0] * 12 + [True] + [0] * 3), r"index 12 \(a1\): .* found true"),
        (json.dumps([0] * 12 + [1.0] + [0] * 3), r"index 12 \(a1\): .* found 1.0"),
        (json.dumps([0] * 12 + ["1"] + [0] * 3), r'index 12 \(a1\): .* found "1"'),
        (json.dumps([None] + [0] * 15), r"index 0 \(a4\): .* found null"),
        (json.dumps([[0]] + [0] * 15), r"index 0 \(a4\): .* found a list"),
        (json.dumps([{}] + [0] * 15), r"index 0 \(a4\): .* found an object"),
        (json.dumps([float("nan")] + [0] * 15), r"index 0 \(a4\): .* found NaN"),
        (json.dumps([10**4000] + [0] * 15), r"index 0 \(a4\): .* found 10{23}\.\.\.$"),
        ("[" + "9" * 5000 + "]", "a number with too many digits"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ('"x"', 'expected a list of 16 numbers, found "x"'),
        ("{}", "expected a list of 16 numbers, found an object"),
        (json.dumps([0] * 8 + [1] + [0] * 7), "the stone on a2 floats"),
        (json.dumps([0] * 12 + [1, 1, 0, 0]), "2 White and 0 Black stones"),
        (json.dumps([0] * 12 + [2, 0, 0, 0]), "0 White and 1 Black stones"),
    ],
)
def test_a_bad_list_is_refused_by_its_place(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(4, 4), "kaggle")
