"""The nine rules as an evaluator that the search can ask near the root."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.kernel import callback, instruction, numba_function, popcount
from claimeven.solver.proof.evaluation import (
    BLACK,
    IS_LEAN,
    NOT_WHITE,
    WHITE,
    Scratch,
    evaluate_follower,
    make_scratch,
)
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.rules.scene import Geometry
from claimeven.solver.search.memory import load
from claimeven.solver.search.node.bounds import UNKNOWN
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words, upper_squares
from claimeven.solver.word import NONE, ONE, WORD_BYTES

CHOSEN_SET_NODES = 200
"""What one evaluation may spend on finding a chosen set: most proofs need a few dozen."""


carray = numba_function("carray")


@instruction("voidptr(uint64)")
def _pointer(ir: Any, builder: Any, arguments: Any) -> Any:
    """An address as a pointer, for carray."""
    return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())


SCALARS = Geometry._fields[: Geometry._fields.index("groups")]
ARRAYS = (*Geometry._fields[len(SCALARS) :], *Scratch._fields)
ARRAY_WORDS = 3
"""Of an array the context holds the address, the length, and the length of a row."""

_Places = namedtuple("_Places", [*SCALARS, *ARRAYS])  # type: ignore[misc]  # the fields are not written here again
PLACES = _Places(
    *(WORD_BYTES * np.uint64(number) for number in range(len(SCALARS))),
    *(WORD_BYTES * np.uint64(len(SCALARS) + ARRAY_WORDS * number) for number in range(len(ARRAYS))),
)
"""How many bytes after the beginning of the context a field of the geometry or of the scratch is described."""


class RuleEvaluator:
    """The nine rules on a board, for one thread: `address` is the function, `context` what it works with."""

    def __init__(self, board: Board) -> None:
        squares, upper = np.uint64(board.squares), np.uint64(upper_squares(board))
        geometry = board_geometry(board)._replace(odd=squares & ~upper)
        scratch = make_scratch(geometry)
        scratch.counters[IS_LEAN] = 1
        self._arrays: list[Any] = [*geometry[len(SCALARS) :], *scratch]
        self._words: Words = new_words(len(SCALARS) + ARRAY_WORDS * len(ARRAYS))
        self._words[: len(SCALARS)] = geometry[: len(SCALARS)]
        for number, array in enumerate(self._arrays):
            place = len(SCALARS) + ARRAY_WORDS * number
            self._words[place : place + ARRAY_WORDS] = array.ctypes.data, array.shape[0], array.shape[-1]

    @property
    def address(self) -> int:
        return int(bound_by_rules.address)

    @property
    def context(self) -> int:
        return address_of(self._words)

    def attach(self, workspace: Words) -> None:
        """Let a search ask it; the caller keeps it alive."""
        workspace[Slot.EVALUATOR] = self.address
        workspace[Slot.EVALUATOR_CONTEXT] = self.context


def last_evaluated_ply(board: Board) -> int:
    """Up to here alpha-beta asks the rules: later an evaluation costs more than the search that it spares.

    >>> last_evaluated_ply(Board())
    13
    """
    return max(board.cells // 3 - 1, 0)


@callback("int64(uint64, uint64, uint64)")
def bound_by_rules(context, mover, other):
    """What `bounds.ask_evaluator` expects, by the nine rules; why they hold for any number of rows is said there."""

    def word(place):
        return load(context + place)

    def row(place, dtype):
        start = context + place
        return carray(_pointer(load(start)), (np.int64(load(start + WORD_BYTES)),), dtype)

    def table(place):
        start = context + place
        shape = (np.int64(load(start + WORD_BYTES)), np.int64(load(start + WORD_BYTES + WORD_BYTES)))
        return carray(_pointer(load(start)), shape, np.uint64)

    geometry = Geometry(
        stride=word(PLACES.stride),
        connect=word(PLACES.connect),
        bottom=word(PLACES.bottom),
        squares=word(PLACES.squares),
        odd=word(PLACES.odd),
        top=word(PLACES.top),
        groups=row(PLACES.groups, np.uint64),
        lines=row(PLACES.lines, np.uint64),
    )
    work = Scratch(
        problems=row(PLACES.problems, np.uint64),
        has=table(PLACES.has),
        has_above=table(PLACES.has_above),
        patterns=table(PLACES.patterns),
        conditions=table(PLACES.conditions),
        table=table(PLACES.table),
        starts=row(PLACES.starts, np.int64),
        solvers=table(PLACES.solvers),
        allowed=table(PLACES.allowed),
        unsolved=table(PLACES.unsolved),
        chosen=row(PLACES.chosen, np.int64),
        targets=row(PLACES.targets, np.int64),
        found=row(PLACES.found, np.int64),
        counters=row(PLACES.counters, np.int64),
    )
    is_even = popcount(geometry.squares & ~(mover | other)) & ONE == NONE
    found = evaluate_follower(geometry, work, mover, other, is_even, CHOSEN_SET_NODES)
    if found == NOT_WHITE:
        return 0
    if found in (BLACK, WHITE):
        return -1
    return UNKNOWN
