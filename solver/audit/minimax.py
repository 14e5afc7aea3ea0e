"""Plain minimax: every move is tried to the end of the game and nothing is clever. Search is compared with it.

It knows nothing of bitboards: the board is an array of cells, and a line is found by walking from the last stone.
"""

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.position import Position

EMPTY = 0


def minimax_score(position: Position) -> int:
    """The score for the side to move of an unfinished position: who wins, and with how many stones to spare.

    >>> from claimeven.solver.board import Board
    >>> minimax_score(Position.start(Board(4, 3, connect=3)))
    2
    """
    board = position.board
    cells = np.zeros((board.columns, board.rows), np.int8)
    for column in range(board.columns):
        for row in range(board.rows):
            cells[column, row] = {".": EMPTY, "x": 1, "o": 2}[position.stone_at(board.square(column, row))]
    return int(_score(cells, position.ply, board.connect))


@kernel("boolean(int8[:, ::1], int64, int64, int64)")
def _is_line(cells, column, row, connect):
    """Whether the stone on a cell is part of a line of `connect`."""
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            i, j = column + sign * right, row + sign * up
            while 0 <= i < cells.shape[0] and 0 <= j < cells.shape[1] and cells[i, j] == cells[column, row]:
                length += 1
                i += sign * right
                j += sign * up
        if length >= connect:
            return True
    return False


@kernel("int64(int8[:, ::1], int64, int64)")
def _score(cells, ply, connect):
    """The score for the side to move after `ply` stones; nobody has a line."""
    if ply == cells.size:
        return 0
    best = -cells.size
    for column in range(cells.shape[0]):
        row = 0
        while row < cells.shape[1] and cells[column, row] != EMPTY:
            row += 1
        if row == cells.shape[1]:
            continue
        cells[column, row] = 1 + ply % 2
        if _is_line(cells, column, row, connect):
            score = (cells.size + 2 - (ply + 1)) // 2
        else:
            score = -_score(cells, ply + 1, connect)
        cells[column, row] = EMPTY
        best = max(best, score)
    return best
