from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, format_moves, parse_moves, parse_position


@pytest.mark.parametrize(
    "text",
    [
        "1. d1, d2 2. c1, d3 3. e1",
        "1. d1 d2 2. c1 d3 3. e1",
        "1.d1,d2 2.c1,d3 3.e1",
        "d1 d2 c1 d3 e1",
        "d1, d2, c1, d3, e1",
        "D1 D2 C1 D3 E1",
        "1. d1, d2\n2. c1, d3\n3. e1\n",
    ],
)
def test_numbers_and_commas_are_optional(text: str) -> None:
    assert parse_moves(text) == (3, 3, 2, 3, 4)


def test_columns_after_z_have_two_letters() -> None:
    assert format_moves((25, 26), Board(30, 1), "allis") == "1. z1, aa1"
    assert parse_moves("z1 aa1", Board(30, 1)) == (25, 26)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. d2", r"^move 1 \(character 4\): a stone cannot stay on d2; it would fall on d1"),
        ("d1 d1", r"^move 2 \(character 4\): d1 is taken; it would fall on d2"),
        ("d1 d2 d3 d4 d5 d6 d3", r"^move 7 .*: d3 is taken; the column is full"),
        ("d1 d2 d3 d4 d5 d6 d7", r"^move 7 .*: 'd7' is outside the 7x6 board"),
        ("h1", r"^move 1 \(character 1\): 'h1' is outside the 7x6 board"),
        ("d" + "9" * 5000, r"^move 1 \(character 1\): .* is not a square"),
        ("d01", r"^move 1 \(character 1\): 'd01' is not a square"),
        ("2. d1", r"^move 1 \(character 1\): the move number should be 1., not '2.'"),
        ("1. d1, d2 3. c1", r"^move 3 \(character 11\): the move number should be 2., not '3.'"),
        ("1. d1, d2 c1", r"^move 3 \(character 11\): the move number 2. is missing before c1"),
        ("d1 d2 2. c1", r"^move 3 \(character 7\): a move number, although"),
        ("1. d1 2. c1", r"^move 2 \(character 7\): expected a square, found the move number '2.'"),
        ("1. 1. d1", r"^move 1 \(character 4\): expected a square, found the move number '1.'"),
        ("1. d1, d2 2.", r"^move 3: the text ends where a square is expected"),
        ("d1,", r"^move 2: the text ends where a square is expected"),
        ("d1,, d2", r"^move 2 \(character 4\): expected a square such as d1, found ','"),
        ("1., d1", r"^move 1 \(character 3\): expected a square such as d1, found ','"),
        ("d1d2", r"^move 1 \(character 1\): expected a square such as d1, found 'd'"),
        ("d1 ?", r"^move 2 \(character 4\): expected a square such as d1, found '\?'"),
        ("d1 c٣", r"^move 2 \(character 4\): expected a square"),
        ("d1 a1 d2 a2 d3 a3 d4 a4", r"^move 8: the game is over \(White has won\)"),
    ],
)
def test_a_bad_game_is_refused_by_move_and_character(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(), "allis")
