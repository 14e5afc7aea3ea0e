"""What one search thread works with: a block of words that holds the board, the table and the counters.

Kernels get the address of the block and read a word of it by its slot. The block ends with room for the moves of
every ply, so that a search allocates nothing.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from claimeven.solver.board import Board
from claimeven.solver.search.memory import LINE_BYTES
from claimeven.solver.word import WORD, WORD_BYTES

Words = npt.NDArray[np.uint64]


class Slot(IntEnum):
    """The words of a workspace by number."""

    STRIDE = 0
    ROWS = 1
    COLUMNS = 2
    CONNECT = 3
    CELLS = 4
    BOTTOM = 5
    SQUARES = 6
    GUARDS = 7  # the spare bits
    ODD = 8
    EVEN = 9
    HAS_RULES = 10  # whether nodes are bounded by what the rules say
    IS_FAST = 11  # connect four, and every shift is smaller than a word
    TABLE = 12
    FACTOR = 13
    KEY_MASK = 14
    REMAINDER_BITS = 15
    REMAINDER_MASK = 16
    MIRROR_PLY = 17  # up to here a position and its mirror image share an entry
    NODES = 18
    NODE_LIMIT = 19
    CONTROL = 20  # address of the word that all threads of a search watch
    IS_STOPPED = 21
    BUSY = 22  # address of what threads are searching at the moment, 0 for a thread alone
    LARGE_PLY = 23  # up to here nodes are large: worth a second look at the table, and for threads to avoid each other
    PRIORITIES = 24  # address of the number of groups through each square
    MOVES = 25  # address of the room for moves
    EVALUATOR = 26  # address of a rule evaluator, 0 for none
    EVALUATOR_CONTEXT = 27
    EVALUATOR_PLY = 28  # up to here it is asked about a position before that is searched, -1 for never
    END = 29  # address of the end of the moves that were written last
    UPPER = 30  # the upper squares of all pairs, where columns are divided into pairs from the top
    JOURNAL = 31  # address of what is put down of what was found (`journal`), 0 for nowhere


SLOTS = 40
MOVE_WORDS = 8
MOVE_BYTES = int(WORD_BYTES) * MOVE_WORDS
PLIES = WORD  # no board has more squares
SMALL_PLIES = 20
NEVER = (1 << WORD) - 1
"""As a signed number -1: no ply."""


def new_words(count: int) -> Words:
    """Zeroed words that start on a cache line."""
    word_bytes = int(WORD_BYTES)
    words: Words = np.zeros(count + LINE_BYTES // word_bytes, np.uint64)
    return words[(-words.ctypes.data % LINE_BYTES) // word_bytes :][:count]


def address_of(words: Words) -> int:
    """Where words are in memory; the caller keeps them alive."""
    return int(words.ctypes.data)


def upper_squares(board: Board) -> int:
    """The upper squares of the pairs that columns are divided into from the top; the lowest square may be one alone.

    >>> [f"{upper_squares(Board(1, rows)):b}" for rows in (4, 5)]
    ['1010', '10101']
    """
    return board.bottom * sum(1 << row for row in range(board.rows - 1, -1, -2))


def new_workspace(board: Board) -> Words:
    """A workspace that knows its board and nothing else yet."""
    squares = WORD
    moves = PLIES * board.columns * MOVE_WORDS
    words = new_words(SLOTS + squares + moves)
    start = address_of(words)
    words[: len(Slot)] = 0
    for slot, value in {
        Slot.STRIDE: board.stride,
        Slot.ROWS: board.rows,
        Slot.COLUMNS: board.columns,
        Slot.CONNECT: board.connect,
        Slot.CELLS: board.cells,
        Slot.BOTTOM: board.bottom,
        Slot.SQUARES: board.squares,
        Slot.GUARDS: board.bottom << board.rows,
        Slot.ODD: board.odd_squares,
        Slot.EVEN: board.squares & ~board.odd_squares,
        Slot.HAS_RULES: 1,
        Slot.UPPER: upper_squares(board),
        Slot.IS_FAST: int(board.connect == 4 and 3 * (board.stride + 1) < WORD),
        Slot.LARGE_PLY: max(board.cells - SMALL_PLIES, 0),
        Slot.MIRROR_PLY: board.cells // 3 if board.columns > 1 else NEVER,
        Slot.PRIORITIES: start + int(WORD_BYTES) * SLOTS,
        Slot.MOVES: start + int(WORD_BYTES) * (SLOTS + squares),
        Slot.EVALUATOR_PLY: NEVER,
    }.items():
        words[slot] = value
    for group in board.groups:
        for square in range(squares):
            words[SLOTS + square] += np.uint64(group >> square & 1)
    return words
