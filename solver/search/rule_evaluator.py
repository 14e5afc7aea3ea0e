"""The nine rules as an evaluator that the search can ask near the root."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray  # type: ignore[attr-defined]
from numba.core import types
from numba.extending import intrinsic

from claimeven.solver.board import Board
from claimeven.solver.kernel import callback, popcount
from claimeven.solver.proof.evaluation import BLACK, NOT_WHITE, WHITE, Workspace, evaluate, make_workspace
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.rules.scene import Geometry
from claimeven.solver.search.bounds import UNKNOWN
from claimeven.solver.search.memory import load
from claimeven.solver.search.workspace import Words, address_of, new_words

CHOSEN_SET_NODES = 200
"""What one evaluation may spend on finding a chosen set: most proofs need a few dozen."""

WORD_BYTES = np.uint64(8)
ONE, NONE = np.uint64(1), np.uint64(0)


@intrinsic
def _pointer(typing_context: Any, address: Any) -> Any:
    """An address as a pointer, for carray."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.uint64), generate


class RuleEvaluator:
    """The nine rules on a board, for one thread: `address` is the function, `context` what it works with."""

    def __init__(self, board: Board) -> None:
        geometry = board_geometry(board)
        self._arrays: list[np.ndarray[Any, Any]] = [geometry.groups, geometry.lines, *make_workspace(geometry)]
        scalars = [int(number) for number in geometry[: len(SCALARS)]]
        self._words: Words = new_words(len(scalars) + 3 * len(self._arrays))
        self._words[: len(scalars)] = scalars
        for number, array in enumerate(self._arrays):
            place = len(scalars) + 3 * number
            self._words[place : place + 3] = array.ctypes.data, array.shape[0], array.shape[-1]

    @property
    def address(self) -> int:
        return int(bound_by_rules.address)

    @property
    def context(self) -> int:
        return address_of(self._words)


SCALARS = ("stride", "connect", "bottom", "squares", "odd", "top")
ARRAYS = np.uint64(8 * len(SCALARS))


@callback("int64(uint64, uint64, uint64)")
def bound_by_rules(context, white, black):
    """What `bounds.ask_evaluator` expects, by the nine rules."""

    def word(number):
        return load(context + np.uint64(8 * number))

    def row(number, dtype):
        place = context + ARRAYS + np.uint64(24 * number)
        return carray(_pointer(load(place)), (np.int64(load(place + np.uint64(8))),), dtype)

    def table(number):
        place = context + ARRAYS + np.uint64(24 * number)
        shape = (np.int64(load(place + np.uint64(8))), np.int64(load(place + np.uint64(16))))
        return carray(_pointer(load(place)), shape, np.uint64)

    geometry = Geometry(word(0), word(1), word(2), word(3), word(4), word(5), row(0, np.uint64), row(1, np.uint64))
    work = Workspace(
        row(2, np.uint64),
        table(3),
        table(4),
        table(5),
        table(6),
        table(7),
        row(8, np.int64),
        table(9),
        table(10),
        table(11),
        row(12, np.int64),
        row(13, np.int64),
        row(14, np.int64),
        row(15, np.int64),
    )
    found = evaluate(geometry, work, white, black, CHOSEN_SET_NODES)
    if found == NOT_WHITE:
        return 0
    if found == BLACK:
        return -1
    if found == WHITE:
        return 1
    return UNKNOWN if popcount(white | black) & ONE == NONE else -UNKNOWN
