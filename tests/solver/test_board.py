from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.board import MAX_BITS, Board, BoardError, bits, column_name, column_number
from tests.solver.games import BOARDS

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

boards = pytest.mark.parametrize("board", BOARDS, ids=str)


def lines_by_coordinates(board: Board) -> list[frozenset[tuple[int, int]]]:
    """All lines as sets of (column, row), found without bit numbers."""
    cells = set(product(range(board.columns), range(board.rows)))
    lines = [
        frozenset((column + right * i, row + up * i) for i in range(board.connect))
        for column, row in sorted(cells)
        for right, up in DIRECTIONS
    ]
    return [line for line in lines if line <= cells]


def test_a_7x6_board_has_42_squares_and_69_groups() -> None:
    assert Board().cells == 42
    assert len(Board().groups) == 69


def test_a_4x4_board_has_ten_groups() -> None:
    assert len(Board(4, 4).groups) == 10


@boards
def test_group_count_follows_from_the_size(board: Board) -> None:
    across = max(0, board.columns - board.connect + 1)
    up = max(0, board.rows - board.connect + 1)
    assert len(board.groups) == board.columns * up + board.rows * across + 2 * across * up


@boards
def test_groups_are_the_straight_lines_each_once(board: Board) -> None:
    groups = [frozenset((board.column_of(s), board.row_of(s)) for s in bits(group)) for group in board.groups]
    assert len(set(groups)) == len(groups)
    assert set(groups) == set(lines_by_coordinates(board))


@boards
def test_groups_come_in_the_order_of_their_lowest_squares(board: Board) -> None:
    lowest = [group & -group for group in board.groups]
    assert lowest == sorted(lowest)


@boards
def test_every_square_is_found_by_its_name(board: Board) -> None:
    names = board.names(board.squares)
    assert len(set(names)) == board.cells
    assert [board.find_square(name) for name in names] == list(bits(board.squares))
    assert [board.find_square(name.upper()) for name in names] == list(bits(board.squares))


def test_squares_have_the_numbers_of_the_diagram() -> None:
    board = Board(7, 6)
    numbers = {"a1": 0, "a6": 5, "b1": 7, "d1": 21, "d6": 26, "g1": 42, "g6": 47}
    assert {name: board.find_square(name) for name in numbers} == numbers
    assert board.names(numbers.values()) == list(numbers)


@boards
def test_rows_partition_the_board(board: Board) -> None:
    assert board.squares.bit_count() == board.cells
    assert board.bottom.bit_count() == board.top.bit_count() == board.columns
    assert all(board.row_of(square) == 0 for square in bits(board.bottom))
    assert all(board.row_of(square) == board.rows - 1 for square in bits(board.top))
    assert board.names(board.odd_squares) == [name for name in board.names(board.squares) if name[-1] in "13579"]


@boards
def test_columns_partition_the_board(board: Board) -> None:
    columns = [board.column_squares(column) for column in range(board.columns)]
    assert sum(columns) == board.squares
    assert all(board.column_of(s) == column for column, squares in enumerate(columns) for s in bits(squares))


@boards
def test_mirroring_exchanges_the_outer_columns_and_keeps_rows(board: Board) -> None:
    for square in bits(board.squares):
        image = board.mirror_square(square)
        assert board.row_of(image) == board.row_of(square)
        assert board.column_of(image) + board.column_of(square) == board.columns - 1
        assert board.mirror(1 << square) == 1 << image


@given(st.sampled_from(BOARDS), st.integers(0, 2**MAX_BITS - 1), st.integers(0, 2**MAX_BITS - 1))
def test_mirroring_twice_changes_nothing_and_mirroring_distributes(board: Board, one: int, two: int) -> None:
    one, two = one & board.squares, two & board.squares
    assert board.mirror(board.mirror(one)) == one
    assert board.mirror(one | two) == board.mirror(one) | board.mirror(two)
    assert sorted(map(board.mirror_square, bits(one))) == list(bits(board.mirror(one)))


@boards
def test_mirror_images_of_groups_are_groups(board: Board) -> None:
    assert {board.mirror(group) for group in board.groups} == set(board.groups)


@given(st.integers(0, 2**MAX_BITS - 1))
def test_bits_add_up_to_the_bitboard(bitboard: int) -> None:
    squares = list(bits(bitboard))
    assert squares == sorted(set(squares))
    assert sum(1 << square for square in squares) == bitboard


def test_column_names_go_on_after_z() -> None:
    assert [column_name(column) for column in (0, 6, 25, 26, 27, 31)] == ["a", "g", "z", "aa", "ab", "af"]
    assert [column_number(column_name(column)) for column in range(100)] == list(range(100))


@pytest.mark.parametrize(
    ("text", "board"),
    [("7x6", Board(7, 6, 4)), (" 8X7 ", Board(8, 7, 4)), ("5x4x3", Board(5, 4, 3)), ("9x6x5", Board(9, 6, 5))],
)
def test_boards_are_read_and_written_as_columns_x_rows(text: str, board: Board) -> None:
    assert Board.parse(text) == board
    assert Board.parse(str(board)) == board


def test_the_winning_length_is_written_only_when_it_is_not_four() -> None:
    assert [str(Board(7, 6)), str(Board(7, 6, 5))] == ["7x6", "7x6x5"]


@pytest.mark.parametrize("text", ["", "7", "7x", "x6", "7x6x", "7x6x4x1", "-7x6", "7*6", "7x6.0", "٧x٦", "7x6666"])
def test_text_that_is_no_board_is_refused_by_name(text: str) -> None:
    with pytest.raises(BoardError, match="is not a board; write COLUMNSxROWS"):
        Board.parse(text)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((0, 6, 4), "at least one column"),
        ((7, 0, 4), "at least one column"),
        ((-1, 6, 4), "at least one column"),
        ((8, 8, 4), "too large.*here it is 72"),
        ((13, 4, 4), "too large.*here it is 65"),
        ((7, 6, 2), "connect must be 3 or more"),
    ],
)
def test_boards_that_do_not_fit_are_refused(size: tuple[int, int, int], message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Board(*size)


def test_the_largest_boards_use_all_64_bits() -> None:
    assert Board(8, 7).squares.bit_length() == MAX_BITS - 1
    assert Board(32, 1).columns == 32


@pytest.mark.parametrize("name", ["", "d", "1", "d0", "d01", "1d", "d1 d2", "dd", "ä1", "d²", "d٣", "\u212a1", "d-1"])
def test_text_that_is_no_square_is_refused(name: str) -> None:
    with pytest.raises(BoardError, match="is not a square"):
        Board(12, 4).find_square(name)


@pytest.mark.parametrize("name", ["h1", "a7", "g99", "zz1"])
def test_squares_outside_the_board_are_refused(name: str) -> None:
    with pytest.raises(BoardError, match="outside the 7x6 board"):
        Board(7, 6).find_square(name)


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (7, 0), (0, 6)])
def test_coordinates_outside_the_board_are_refused(column: int, row: int) -> None:
    with pytest.raises(BoardError, match=f"column {column + 1}, row {row + 1} is outside"):
        Board(7, 6).square(column, row)
