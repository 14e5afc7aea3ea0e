from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.notation import (
    AUTO,
    MOVE_NOTATIONS,
    NOTATIONS,
    STONE_NOTATIONS,
    NotationError,
    detect_notation,
    format_moves,
    format_position,
    parse_moves,
    parse_position,
)
from claimeven.solver.notation.columns import column_base
from claimeven.solver.position import IllegalMoveError, Position, PositionError
from tests.solver.games import BOARDS, Game, games, positions

D1_D2_C1_D3_E1 = Position.from_moves(Board(), (3, 3, 2, 3, 4))

FIVE_STONES = {
    "columns": "44345",
    "columns0": "33234",
    "allis": "1. d1, d2 2. c1, d3 3. e1",
    "online": "pos=44345",
    "board": ".......\n.......\n.......\n...o...\n...o...\n..xxx..",
    "kaggle": json.dumps([0] * 21 + [0, 0, 0, 2, 0, 0, 0] + [0, 0, 0, 2, 0, 0, 0] + [0, 0, 1, 1, 1, 0, 0]),
    "json": '{"height":6,"width":7,"player":2,"grid":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,1],[0,0,0,2,2,1],'
    "[0,0,0,0,0,1],[0,0,0,0,0,0],[0,0,0,0,0,0]]}",
    "uci": "b,b,b,b,b,b,b,b,b,b,b,b,x,b,b,b,b,b,x,o,o,b,b,b,x,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b",
}


def test_every_notation_has_its_example_here() -> None:
    assert tuple(FIVE_STONES) == MOVE_NOTATIONS + STONE_NOTATIONS
    assert (AUTO, *FIVE_STONES) == NOTATIONS


@pytest.mark.parametrize("notation", FIVE_STONES)
def test_the_same_five_stones_are_read_and_written_in_every_notation(notation: str) -> None:
    text = FIVE_STONES[notation]
    assert parse_position(text, Board(), notation) == D1_D2_C1_D3_E1
    assert format_moves((3, 3, 2, 3, 4), Board(), notation) == text
    if notation in STONE_NOTATIONS:
        assert format_position(D1_D2_C1_D3_E1, notation) == text
    else:
        assert parse_moves(text, Board(), notation) == (3, 3, 2, 3, 4)


@pytest.mark.parametrize("notation", [notation for notation in FIVE_STONES if notation != "columns0"])
def test_the_notation_is_recognised_by_its_form(notation: str) -> None:
    assert detect_notation(FIVE_STONES[notation]) == notation
    assert parse_position(FIVE_STONES[notation]) == D1_D2_C1_D3_E1


@given(games())
def test_moves_are_read_back_as_written(game: Game) -> None:
    board, columns = game
    for notation in MOVE_NOTATIONS:
        text = format_moves(columns, board, notation)
        assert parse_moves(text, board, notation) == columns, notation
        assert parse_position(text, board, notation) == Position.from_moves(board, columns), notation


@given(positions())
def test_positions_are_read_back_as_written(position: Position) -> None:
    for notation in MOVE_NOTATIONS + STONE_NOTATIONS:
        text = format_position(position, notation)
        assert parse_position(text, position.board, notation) == position, notation


@given(games())
def test_what_is_written_is_recognised(game: Game) -> None:
    board, columns = game
    position = Position.from_moves(board, columns)
    for notation in MOVE_NOTATIONS + STONE_NOTATIONS:
        text = format_moves(columns, board, notation)
        if notation == "columns0" and column_base(text, board) != 0:
            continue
        assert parse_position(text, board) == position, notation


@given(positions(tuple(board for board in BOARDS if board.connect == 4)))
def test_drawings_and_protocol_objects_bring_their_board_with_them(position: Position) -> None:
    for notation in ("board", "json"):
        assert parse_position(format_position(position, notation), None, notation) == position


@given(games())
def test_mirrored_moves_are_read_as_the_mirrored_position(game: Game) -> None:
    board, columns = game
    mirrored = format_moves([board.columns - 1 - column for column in columns], board)
    assert parse_position(mirrored, board, "columns") == Position.from_moves(board, columns).mirror()


@given(positions(), st.text(" \n\t", max_size=3), st.text(" \n\t", max_size=3))
def test_space_around_a_text_does_not_matter(position: Position, before: str, after: str) -> None:
    for notation in MOVE_NOTATIONS + STONE_NOTATIONS:
        text = before + format_position(position, notation) + after
        assert parse_position(text, position.board, notation) == position, notation


@pytest.mark.parametrize("board", [None, *BOARDS], ids=str)
@pytest.mark.parametrize("text", ["", "  \n"])
@pytest.mark.parametrize("notation", ["auto", "columns", "columns0", "allis"])
def test_the_empty_text_is_the_empty_board(board: Board | None, text: str, notation: str) -> None:
    assert parse_position(text, board, notation) == Position.start(board)


@pytest.mark.parametrize("text", ["41424341", "pos=41424341", "d1 a1 d2 b1 d3 c1 d4 a2"])
def test_moves_after_the_end_are_refused(text: str) -> None:
    for read in (parse_moves, parse_position):
        with pytest.raises(NotationError, match=r"^move 8: the game is over \(White has won\)"):
            read(text)


@pytest.mark.parametrize("text", ["hello", "4 4", "?", "44.5", "-1", "4e4", "\ud800", "\0"])
def test_text_of_no_known_form_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"^move \d+ \(character \d+\)"):
        parse_position(text)


@pytest.mark.parametrize("board", [Board(16, 3), Board(24, 1)], ids=str)
def test_where_o_is_a_column_a_lone_o_is_one(board: Board) -> None:
    assert parse_moves("o", board) == (14,)


@pytest.mark.parametrize("notation", ["", "chess", "Columns"])
def test_a_notation_of_another_name_is_refused(notation: str) -> None:
    for use in (
        lambda: parse_position("", Board(), notation),
        lambda: parse_moves("", Board(), notation),
        lambda: format_position(Position.start(), notation),
        lambda: format_moves((), Board(), notation),
    ):
        with pytest.raises(NotationError, match="is not one of the notations"):
            use()


def test_auto_is_for_reading_only() -> None:
    with pytest.raises(NotationError, match="'auto' is not one of the notations columns,"):
        format_position(Position.start(), AUTO)


@pytest.mark.parametrize(
    ("moves", "message"),
    [((7,), "no column 7 on a 7x6 board, counted from 0"), ((3,) * 7, "^move 7: column 4 is full")],
)
@pytest.mark.parametrize("notation", MOVE_NOTATIONS + STONE_NOTATIONS)
def test_illegal_moves_are_not_written(moves: tuple[int, ...], message: str, notation: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        format_moves(moves, Board(), notation)


def test_a_notation_error_is_a_position_error() -> None:
    assert issubclass(NotationError, PositionError)
