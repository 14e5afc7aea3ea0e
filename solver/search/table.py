"""The transposition table: what has been found out, shared by all threads without a lock.

An entry is one 64-bit word, so a thread reads or writes all of it or nothing. A position's key is multiplied
by an odd number modulo 2^n, n being the bits of the board, which maps keys one to one; the high bits
of the product choose the bucket and all the others are in the entry, so that an entry matches its own position
and no other. Two threads that write the same bucket at the same time may lose what one of them found, never mix it.

    | remainder: 46 bits at most | work: 6 | least score + 32: 6 | greatest score + 32: 6 |

Scores are the mover's. `work` is the logarithm of the nodes that the entry cost; in a full bucket the cheapest
entry gives way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.kernel import kernel
from claimeven.solver.search.budget import NO_LIMIT
from claimeven.solver.search.memory import load, load_shared, store_shared
from claimeven.solver.search.shortage import tell_shortage
from claimeven.solver.search.slots import (
    BOTTOM,
    COLUMNS,
    FACTOR,
    KEY_MASK,
    MIRROR_PLY,
    REMAINDER_BITS,
    REMAINDER_MASK,
    STRIDE,
    TABLE,
)
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words
from claimeven.solver.word import NONE, ONE, WORD, WORD_BYTES

ENTRIES = 4
GROWTH_BITS = 2
NODES_PER_ENTRY = 8
"""A table that forgets what was cheap costs some nodes, one that is beyond the caches of the processor costs more."""
BUCKET_BYTES = ENTRIES * int(WORD_BYTES)
BUCKET_SHIFT = np.uint64(BUCKET_BYTES.bit_length() - 1)
INFORMATION_BITS = 18
REMAINDER_SHIFT = np.uint64(INFORMATION_BITS)
INFORMATION = np.uint64((1 << INFORMATION_BITS) - 1)
WORK_SHIFT, LEAST_SHIFT, SIX_BITS = np.uint64(12), np.uint64(6), np.uint64(63)
SCORE_OFFSET = 32
GOLDEN_RATIO = 0x9E3779B97F4A7C15  # an odd number whose bits show no pattern


class TranspositionTable:
    """The memory of a search, for one board; the same one serves any number of threads and positions.

    It begins with `first_bytes` and may grow to `memory_bytes`: for a small search a table that fits into the cache of
    the processor is twice as fast as one that does not.
    """

    def __init__(self, board: Board, memory_bytes: int, first_bytes: int | None = None) -> None:
        self.key_bits = board.columns * board.stride
        self._least_index_bits = least_index_bits(board)
        self._most_index_bits = self._index_bits(memory_bytes)
        self.index_bits = min(self._index_bits(first_bytes or memory_bytes), self._most_index_bits)
        self.words: Words = new_words(ENTRIES << self.index_bits)

    def _index_bits(self, memory_bytes: int) -> int:
        bits = max(memory_bytes // BUCKET_BYTES, 1).bit_length() - 1
        return min(max(bits, self._least_index_bits), self.key_bits)

    @property
    def memory_bytes(self) -> int:
        return self.words.nbytes

    @property
    def entries(self) -> int:
        """How many positions it can hold."""
        return len(self.words)

    @property
    def room(self) -> int:
        """How many nodes a position may take before the table should grow."""
        return NODES_PER_ENTRY * self.entries if self.can_grow else NO_LIMIT

    @property
    def can_grow(self) -> bool:
        return self.index_bits < self._most_index_bits

    def grow(self, workspaces: Sequence[Words]) -> None:
        """Make it larger, keep what it holds, and attach it to the workspaces; none of them may be searching.

        Where there is no memory for that it grows less, or stays as it is for good, and `tell_shortage` says so.
        """
        wanted = min(self.index_bits + GROWTH_BITS, self._most_index_bits)
        index_bits, words = self._allocate(wanted)
        if index_bits < wanted:
            self._most_index_bits = index_bits
            tell_shortage(words.nbytes)
        if index_bits == self.index_bits:
            return
        # Nothing fails from here on: a table that is only half changed would be read beyond its end.
        old, buckets, remainder_bits = self.words, 1 << self.index_bits, self.key_bits - self.index_bits
        self.index_bits, self.words = index_bits, words
        for workspace in workspaces:
            self.attach(workspace)
        _take_over(
            np.uint64(address_of(workspaces[0])),
            np.uint64(address_of(old)),
            np.uint64(buckets),
            np.uint64(remainder_bits),
        )

    def _allocate(self, wanted: int) -> tuple[int, Words]:
        """The words of a table of the wanted size, or of the largest one that there is memory for, and its size."""
        for index_bits in range(wanted, self.index_bits, -1):
            try:
                return index_bits, new_words(ENTRIES << index_bits)
            except MemoryError:
                continue
        return self.index_bits, self.words

    def clear(self) -> None:
        """Forget everything."""
        self.words.fill(0)

    def attach(self, workspace: Words) -> None:
        """Make a workspace use this table; the caller keeps the table alive."""
        remainder_bits = self.key_bits - self.index_bits
        workspace[Slot.TABLE] = address_of(self.words)
        workspace[Slot.FACTOR] = GOLDEN_RATIO & ((1 << self.key_bits) - 1)
        workspace[Slot.KEY_MASK] = (1 << self.key_bits) - 1
        workspace[Slot.REMAINDER_BITS] = remainder_bits
        workspace[Slot.REMAINDER_MASK] = (1 << remainder_bits) - 1


def least_index_bits(board: Board) -> int:
    """The fewest buckets, as a power of two, with which an entry still has room for the rest of the key."""
    return max(board.columns * board.stride + INFORMATION_BITS - WORD, 0)


@kernel("uint64(uint64, uint64)")
def mirror(workspace, key):
    """The key of the mirror image of a position that has this key."""
    stride = load(workspace + STRIDE)
    column_mask = (ONE << stride) - ONE
    mirrored = NONE
    column = load(workspace + COLUMNS)
    while column != NONE:
        mirrored = (mirrored << stride) | (key & column_mask)
        key >>= stride
        column -= ONE
    return mirrored


@kernel("uint64(uint64, uint64, uint64, int64)")
def hash_of(workspace, mover, other, ply):
    """The hash of a position; different positions have different ones, mirror images near the root the same."""
    key = mover | ((mover | other) + load(workspace + BOTTOM))
    if ply <= np.int64(load(workspace + MIRROR_PLY)):
        mirrored = mirror(workspace, key)
        if mirrored < key:
            key = mirrored
    return (key * load(workspace + FACTOR)) & load(workspace + KEY_MASK)


@kernel("uint64(uint64, uint64)")
def bucket_of(workspace, hash_):
    """The address of the bucket that a hash belongs to."""
    return load(workspace + TABLE) + ((hash_ >> load(workspace + REMAINDER_BITS)) << BUCKET_SHIFT)


@kernel("uint64(uint64, uint64)")
def probe(workspace, hash_):
    """What is known of a position, for `least` and `greatest` to read; 0 if nothing is."""
    entry = bucket_of(workspace, hash_)
    remainder = hash_ & load(workspace + REMAINDER_MASK)
    for _ in range(ENTRIES):
        word = load_shared(entry)
        if (word >> REMAINDER_SHIFT) == remainder:
            return word & INFORMATION  # 0 if the entry is empty: no score plus 32 is 0
        entry += WORD_BYTES
    return NONE


@kernel("int64(uint64)")
def least(known):
    """The least score that is possible."""
    return np.int64((known >> LEAST_SHIFT) & SIX_BITS) - SCORE_OFFSET


@kernel("int64(uint64)")
def greatest(known):
    """The greatest score that is possible."""
    return np.int64(known & SIX_BITS) - SCORE_OFFSET


@kernel("void(uint64, uint64, int64, int64, uint64)")
def remember(workspace, hash_, least_score, greatest_score, work):
    """Keep the bounds of a position, tightened by those that are kept already."""
    bucket = bucket_of(workspace, hash_)
    remainder = hash_ & load(workspace + REMAINDER_MASK)
    place = bucket
    cheapest = SIX_BITS
    entry = bucket
    for _ in range(ENTRIES):
        word = load_shared(entry)
        if word == NONE:
            place = entry
            break
        if (word >> REMAINDER_SHIFT) == remainder:
            place = entry
            least_score = max(least_score, least(word))
            greatest_score = min(greatest_score, greatest(word))
            work = max(work, (word >> WORK_SHIFT) & SIX_BITS)
            break
        cost = (word >> WORK_SHIFT) & SIX_BITS
        if cost < cheapest:
            cheapest = cost
            place = entry
        entry += WORD_BYTES
    information = (
        (work << WORK_SHIFT)
        | (np.uint64(least_score + SCORE_OFFSET) << LEAST_SHIFT)
        | np.uint64(greatest_score + SCORE_OFFSET)
    )
    store_shared(place, (remainder << REMAINDER_SHIFT) | information)


@kernel("void(uint64, uint64, uint64, uint64)")
def _take_over(workspace, old, buckets, remainder_bits):
    """Put the entries of an old table with so many buckets into the one that is attached."""
    for bucket in range(buckets):
        for entry in range(ENTRIES):
            word = load(old + ((np.uint64(bucket) << BUCKET_SHIFT) + np.uint64(entry) * WORD_BYTES))
            if word != NONE:
                hash_ = (np.uint64(bucket) << remainder_bits) | (word >> REMAINDER_SHIFT)
                remember(workspace, hash_, least(word), greatest(word), (word >> WORK_SHIFT) & SIX_BITS)
