"""Which positions threads are at, so that each leaves for later what another one is busy with.

A row of words, each for many positions: the last one that a thread went into says so there. A mark that is overwritten
costs some work done twice and nothing else.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.memory import load, load_shared, store_shared
from claimeven.solver.search.slots import BUSY
from claimeven.solver.word import NONE, ONE, WORD_BYTES

BUSY_WORDS = 1 << 14
BUSY_MASK = np.uint64(BUSY_WORDS - 1)


@kernel("boolean(uint64, uint64)")
def is_busy(workspace, hash_):
    """Whether a thread is in this position."""
    return load_shared(load(workspace + BUSY) + (hash_ & BUSY_MASK) * WORD_BYTES) == hash_ + ONE


@kernel("void(uint64, uint64, boolean)")
def set_busy(workspace, hash_, is_in):
    """Say that this thread is in a position, or is no more."""
    store_shared(load(workspace + BUSY) + (hash_ & BUSY_MASK) * WORD_BYTES, hash_ + ONE if is_in else NONE)
