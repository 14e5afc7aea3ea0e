"""Scores and how long a game lasts: a score says with which stone it ends, but for that stone's colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board


def last_stones(board: Board, plies: NDArray[np.int64], scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the stone that ends the game under best play; a draw ends with the last square.

    >>> last_stones(Board(7, 6), np.array([4, 11, 0]), np.array([18, -15, 1])).tolist()
    [7, 13, 41]
    """
    last = board.cells + 2 - 2 * np.abs(scores)
    white_wins = (scores > 0) == (plies % 2 == 0)
    # White's stones are the odd ones, and the formula rounds.
    last = last - (last % 2 != white_wins)
    return np.where(scores == 0, board.cells, last)


def scores_of_last_stones(
    board: Board, last: NDArray[np.int64], mover_outcomes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The score of a game that ends with stone `last` and that the side to move wins (1), draws (0) or loses (-1)."""
    return np.where(mover_outcomes == 0, 0, mover_outcomes * ((board.cells + 2 - last) // 2))
