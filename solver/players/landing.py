"""Where moves go, as tables: gravity and blocked cells for kernels that know neither."""

from __future__ import annotations

import numpy as np

from claimeven.solver.players.game import Game, State

NOWHERE = -1

Shorts = np.ndarray[tuple[int], np.dtype[np.int16]]


def first_cells(game: Game) -> Shorts:
    """By move: the cell that it fills on the empty board; NOWHERE if it is never possible.

    >>> first_cells(Game(3, 4, blocked=4)).tolist()
    [0, 5, 8]
    """
    cells = [State.start(game).landing_cell(move) for move in range(game.moves)]
    return np.array([NOWHERE if cell is None else cell for cell in cells], np.int16)


def cells_above(game: Game) -> Shorts:
    """By cell: the cell that the same move fills next; NOWHERE if there is none, as always without gravity.

    >>> cells_above(Game(2, 4, blocked=2)).tolist()
    [1, 3, 3, -1, 5, 6, 7, -1]
    """
    above = np.full(game.cells, NOWHERE, np.int16)
    if game.gravity:
        for cell in range(game.cells):
            next_cell = cell + 1 + (cell + 1 == game.blocked)
            if next_cell < (cell // game.height + 1) * game.height:
                above[cell] = next_cell
    return above


def moves_of_cells(game: Game) -> Shorts:
    """By cell: the move that fills it, sooner or later.

    >>> moves_of_cells(Game(2, 3)).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    return np.arange(game.cells, dtype=np.int16) // (game.height if game.gravity else 1)
