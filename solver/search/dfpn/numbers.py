"""Proof and disproof numbers, and the table that remembers those of positions that are not decided.

An entry is one word, as in the table of what is decided. Here it need not be exact: the check bits are fewer than would
tell all positions apart, and an entry taken for that of another position only sends the search elsewhere.

    | check: 20 bits | proof number: 22 | disproof number: 22 |

Both numbers are those of the side to move, for its own `alpha`, which is part of the hash. In a full bucket the entry
with the smallest numbers gives way: it stands for the least work.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.dfpn.desk import NUMBERS, NUMBERS_SHIFT, DeskSlot
from claimeven.solver.search.memory import load, load_shared, store_shared
from claimeven.solver.search.workspace import Words, address_of, new_words
from claimeven.solver.word import NONE, WORD, WORD_BYTES

ENTRIES = 4
BUCKET_BYTES = ENTRIES * int(WORD_BYTES)
BUCKET_SHIFT = np.uint64(BUCKET_BYTES.bit_length() - 1)

NUMBER_BITS = 22
NEVER = (1 << NUMBER_BITS) - 1
"""More than any number: what can never be proved, or disproved. As a limit, none at all."""
MOST = NEVER - 1
"""The greatest number of a position that is not decided: sums stop here."""

NUMBER_SHIFT, NUMBER_MASK = np.uint64(NUMBER_BITS), np.uint64(NEVER)
CHECK_SHIFT = np.uint64(2 * NUMBER_BITS)
PAIR_MASK = np.uint64((1 << 2 * NUMBER_BITS) - 1)
CHECK_MASK = np.uint64((1 << (WORD - 2 * NUMBER_BITS)) - 1)

PROVED, DISPROVED = np.uint64(NEVER), np.uint64(NEVER << NUMBER_BITS)
"""The numbers of what is decided."""

FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, and its bits show no pattern
HALF = np.uint64(WORD // 2)


class NumberTable:
    """The memory for the numbers of one search, for all its threads."""

    def __init__(self, memory_bytes: int) -> None:
        self._bits = max(memory_bytes // BUCKET_BYTES, 2).bit_length() - 1
        self.words: Words = new_words(ENTRIES << self._bits)

    @property
    def memory_bytes(self) -> int:
        return self.words.nbytes

    def attach(self, desk: Words) -> None:
        """Make a desk use this table; the caller keeps the table alive."""
        desk[DeskSlot.NUMBERS] = address_of(self.words)
        desk[DeskSlot.NUMBERS_SHIFT] = WORD - self._bits

    def clear(self) -> None:
        """Forget everything."""
        self.words.fill(0)


@kernel("uint64(int64, int64)")
def pack(proof, disproof):
    """Two numbers in one word."""
    return (np.uint64(proof) << NUMBER_SHIFT) | np.uint64(disproof)


@kernel("int64(uint64)")
def proof_of(numbers):
    """The proof number of a pair."""
    return np.int64((numbers >> NUMBER_SHIFT) & NUMBER_MASK)


@kernel("int64(uint64)")
def disproof_of(numbers):
    """The disproof number of a pair."""
    return np.int64(numbers & NUMBER_MASK)


@kernel("uint64(uint64, int64)")
def _mix(hash_, alpha):
    """A word whose high bits choose the bucket and whose low bits are the check."""
    mixed = (hash_ ^ (hash_ >> HALF)) * FACTOR
    if alpha != 0:
        mixed = ~mixed
    mixed ^= mixed >> HALF
    mixed *= FACTOR
    return mixed ^ (mixed >> HALF)


@kernel("uint64(uint64, uint64)")
def _bucket_of(desk, mixed):
    return load(desk + NUMBERS) + ((mixed >> load(desk + NUMBERS_SHIFT)) << BUCKET_SHIFT)


@kernel("uint64(uint64, uint64, int64)")
def recall(desk, hash_, alpha):
    """The numbers that a position had when it was left, for `proof_of` and `disproof_of`; 0 if they are not there."""
    mixed = _mix(hash_, alpha)
    entry = _bucket_of(desk, mixed)
    check = mixed & CHECK_MASK
    for _ in range(ENTRIES):
        word = load_shared(entry)
        if word >> CHECK_SHIFT == check:
            return word & PAIR_MASK  # 0 if the entry is empty
        entry += WORD_BYTES
    return NONE


@kernel("void(uint64, uint64, int64, uint64)")
def note(desk, hash_, alpha, numbers):
    """Remember the numbers of a position; 0 instead of them makes room, as for one that is decided."""
    mixed = _mix(hash_, alpha)
    entry = _bucket_of(desk, mixed)
    check = mixed & CHECK_MASK
    place = entry
    least = 2 * NEVER
    for _ in range(ENTRIES):
        word = load_shared(entry)
        size = proof_of(word) + disproof_of(word)
        if word >> CHECK_SHIFT == check:
            place = entry
            least = -1
            break
        if size < least:  # an empty entry has 0
            least = size
            place = entry
        entry += WORD_BYTES
    if numbers != NONE:
        store_shared(place, (check << CHECK_SHIFT) | numbers)
    elif least < 0:
        store_shared(place, NONE)
