"""The evaluation of *guru*: what is in each window.

Of every window of `connect` squares (four in the standard game):

    all of them own stones                      +100,000
    all but one own stones, that one empty            +5
    all but two own stones, those two empty           +2
    all but one opponent's stones, that one empty     -4

and +3 for each own stone in the centre column, or in either of the two in the middle if the number of columns is even.
"""

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.players.window.patterns import find_windows
from claimeven.solver.players.window.words import DIRECTIONS, Slot

FOUR, THREE, TWO, OPPONENTS_THREE, CENTRE = 100_000, 5, 2, -4, 3
SQUARES, STEPS, CENTRE_COLUMN = int(Slot.SQUARES), int(Slot.STEPS), int(Slot.CENTRE)


@kernel("int64(uint64[::1], uint64, uint64)")
def value_windows(words, own, opponent):
    """What a position is worth to the side with the `own` stones."""
    empty = words[SQUARES] & ~(own | opponent)
    value = CENTRE * np.int64(popcount(own & words[CENTRE_COLUMN]))
    for direction in range(DIRECTIONS):
        step = words[STEPS + direction]
        full, one, two, _, _ = find_windows(words, step, own, empty)
        value += FOUR * np.int64(popcount(full)) + THREE * np.int64(popcount(one)) + TWO * np.int64(popcount(two))
        _, one, _, _, _ = find_windows(words, step, opponent, empty)
        value += OPPONENTS_THREE * np.int64(popcount(one))
    return value
