"""A board to its last ply: every position, from the last ones backwards, without any search.

The verdicts of a ply follow from those of the next one, which are still in memory, so the store is only written to.
What is held at once is the keys of all plies, 8 bytes a position, and the verdicts of two plies.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from claimeven.db.retrograde import verdicts_from_children
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.verdicts import VerdictBatch

BATCH = 50_000
"""Positions a transaction: what a run that is killed may have to do again."""

Progress = Callable[[int, int], object]


def solve_whole_board(store: Store, board: Board, layers: dict[int, Keys], progress: Progress) -> None:
    """Store value and score of every unfinished position; `layers` are all of them by ply, and are used up.

    `progress` is told after every batch how many positions it held and of how many the store knew all of it before.
    Raises ContradictionError if a stored verdict excludes what the end of the game says.
    """
    below = VerdictBatch.join([])
    for ply in sorted(layers, reverse=True):
        keys, lookup = layers.pop(ply), _lookup_in(below)
        parts = []
        for start in range(0, len(keys), BATCH):
            part = verdicts_from_children(board, keys[start : start + BATCH], lookup)
            changed = store.write(board, part)
            progress(len(part), len(part) - changed)
            parts.append(part)
        below = VerdictBatch.join(parts)


def _lookup_in(known: VerdictBatch) -> Callable[[Keys], VerdictBatch]:
    """A lookup in verdicts that are sorted by key and hold every key that it will be asked for."""
    return lambda keys: known.select(np.searchsorted(known.keys, keys))
