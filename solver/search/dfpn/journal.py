"""The journal: decided positions worth keeping, for whoever wants to go on from them another day.

Each thread writes its own, in a ring. An entry is three words: the stones of the side to move, those of the other, and
what was found. Only what took `WORTH_KEEPING` visits is written: a small part of all that is decided, which stands for
nearly all of the work. Entries that nobody takes are overwritten by later ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.kernel import kernel
from claimeven.solver.search.dfpn.desk import JOURNAL, JOURNAL_LENGTH, DeskSlot
from claimeven.solver.search.memory import load, store, store_shared
from claimeven.solver.search.ring import Ring
from claimeven.solver.search.workspace import Words, address_of, new_words
from claimeven.solver.word import NONE, ONE, TWO, WORD_BYTES

WORTH_KEEPING = np.uint64(256)
ENTRY_WORDS = 3
ROOM = 1 << 14
RING = np.uint64(ROOM - 1)
ENTRY_BYTES = WORD_BYTES * np.uint64(ENTRY_WORDS)
IS_GREATER, IS_MINUS_ONE = np.uint64(1), np.uint64(2)
"""The bits of the third word: the mover's score is greater than `alpha`; `alpha` is -1 and not 0."""


class Journal:
    """The journal of one thread, attached to its desk."""

    def __init__(self, desk: Words) -> None:
        self._words: Words = new_words(ROOM * ENTRY_WORDS)
        self._ring = Ring(self._words, ENTRY_WORDS, lambda: int(desk[DeskSlot.JOURNAL_LENGTH]))
        desk[DeskSlot.JOURNAL] = address_of(self._words)

    def take(self, *, is_idle: bool) -> NDArray[np.uint64]:
        """The entries that were not taken yet, a row each, as `Ring` gives them."""
        return self._ring.take(is_idle=is_idle)


@kernel("void(uint64, uint64, uint64, int64, boolean, uint64)")
def write_down(desk, mover, other, alpha, is_greater, nodes):
    """Put down what was found of a position, if it took much."""
    journal = load(desk + JOURNAL)
    if journal == NONE or nodes < WORTH_KEEPING:
        return
    length = load(desk + JOURNAL_LENGTH)
    entry = journal + (length & RING) * ENTRY_BYTES
    found = NONE if alpha == 0 else IS_MINUS_ONE
    store(entry, mover)
    store(entry + WORD_BYTES, other)
    store(entry + WORD_BYTES * TWO, found | IS_GREATER if is_greater else found)
    store_shared(desk + JOURNAL_LENGTH, length + ONE)
