"""What the notations that list stones have in common: from the cells of a board to a position."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeGuard

from claimeven.solver.board import Board, BoardError, Square
from claimeven.solver.notation.error import NotationError, shorten
from claimeven.solver.position import Position, PositionError

EMPTY, FIRST, SECOND = 0, 1, 2


def make_board(columns: int, rows: int) -> Board:
    """The board of this size that a text speaks of; four in a line win, for no notation says otherwise."""
    try:
        return Board(columns, rows)
    except BoardError as error:
        raise NotationError(str(error)) from None


def place_stones(board: Board, cells: Iterable[tuple[Square, int]]) -> Position:
    """The position with these squares' contents; raises NotationError if no game could have led to it."""
    white = black = 0
    for square, cell in cells:
        white |= (cell == FIRST) << square
        black |= (cell == SECOND) << square
    try:
        return Position.from_stones(board, white, black)
    except PositionError as error:
        raise NotationError(str(error)) from None


def cell_at(position: Position, column: int, row: int) -> int:
    """What lies in `column` and `row`, both from 0: EMPTY, FIRST or SECOND."""
    square = position.board.square(column, row)
    return FIRST if position.white >> square & 1 else SECOND if position.black >> square & 1 else EMPTY


def load_json(text: str) -> Any:
    """The value of a JSON text; raises NotationError, naming the character, for anything else."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: {error.msg} (character {error.pos + 1})") from None
    except RecursionError:
        raise NotationError("not a position: the JSON is nested too deeply") from None
    except ValueError:  # the interpreter refuses to convert integers of thousands of digits
        raise NotationError("not a position: the JSON holds a number with too many digits") from None


def read_cell(value: object, place: str) -> int:
    """The 0, 1 or 2 of a cell; `place` names it in the message of the NotationError for anything else."""
    if not is_integer(value) or value not in (EMPTY, FIRST, SECOND):
        raise NotationError(f"{place}: expected 0, 1 or 2, found {describe(value)}")
    return int(value)


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a JSON value is a whole number: true, false, 1.0 and "1" are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def describe(value: object) -> str:
    """A JSON value in a message.

    >>> describe(True), describe("x"), describe([[0]])
    ('true', '"x"', 'a list')
    """
    # Never the repr of a container: it may be nested deeper than repr can follow.
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return shorten(json.dumps(value))
