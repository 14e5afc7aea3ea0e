"""The journal: what a thread has found on the way and took much, for whoever goes on from it another day.

Each thread writes its own, in a ring (`ring`). Its first word is how many entries were written. An entry is three
words: the stones of the side to move, those of the other, and what was found, as an entry of the table has it, with the
number of the position that was asked for in the place of the remainder:

    | number | work: 6 | least score + 32: 6 | greatest score + 32: 6 |

Only what took `WORTH_KEEPING` nodes is written: a small part of all that is found, which stands for nearly all of the
work. Whoever puts all of it back into a table is where the thread was, but for what is below that on its way down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.memory import highest_bit, load, load_shared, store, store_shared
from claimeven.solver.search.node.forced import greatest_possible, least_possible
from claimeven.solver.search.ring import Ring
from claimeven.solver.search.slots import BOTTOM, CELLS, CONTROL, FACTOR, JOURNAL, KEY_MASK, MIRROR_PLY
from claimeven.solver.search.table import (
    LEAST_SHIFT,
    REMAINDER_SHIFT,
    SCORE_OFFSET,
    SIX_BITS,
    WORK_SHIFT,
    hash_of,
    mirror,
    remember,
)
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words
from claimeven.solver.word import NONE, ONE, TWO, WORD_BYTES

WORTH_KEEPING = np.uint64(1 << 12)
"""So many nodes take some milliseconds."""

CURRENT_WORD = 2
"""The word after a control word that says at which position of a job the threads are that watch it."""

ENTRY_WORDS = 3
ROOM = 1 << 15
RING = np.uint64(ROOM - 1)
ENTRY_BYTES = WORD_BYTES * np.uint64(ENTRY_WORDS)
CURRENT = WORD_BYTES * np.uint64(CURRENT_WORD)


class Journal:
    """The journal of one thread, attached to its workspace."""

    def __init__(self, workspace: Words) -> None:
        self._words = new_words(1 + ROOM * ENTRY_WORDS)
        self._ring = Ring(self._words[1:], ENTRY_WORDS, lambda: int(self._words[0]))
        workspace[Slot.JOURNAL] = address_of(self._words)

    def take(self, *, is_idle: bool) -> NDArray[np.uint64]:
        """The entries that were not taken yet, a row each, as `Ring` gives them."""
        return self._ring.take(is_idle=is_idle)


def read_found(words: Words) -> tuple[NDArray[np.intp], NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """What the third words of entries say: the positions asked for, least and greatest scores, and the work."""
    least, greatest = (
        ((words >> shift & SIX_BITS).astype(np.int64) - SCORE_OFFSET).astype(np.int8) for shift in (LEAST_SHIFT, NONE)
    )
    works = (words >> WORK_SHIFT & SIX_BITS).astype(np.int8)
    return (words >> REMAINDER_SHIFT).astype(np.intp), least, greatest, works


@kernel("void(uint64, uint64, uint64, int64, int64, uint64)")
def write_down(workspace, mover, other, low, high, nodes):
    """Put down the bounds of a position that took much."""
    journal = load(workspace + JOURNAL)
    if journal == NONE:
        return
    length = load(journal)
    entry = journal + WORD_BYTES + (length & RING) * ENTRY_BYTES
    store(entry, mover)
    store(entry + WORD_BYTES, other)
    store(
        entry + WORD_BYTES * TWO,
        (load_shared(load(workspace + CONTROL) + CURRENT) << REMAINDER_SHIFT)
        | (highest_bit(nodes) << WORK_SHIFT)
        | (np.uint64(low + SCORE_OFFSET) << LEAST_SHIFT)
        | np.uint64(high + SCORE_OFFSET),
    )
    store_shared(journal, length + ONE)


@kernel("void(uint64, uint64[::1], uint64[::1], int8[::1], int8[::1], int8[::1])")
def put_back(workspace, movers, others, lows, highs, works):
    """Put bounds on the movers' scores into the table, for positions and for their mirror images."""
    cells = np.int64(load(workspace + CELLS))
    for i in range(movers.shape[0]):
        ply = np.int64(popcount(movers[i] | others[i]))
        low = max(np.int64(lows[i]), least_possible(cells, ply))
        high = min(np.int64(highs[i]), greatest_possible(cells, ply))
        if low > high:  # it is not quiet, and would never be looked up
            continue
        work = np.uint64(works[i]) & SIX_BITS
        remember(workspace, hash_of(workspace, movers[i], others[i], ply), low, high, work)
        if ply > np.int64(load(workspace + MIRROR_PLY)):
            key = mirror(workspace, movers[i] | ((movers[i] | others[i]) + load(workspace + BOTTOM)))
            remember(workspace, (key * load(workspace + FACTOR)) & load(workspace + KEY_MASK), low, high, work)
