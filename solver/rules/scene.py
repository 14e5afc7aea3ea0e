"""What a rule looks at: the geometry of the board and the stones of one position, as the kernels take them."""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.word import NONE, ONE, TWO


class Geometry(NamedTuple):
    """A board for kernels; `board_geometry` in claimeven.solver.proof.prover makes it from a Board."""

    stride: np.uint64
    connect: np.uint64
    bottom: np.uint64
    squares: np.uint64
    odd: np.uint64
    top: np.uint64
    groups: np.ndarray[tuple[int], np.dtype[np.uint64]]
    lines: np.ndarray[tuple[int], np.dtype[np.uint64]]  # the groups that are not vertical


class Scene(NamedTuple):
    """A position for the rules of one controller.

    `usable` are the empty squares that rules may use, `playable` the playable ones among them: a win condition
    of White takes whole columns away. If it `is_lean`, rules that are made of others leave out the instances that solve
    no more than their parts. A proof is lost where such a part does not combine with another solution by itself: none
    of 9,808 proofs of 160,000 random positions, with less than half of the solutions. For the search, which asks often
    and gets over a no.
    """

    opponent: np.uint64
    empty: np.uint64
    usable: np.uint64
    playable: np.uint64
    is_lean: bool


_NO_GROUPS = np.empty(0, np.uint64)
GEOMETRY = typeof(Geometry(NONE, NONE, NONE, NONE, NONE, NONE, _NO_GROUPS, _NO_GROUPS))
SCENE = typeof(Scene(NONE, NONE, NONE, NONE, False))
BITS = types.uint64[:, ::1]

# What every rule looks like: geometry, scene, has, has_above, table, count -> count.
FINDER = types.int64(GEOMETRY, SCENE, BITS, BITS, BITS, types.int64)


@kernel(types.boolean(BITS, types.uint64, types.uint64))
def share_a_problem(has, square, other):
    """Whether there is a problem that contains both squares."""
    for word in range(has.shape[0]):
        if has[word, square] & has[word, other] != NONE:
            return True
    return False


@kernel("uint64(uint64, uint64)")
def up_to(square, stride):
    """Everything at or below a square in its column."""
    bottom = ONE << square // stride * stride
    return (TWO << square) - bottom


@kernel("uint64(uint64, uint64)")
def whole_column(square, stride):
    """All squares of the column of a square; the spare bit on top is among them and does no harm."""
    return ((ONE << stride) - ONE) << square // stride * stride


@kernel("uint64(uint64, uint64)")
def above(square, stride):
    """Everything strictly above a square in its column."""
    return whole_column(square, stride) & ~up_to(square, stride)


@kernel("uint64(uint64, uint64)")
def whole_columns(squares, stride):
    """All squares of the columns that these squares are in."""
    columns = NONE
    while squares != NONE:
        column = whole_column(lowest_bit(squares), stride)
        columns |= column
        squares &= ~column
    return columns
