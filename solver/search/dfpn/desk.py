"""What one thread of a proof-number search has beside its workspace: a desk, a second block of words.

The workspace (`claimeven.solver.search.workspace`) is that of alpha-beta and serves the kernels that both searches
share. The desk holds what only this search needs, and ends with room for the numbers of the moves of every ply.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.search.workspace import PLIES, Words, address_of, new_words
from claimeven.solver.word import WORD_BYTES


class DeskSlot(IntEnum):
    """The words of a desk by number."""

    NUMBERS = 0  # address of the table of numbers
    NUMBERS_SHIFT = 1  # how many bits of a mixed hash do not choose the bucket
    MOVE_NUMBERS = 2  # address of the room for the numbers of moves
    EVALUATIONS = 3  # how often the nine rules were asked
    RULE_LEAVES = 4  # and how often they decided
    JOURNAL = 5  # address of the journal, 0 for none
    JOURNAL_LENGTH = 6
    WALKED = 7  # of a walk through a proof: address of the positions seen, how many there is room for, less one
    WALKED_MASK = 8
    WALKED_COUNT = 9
    WALKED_RULES = 10  # those that the nine rules decide
    WALKED_SIGHT = 11  # those that are decided at sight


DESK_SLOTS = 16
NUMBERS_OF_A_MOVE = 2


def _offset(slot: DeskSlot) -> np.uint64:
    return WORD_BYTES * np.uint64(slot)


NUMBERS = _offset(DeskSlot.NUMBERS)
NUMBERS_SHIFT = _offset(DeskSlot.NUMBERS_SHIFT)
MOVE_NUMBERS = _offset(DeskSlot.MOVE_NUMBERS)
EVALUATIONS = _offset(DeskSlot.EVALUATIONS)
RULE_LEAVES = _offset(DeskSlot.RULE_LEAVES)
JOURNAL = _offset(DeskSlot.JOURNAL)
JOURNAL_LENGTH = _offset(DeskSlot.JOURNAL_LENGTH)
WALKED = _offset(DeskSlot.WALKED)
WALKED_MASK = _offset(DeskSlot.WALKED_MASK)
WALKED_COUNT = _offset(DeskSlot.WALKED_COUNT)
WALKED_RULES = _offset(DeskSlot.WALKED_RULES)
WALKED_SIGHT = _offset(DeskSlot.WALKED_SIGHT)

PAIR = WORD_BYTES * np.uint64(NUMBERS_OF_A_MOVE)
"""The bytes of the two numbers of a move: what it takes to prove the position by it, and to show that it fails."""


def new_desk(board: Board) -> Words:
    """A desk with nothing on it but room."""
    words = new_words(DESK_SLOTS + PLIES * board.columns * NUMBERS_OF_A_MOVE)
    words[DeskSlot.MOVE_NUMBERS] = address_of(words) + int(WORD_BYTES) * DESK_SLOTS
    return words
