"""The board as text: rows from the top, `.` an empty square, `x` a stone of White, `o` one of Black.

Rows stand on lines of their own, or have `/` or, all on one line, spaces between them. Blank lines, spaces
between the squares of a row and capitals are allowed.
"""

from __future__ import annotations

import re

from claimeven.solver.board import Board
from claimeven.solver.notation.error import NotationError, count, quote
from claimeven.solver.notation.stones import EMPTY, FIRST, SECOND, make_board, place_stones
from claimeven.solver.position import Position

_CELLS = {".": EMPTY, "x": FIRST, "X": FIRST, "o": SECOND, "O": SECOND}


def parse(text: str, board: Board | None) -> Position:
    """The position drawn in `text`, on a board of the drawing's size if none is given.

    >>> position = parse(".... / .... / .o.. / .xx.", None)
    >>> str(position.board), position.ply
    ('4x4', 3)
    """
    lines = re.split(r"[\n/]" if re.search(r"[\n/]", text.strip()) else r"\s+", text)
    rows = [row for line in lines if (row := "".join(line.split()))]
    if board is None:
        if not rows:
            raise NotationError("the text has no rows")
        board = make_board(len(rows[0]), len(rows))
    if len(rows) != board.rows:
        raise NotationError(f"the {board} board has {count(board.rows, 'row')}, the text {count(len(rows), 'row')}")
    cells = []
    for line, row in enumerate(rows, start=1):
        height = board.rows - line
        if len(row) != board.columns:
            raise NotationError(
                f"row {height + 1} (line {line} from the top): the {board} board has "
                f"{count(board.columns, 'column')}, the row {count(len(row), 'square')}"
            )
        for column, symbol in enumerate(row):
            square = board.square(column, height)
            if symbol not in _CELLS:
                raise NotationError(
                    f"{board.name(square)} (line {line} from the top, square {column + 1}): "
                    f"expected '.', 'x' or 'o', found {quote(symbol)}"
                )
            cells.append((square, _CELLS[symbol]))
    return place_stones(board, cells)


def write(position: Position) -> str:
    """The board as text, one row a line."""
    return str(position)
