from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from claimeven.solver.board import Board
from claimeven.solver.notation import format_position, parse_moves, parse_position, some_moves
from claimeven.solver.notation.error import NotationError
from claimeven.solver.position import Position, PositionError
from tests.solver.games import positions


@given(positions())
def test_some_moves_lead_to_the_position(position: Position) -> None:
    assert Position.from_moves(position.board, some_moves(position)) == position


def reachable(board: Board) -> set[Position]:
    """Every position of every game."""
    layer = {Position.start(board)}
    found = set()
    while layer:
        found |= layer
        layer = {position.play(column) for position in layer for column in position.legal_columns}
    return found


def heaps(board: Board) -> set[Position]:
    """Every way to heap up stones on the board that `from_stones` does not refuse."""
    column = [stones for height in range(board.rows + 1) for stones in product("xo", repeat=height)]
    found = set()
    for columns in product(column, repeat=board.columns):
        squares = [
            (board.square(c, row), stone) for c, stones in enumerate(columns) for row, stone in enumerate(stones)
        ]
        white, black = (sum(1 << square for square, stone in squares if stone == side) for side in "xo")
        try:
            found.add(Position.from_stones(board, white, black))
        except PositionError:
            continue
    return found


@pytest.mark.parametrize("board", [Board(3, 3, 3), Board(2, 4, 3), Board(4, 2, 3), Board(2, 4, 4)], ids=str)
def test_exactly_the_heaps_of_no_game_are_refused(board: Board) -> None:
    games = reachable(board)
    refused = set()
    for position in heaps(board):
        try:
            moves = some_moves(position)
        except PositionError:
            refused.add(position)
        else:
            assert Position.from_moves(board, moves) == position
    assert refused == heaps(board) - games
    assert refused


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param("....... o...... x...... x...... x...... xooo.x.", id="the line is buried"),
        pytest.param("....... ....... x.....x xo.o..x xo.o..x xo.o.ox", id="two lines, no last stone in both"),
        pytest.param("....... ....... ....... ....... xx..... oo.....", id="only Black can begin"),
        pytest.param("....... ....... o...... o...... x...... x......", id="White would move twice"),
    ],
)
def test_stones_that_lie_in_no_possible_order_are_refused(rows: str) -> None:
    position = parse_position(rows)
    with pytest.raises(PositionError, match="no game leads to these stones"):
        some_moves(position)
    with pytest.raises(NotationError, match="no game leads to these stones"):
        parse_moves(rows)


def test_an_order_found_from_the_last_stone_backwards_is_played_forwards() -> None:
    position = parse_position("....... o...... x...... x...... oxx.... oox....")
    assert Position.from_moves(Board(), some_moves(position)) == position


def test_the_stone_that_completes_two_lines_is_played_last() -> None:
    moves = parse_moves("....... ....... ....... ....... ooo.ooo xxxxxxx")
    assert (len(moves), moves[-1]) == (13, 3)


@pytest.mark.parametrize(
    ("board", "rows"),
    [
        pytest.param(
            "12x4x13", "xxxxxxxxxxxx oooooooooooo xxxxxxxxxxxx oooooooooooo", id="every column begins with Black"
        ),
        pytest.param(
            "12x4x13", "xxxxxxxxxxxx oooooooooooo oooooooooooo xxxxxxxxxxxx", id="every column ends with White"
        ),
        pytest.param(
            "8x7x8", ".....xx. ...x.oxx xoxxoxxx oxooxooo xoxxxxoo oxooooox xoxooxoo", id="stuck in the middle"
        ),
    ],
)
def test_large_boards_are_refused_without_trying_every_order(board: str, rows: str) -> None:
    position = parse_position(rows, Board.parse(board))
    with pytest.raises(PositionError, match="no game leads to these stones"):
        some_moves(position)


@pytest.mark.parametrize(
    ("white", "black", "message"), [(0b10, 0, "floats"), (0b11, 0, "2 White and 0 Black"), (1 << 6, 0, "outside")]
)
def test_stones_that_are_no_position_at_all_are_refused_for_what_they_are(white: int, black: int, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        some_moves(Position(Board(), white, black))


def test_a_drawing_is_printed_as_moves() -> None:
    position = parse_position("....... ....... ....... ...o... ...o... ..xxx..")
    assert parse_position(format_position(position, "columns")) == position
    assert parse_position(format_position(position, "allis")) == position
