"""Which move to try first: what a move is worth before anything is known about it."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount
from claimeven.solver.search.memory import load
from claimeven.solver.search.slots import PRIORITIES
from claimeven.solver.word import WORD_BYTES

PER_THREAT = 128
PER_GOOD_THREAT = 128


@kernel("int64(uint64, uint64, uint64, uint64)")
def promise_of(workspace, move, threats, good):
    """How promising a move is that leaves its player these threats: the more of them the better, above all of those
    on `good` squares, which zugzwang gives him, then the more groups through the square."""
    promise = PER_THREAT * np.int64(popcount(threats)) + PER_GOOD_THREAT * np.int64(popcount(threats & good))
    return promise + np.int64(load(load(workspace + PRIORITIES) + lowest_bit(move) * WORD_BYTES))
