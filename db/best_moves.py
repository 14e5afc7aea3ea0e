"""The best moves of many positions at once, as far as the verdicts of the positions after them tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from claimeven.db.retrograde import Lookup
from claimeven.solver.board import Board
from claimeven.solver.positions import canonical_keys, play_column, split_keys
from claimeven.solver.score import greatest_score
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch


def best_columns(board: Board, batch: VerdictBatch, lookup: Lookup) -> NDArray[np.bool_]:
    """For each unfinished position and each column whether the move is known to be as good as any.

    By score where that of the position is known and a move is known to reach it, else those that keep a win or a draw.
    Without scores nothing tells which move of a lost position resists longest.
    """
    stones = split_keys(board, batch.keys)
    plies = stones.plies.astype(np.int64)
    white = plies % 2 == 0
    # A lost position has no best value: every move keeps it.
    best_value = np.where(white, batch.greatest, -batch.least).astype(np.int64)
    best_value[best_value == -1] = -127
    by_value = np.zeros((len(batch), board.columns), dtype=np.bool_)
    by_score = np.zeros_like(by_value)
    for column in range(board.columns):
        move = play_column(board, stones, column)
        full = move.legal & ~move.wins & (plies == board.cells - 1)
        goes_on = move.legal & ~move.wins & ~full
        value = np.full(len(batch), -126, dtype=np.int64)
        score = np.full(len(batch), NO_SCORE, dtype=np.int64)
        value[move.wins], value[full], score[full] = 1, 0, 0
        score[move.wins] = greatest_score(board.cells, plies[move.wins])
        if goes_on.any():
            known = lookup(canonical_keys(board, move.keys[goes_on]))
            value[goes_on] = np.where(white[goes_on], known.least, -known.greatest)
            score[goes_on] = np.where(known.has_score, -known.scores.astype(np.int64), NO_SCORE)
        by_value[:, column] = value == best_value
        by_score[:, column] = batch.has_score & (score == batch.scores)
    return np.where(by_score.any(axis=1, keepdims=True), by_score, by_value)
