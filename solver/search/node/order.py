"""Which move to try first: what a move is worth before anything is known about it."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount
from claimeven.solver.search.memory import load
from claimeven.solver.search.slots import PRIORITIES
from claimeven.solver.word import ONE, WORD_BYTES

PER_THREAT = 128
PER_GOOD_THREAT = 128
PER_REPLY = 32


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def promise_of(workspace, move, threats, good, replies):
    """How promising a move is that leaves its player these threats and the other side these playable squares.

    The more threats the better, above all those on `good` squares, which zugzwang gives him; then the fewer replies
    that do not lose at once; then the more groups through the square. All of it is counted right after the stone,
    before any forced reply.
    """
    promise = PER_THREAT * np.int64(popcount(threats)) + PER_GOOD_THREAT * np.int64(popcount(threats & good))
    promise -= PER_REPLY * np.int64(popcount(replies & ~(threats >> ONE)))
    return promise + np.int64(load(load(workspace + PRIORITIES) + lowest_bit(move) * WORD_BYTES))
