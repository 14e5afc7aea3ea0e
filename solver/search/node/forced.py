"""Forced sequences: what happens before anybody has a choice again."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.memory import load, store
from claimeven.solver.search.node.lines import threats
from claimeven.solver.search.node.moves import MOVER, MOVER_THREATS, OTHER, OTHER_THREATS, PLY, SIGN
from claimeven.solver.search.slots import BOTTOM, CELLS, SQUARES
from claimeven.solver.word import NONE, ONE

OPEN = 100
"""No score: the position that forced moves lead to is quiet."""


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64)")
def follow(workspace, mover, other, mover_threats, other_threats, move):
    """Play forced replies until the position is quiet or its score known.

    Quiet: the mover cannot win at once, the other side does not threaten to, and some move does not lose at once.
    The mover must not be able to win at once. Gives the mover's score, or OPEN after writing the quiet position to
    `move`, where SIGN is 1 if the same side is to move there and -1 if not.
    """
    squares, bottom = load(workspace + SQUARES), load(workspace + BOTTOM)
    cells = np.int64(load(workspace + CELLS))
    occupied = mover | other
    ply = np.int64(popcount(occupied))
    sign = 1
    while True:
        playable = (occupied + bottom) & squares
        forced = other_threats & playable
        if forced == NONE:
            if playable & ~(other_threats >> ONE) == NONE:
                return sign * -((cells - ply) // 2)  # 0 on a full board
            store(move + MOVER, mover)
            store(move + OTHER, other)
            store(move + MOVER_THREATS, mover_threats)
            store(move + OTHER_THREATS, other_threats)
            store(move + SIGN, np.uint64(sign))
            store(move + PLY, np.uint64(ply))
            return OPEN
        if forced & (forced - ONE) != NONE or (forced << ONE) & other_threats != NONE:
            return sign * -((cells - ply) // 2)
        replied = mover | forced
        occupied |= forced
        mover = other
        other = replied
        mover_threats = other_threats & ~forced
        other_threats = threats(workspace, other, squares & ~occupied)
        ply += 1
        sign = -sign


@kernel("int64(uint64, uint64, uint64, uint64)")
def follow_from(workspace, mover, other, move):
    """The same from any unfinished position, one where the mover wins at once too."""
    occupied = mover | other
    empty = load(workspace + SQUARES) & ~occupied
    own_threats = threats(workspace, mover, empty)
    if own_threats & (occupied + load(workspace + BOTTOM)) != NONE:
        return (np.int64(load(workspace + CELLS)) + 1 - np.int64(popcount(occupied))) // 2
    return follow(workspace, mover, other, own_threats, threats(workspace, other, empty), move)


@kernel("int64(int64, int64)")
def least_possible(cells, ply):
    """The mover's least score in a quiet position: the other side wins with its second stone from here."""
    return -((cells - 2 - ply) // 2) if ply < cells - 1 else 0


@kernel("int64(int64, int64)")
def greatest_possible(cells, ply):
    """The mover's greatest score in a quiet position: he wins with his second stone from here."""
    return (cells - 1 - ply) // 2
