"""The board of a Kaggle ConnectX observation: a flat JSON list of all squares, row by row from the top left.

The square of a column and a row from the top, both from 0, has index column + row * columns; 0 is an empty
square, 1 a stone of the player who began, 2 one of the other.
"""

from __future__ import annotations

import json

from claimeven.solver.board import Board
from claimeven.solver.notation.error import NotationError, count
from claimeven.solver.notation.stones import cell_at, describe, load_json, place_stones, read_cell
from claimeven.solver.position import Position


def parse(text: str, board: Board | None) -> Position:
    """The position of a list of 0, 1 and 2, on a 7x6 board if none is given, for the list does not say.

    >>> position = parse("[0,0,0,0, 0,0,0,0, 0,2,0,0, 0,1,1,0]", Board(4, 4))
    >>> position.board.names(position.white), position.board.names(position.black)
    (['b1', 'c1'], ['b2'])
    """
    board = board or Board()
    values = load_json(text)
    if not isinstance(values, list):
        raise NotationError(f"expected a list of {board.cells} numbers, found {describe(values)}")
    if len(values) != board.cells:
        raise NotationError(f"the {board} board has {count(board.cells, 'square')}, the list has {len(values)}")
    cells = []
    for index, value in enumerate(values):
        from_top, column = divmod(index, board.columns)
        square = board.square(column, board.rows - 1 - from_top)
        cells.append((square, read_cell(value, f"index {index} ({board.name(square)})")))
    return place_stones(board, cells)


def write(position: Position) -> str:
    """The position as a list of 0, 1 and 2."""
    board = position.board
    return json.dumps(
        [cell_at(position, column, row) for row in reversed(range(board.rows)) for column in range(board.columns)]
    )
