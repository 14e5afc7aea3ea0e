"""Windows, all at once: every group of `connect` squares in a line, as a bit at its first square.

A window is named by the bit of the square it begins at, one bitboard for each direction. Shifting a bitboard by a
step moves all windows along, so a few operations on words count the stones in all windows of a direction. The spare bit
on top of each column is never a stone nor an empty square, so no window goes over an edge.
"""

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.players.window.words import DIRECTIONS, Slot

NONE, ONE = np.uint64(0), np.uint64(1)
ALL = ~NONE
CONNECT, STEPS = int(Slot.CONNECT), int(Slot.STEPS)


@kernel("UniTuple(uint64, 5)(uint64[::1], uint64, uint64, uint64)")
def find_windows(words, step, stones, free):
    """The windows that hold nothing but `stones` and `free` squares, by how many are free: 0, 1, 2, 3, or more."""
    full, one, two, three, more = ALL, NONE, NONE, NONE, NONE
    for _ in range(words[CONNECT]):
        more = (more & (stones | free)) | (three & free)
        three = (three & stones) | (two & free)
        two = (two & stones) | (one & free)
        one = (one & stones) | (full & free)
        full &= stones
        stones >>= step
        free >>= step
    return full, one, two, three, more


@kernel("uint64(uint64[::1], uint64, uint64)")
def squares_of(words, step, windows):
    """All squares of these windows."""
    squares = NONE
    for _ in range(words[CONNECT]):
        squares |= windows
        windows <<= step
    return squares


@kernel("uint64(uint64[::1], uint64, uint64)")
def winning_squares(words, stones, empty):
    """The empty squares that would complete a line of these stones."""
    squares = NONE
    for direction in range(DIRECTIONS):
        step = words[STEPS + direction]
        _, one, _, _, _ = find_windows(words, step, stones, empty)
        squares |= squares_of(words, step, one)
    return squares & empty
