"""The question of the JSON player protocol: `{"height":6,"width":7,"player":1,"grid":[[0,0,0,0,0,1],...]}`.

The grid is a list of columns from the left, each from top to bottom; 0 is an empty square, 1 a stone of the
player who began, 2 one of the other; `player` is the one to move. Further members are ignored.
"""

from __future__ import annotations

import json
from typing import Any

from claimeven.solver.board import MAX_BITS, Board
from claimeven.solver.notation.error import NotationError, count
from claimeven.solver.notation.stones import (
    FIRST,
    SECOND,
    cell_at,
    describe,
    is_integer,
    load_json,
    make_board,
    place_stones,
    read_cell,
)
from claimeven.solver.position import Position, Side


def parse(text: str, board: Board | None) -> Position:
    """The position of a protocol object, on the board that it names; a `board` that is given must be that one.

    >>> position = parse('{"height":2,"width":3,"player":1,"grid":[[0,0],[2,1],[0,0]]}', None)
    >>> str(position.board), position.board.names(position.white)
    ('3x2', ['b1'])
    """
    question = load_json(text)
    if not isinstance(question, dict):
        raise NotationError(f"expected an object with height, width, player and grid, found {describe(question)}")
    width, height = (_whole_number(question, name) for name in ("width", "height"))
    if board is None:
        board = make_board(width, height)
    elif (width, height) != (board.columns, board.rows):
        raise NotationError(f"the board is {board}, but the object has width {width} and height {height}")
    position = place_stones(board, _cells(_member(question, "grid"), board))
    player = _whole_number(question, "player")
    if player != _to_move(position):
        raise NotationError(
            f'"player" is {player}, but with {count(position.white.bit_count(), "stone")} of player 1 and '
            f"{position.black.bit_count()} of player 2 it is player {_to_move(position)}'s turn"
        )
    return position


def write(position: Position) -> str:
    """The position as a protocol object, on one line."""
    board = position.board
    grid = [[cell_at(position, column, row) for row in reversed(range(board.rows))] for column in range(board.columns)]
    question = {"height": board.rows, "width": board.columns, "player": _to_move(position), "grid": grid}
    return json.dumps(question, separators=(",", ":"))


def _to_move(position: Position) -> int:
    return FIRST if position.to_move is Side.WHITE else SECOND


def _member(question: dict[str, Any], name: str) -> Any:
    if name not in question:
        raise NotationError(f'the object has no "{name}"')
    return question[name]


def _whole_number(question: dict[str, Any], name: str) -> int:
    value = _member(question, name)
    if not is_integer(value) or not 1 <= value <= MAX_BITS:
        raise NotationError(f'"{name}": expected a whole number from 1 to {MAX_BITS}, found {describe(value)}')
    return value


def _cells(grid: object, board: Board) -> list[tuple[int, int]]:
    """The squares of the grid and what lies on them."""
    if not isinstance(grid, list):
        raise NotationError(f'"grid": expected a list of columns, found {describe(grid)}')
    if len(grid) != board.columns:
        raise NotationError(f'"grid": the {board} board has {count(board.columns, "column")}, the grid {len(grid)}')
    cells = []
    for column, entries in enumerate(grid):
        place = f"grid column {column}"
        if not isinstance(entries, list):
            raise NotationError(f"{place}: expected a list of {board.rows} numbers, found {describe(entries)}")
        if len(entries) != board.rows:
            raise NotationError(f"{place}: the {board} board has {count(board.rows, 'row')}, the list {len(entries)}")
        for from_top, value in enumerate(entries):
            square = board.square(column, board.rows - 1 - from_top)
            cells.append((square, read_cell(value, f"{place}, entry {from_top} ({board.name(square)})")))
    return cells
