"""What the window kernels know of a board and of their task: one array of words, and the words' places in it."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]

SQUARE_BITS = 64
DIRECTIONS = 4


class Slot(IntEnum):
    """The places of the words. Boards are bitboards as in `claimeven.solver.board`."""

    SQUARES = 0
    BOTTOM = 1
    TOP = 2
    ODD = 3  # the squares of rows 1, 3, 5, ...
    CENTRE = 4  # the middle column; the two middle ones if the number of columns is even
    CONNECT = 5
    COLUMNS = 6
    STRIDE = 7
    STEPS = 8  # from a square to the next one up, right, rising and falling
    OWN_IS_FIRST = 12  # whether the side that positions are valued for moved first
    USES_RULES = 13  # whether the strategic bonus counts
    IS_CAREFUL = 14  # whether a position is looked at for wins, double threats and gifts before it is valued
    NODES = 15
    STOP = 16
    ORDER = 17  # the columns from the middle outwards, at most 64
    KEYS = ORDER + SQUARE_BITS  # Zobrist's random numbers: first player's stones, second player's
    END = KEYS + 2 * SQUARE_BITS


ZOBRIST_SEED = 1970
"""Any number does: the keys only have to be the same in every run."""


def new_words(columns: int, rows: int, connect: int, order: tuple[int, ...]) -> Words:
    """The words of a board; everything that is not geometry is 0."""
    stride = rows + 1
    words = np.zeros(Slot.END, np.uint64)
    bottom = sum(1 << column * stride for column in range(columns))
    centre = {(columns - 1) // 2, columns // 2}
    words[Slot.SQUARES] = bottom * ((1 << rows) - 1)
    words[Slot.BOTTOM] = bottom
    words[Slot.TOP] = bottom << (rows - 1)
    words[Slot.ODD] = bottom * sum(1 << row for row in range(0, rows, 2))
    words[Slot.CENTRE] = sum(((1 << rows) - 1) << column * stride for column in centre)
    # A line longer than the board is as impossible as one a square longer; kernels shift by less than 64 that way.
    words[Slot.CONNECT] = min(connect, max(columns, rows) + 1)
    words[Slot.COLUMNS] = columns
    words[Slot.STRIDE] = stride
    words[Slot.STEPS : Slot.STEPS + DIRECTIONS] = (1, stride, stride + 1, stride - 1)
    words[Slot.ORDER : Slot.ORDER + columns] = order
    words[Slot.KEYS :] = np.random.default_rng(ZOBRIST_SEED).integers(1 << 64, size=2 * SQUARE_BITS, dtype=np.uint64)
    return words
