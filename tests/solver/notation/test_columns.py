from __future__ import annotations

import random

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, format_moves, parse_moves, parse_position
from claimeven.solver.notation.columns import column_base, parse, play_plain
from claimeven.solver.position import Position, PositionError

WIDE = Board(12, 4)


def test_a_string_with_a_zero_counts_from_zero() -> None:
    assert parse_moves("3340") == (3, 3, 4, 0)
    assert parse_moves("0,3", WIDE) == (0, 3)


def test_a_string_with_the_last_column_counts_from_one() -> None:
    assert parse_moves("3347") == (2, 2, 3, 6)
    assert (column_base("3347", Board()), column_base("334", Board())) == (1, None)
    assert (column_base("12,3", WIDE), column_base("10,2", WIDE)) == (1, None)


def test_a_string_without_either_is_taken_to_count_from_one() -> None:
    assert parse_moves("334") == (2, 2, 3)


@pytest.mark.parametrize(("text", "board"), [("3047", Board()), ("0,12", WIDE)])
def test_a_string_with_both_is_refused(text: str, board: Board) -> None:
    with pytest.raises(NotationError, match="neither from 0 nor from 1"):
        parse_position(text, board)


@pytest.mark.parametrize("text", ["alb", "ALB", "1,12,2", " 1 , 12,2 "])
def test_wide_boards_have_letters_or_numbers_with_commas(text: str) -> None:
    assert parse_moves(text, WIDE) == (0, 11, 1)


def test_a_single_number_on_a_wide_board_is_one_column() -> None:
    assert parse_moves("11", WIDE) == (10,)


def test_numbers_with_commas_are_read_on_small_boards_too() -> None:
    assert parse_moves("4,4,5") == (3, 3, 4)


def test_letters_are_written_up_to_26_columns_and_numbers_beyond() -> None:
    assert format_moves((0, 9), Board(10, 5)) == "aj"
    assert format_moves((0, 25), Board(26, 1)) == "az"
    assert format_moves((0, 26), Board(27, 1)) == "1,27"
    assert format_moves((0, 9), Board(10, 5), "columns0") == "0,9"


@pytest.mark.parametrize(
    ("text", "board", "message"),
    [
        ("448", "7x6", r"^move 3 \(character 3\): '8' is not a column of the 7x6 board \(1 to 7\)"),
        (" 448", "7x6", r"^move 3 \(character 4\): '8'"),
        ("440", "7x6", r"^move 3 \(character 3\): '0' is not a column"),
        ("44 5", "7x6", r"^move 3 \(character 3\): ' ' is not a column"),
        ("4-4", "7x6", r"^move 2 \(character 2\): '-'"),
        ("4٤", "7x6", r"^move 2 \(character 2\): '٤'"),
        ("4²", "7x6", r"^move 2 \(character 2\): '²'"),
        ("d", "7x6", r"^move 1 \(character 1\): 'd'"),
        ("4444444", "7x6", r"^move 7 \(character 7\): column 4 is full"),
        ("41424344", "7x6", r"^move 8: the game is over \(White has won\)"),
        ("1112223331", "3x3", r"^move 10 \(character 10\): column 1 is full"),
        ("4,,4", "7x6", r"^move 2 \(character 3\): '' is not a column"),
        ("4,4,", "7x6", r"^move 3 \(character 5\): ''"),
        ("4, 8", "7x6", r"^move 2 \(character 4\): '8'"),
        ("04,4", "7x6", r"^move 1 \(character 1\): '04'"),
        ("475", "12x4", r"^move 1 .*'475' is not a column .*\(a to l, or 1 to 12 with commas between them\)"),
        ("am", "12x4", r"^move 2 \(character 2\): 'm'"),
        ("a1", "12x4", r"^move 2 \(character 2\): '1'"),
        ("a,b", "12x4", r"^move 1 \(character 1\): 'a'"),
        ("a\u212a", "12x4", r"^move 2 \(character 2\)"),
        ("ab", "30x1", r"^move 1 .*\(1 to 30, with commas between them\)"),
        ("1" * 5000, "12x4", r"^move 1 \(character 1\): '1{24}\.\.\.' is not a column"),
        ("1," + "9" * 5000, "12x4", r"^move 2 \(character 3\)"),
    ],
)
def test_a_bad_string_is_refused_by_move_and_character(text: str, board: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board.parse(board), "columns")


def test_counting_from_zero_the_message_does_too() -> None:
    with pytest.raises(NotationError, match=r"^move 1 .*'7' is not a column of the 7x6 board \(0 to 6\)"):
        parse_position("7", Board(), "columns0")
    with pytest.raises(NotationError, match=r"^move 7 .*column 0 is full"):
        parse_position("0000000", Board(), "columns0")


@pytest.mark.parametrize("board", ["7x6", "4x4", "9x5", "3x3x3", "12x4"])
def test_the_quick_way_is_the_slow_one(board: str) -> None:
    """Random strings, most of them wrong somewhere: both read the same position, or the quick way reads none."""
    size, chance, read = Board.parse(board), random.Random(board), 0
    for _ in range(1500):
        symbols = "123456789"[: size.columns] * 20 + "0 ,a8"
        text = "".join(chance.choices(symbols, k=chance.randrange(size.cells + 3)))
        quick = play_plain(text, size)
        try:
            slow = Position.from_moves(size, parse(text, size))
        except PositionError:
            assert quick is None
            continue
        read += quick is not None
        if size.columns <= 9 and text == text.strip() and "," not in text:
            assert quick == slow
        else:
            assert quick in (None, slow)
    assert read > 100 or size.columns > 9
