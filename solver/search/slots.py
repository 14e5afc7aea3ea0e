"""The slots of a workspace as kernels address them: how many bytes after its beginning each word is."""

import numpy as np

from claimeven.solver.search.workspace import Slot
from claimeven.solver.word import WORD_BYTES


def _offset(slot: Slot) -> np.uint64:
    return WORD_BYTES * np.uint64(slot)


STRIDE = _offset(Slot.STRIDE)
ROWS = _offset(Slot.ROWS)
COLUMNS = _offset(Slot.COLUMNS)
CONNECT = _offset(Slot.CONNECT)
CELLS = _offset(Slot.CELLS)
BOTTOM = _offset(Slot.BOTTOM)
SQUARES = _offset(Slot.SQUARES)
GUARDS = _offset(Slot.GUARDS)
ODD = _offset(Slot.ODD)
EVEN = _offset(Slot.EVEN)
HAS_RULES = _offset(Slot.HAS_RULES)
IS_FAST = _offset(Slot.IS_FAST)
TABLE = _offset(Slot.TABLE)
FACTOR = _offset(Slot.FACTOR)
KEY_MASK = _offset(Slot.KEY_MASK)
REMAINDER_BITS = _offset(Slot.REMAINDER_BITS)
REMAINDER_MASK = _offset(Slot.REMAINDER_MASK)
MIRROR_PLY = _offset(Slot.MIRROR_PLY)
NODES = _offset(Slot.NODES)
NODE_LIMIT = _offset(Slot.NODE_LIMIT)
CONTROL = _offset(Slot.CONTROL)
IS_STOPPED = _offset(Slot.IS_STOPPED)
BUSY = _offset(Slot.BUSY)
LARGE_PLY = _offset(Slot.LARGE_PLY)
PRIORITIES = _offset(Slot.PRIORITIES)
MOVES = _offset(Slot.MOVES)
EVALUATOR = _offset(Slot.EVALUATOR)
EVALUATOR_CONTEXT = _offset(Slot.EVALUATOR_CONTEXT)
EVALUATOR_PLY = _offset(Slot.EVALUATOR_PLY)
END = _offset(Slot.END)
UPPER = _offset(Slot.UPPER)
JOURNAL = _offset(Slot.JOURNAL)
