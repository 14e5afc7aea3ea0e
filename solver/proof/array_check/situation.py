"""A position as the checker looks at it: sets of squares, each a bitboard, and what lies above a square."""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.word import NONE, ONE


class Situation(NamedTuple):
    """A position, seen by the controller; no rule may use a square of the `barred` columns."""

    rows: np.uint64
    squares: np.uint64
    odd: np.uint64
    own: np.uint64
    empty: np.uint64
    playable: np.uint64
    barred: np.uint64


class Lines(NamedTuple):
    """A board: its size, its squares as sets, and its groups."""

    columns: np.int64
    rows: np.uint64
    bottom: np.uint64
    squares: np.uint64
    odd: np.uint64
    groups: np.ndarray[tuple[int], np.dtype[np.uint64]]


def make_lines(columns: int, rows: int, connect: int) -> Lines:
    """The board of this size, its groups found by walking from every square in every direction."""
    bits = {(column, row): 1 << column * (rows + 1) + row for column in range(columns) for row in range(rows)}
    groups = []
    for column, row in bits:
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(column + step * right, row + step * up) for step in range(connect)]
            if all(point in bits for point in line):
                groups.append(sum(bits[point] for point in line))
    return Lines(
        columns=np.int64(columns),
        rows=np.uint64(rows),
        bottom=np.uint64(sum(bits[column, 0] for column in range(columns))),
        squares=np.uint64(sum(bits.values())),
        odd=np.uint64(sum(bit for (_, row), bit in bits.items() if row % 2 == 0)),
        groups=np.array(groups, np.uint64),
    )


LINES = typeof(make_lines(1, 2, 3))
SITUATION = typeof(Situation(NONE, NONE, NONE, NONE, NONE, NONE, NONE))
SQUARES = types.uint64[::1]


@kernel("uint64(uint64, uint64)")
def column_of(square, rows):
    """All squares of the column of a square."""
    stride = rows + ONE
    return ((ONE << rows) - ONE) << lowest_bit(square) // stride * stride


@kernel("uint64(uint64, uint64)")
def columns_of(squares, rows):
    """All squares of the columns of some squares."""
    columns = NONE
    while squares & ~columns != NONE:
        columns |= column_of(squares & ~columns, rows)
    return columns


@kernel("uint64(uint64, uint64)")
def above(square, rows):
    """The squares of the same column that are higher."""
    return column_of(square, rows) & ~(square | square - ONE)


@kernel("uint64(uint64, uint64)")
def at_or_below(squares, rows):
    """The squares themselves and those of the same columns that are lower."""
    reached = NONE
    while squares != NONE:
        square = squares & ~(squares - ONE)
        reached |= column_of(square, rows) & (square | square - ONE)
        squares &= squares - ONE
    return reached


@kernel("boolean(uint64, int64, uint64[::1])")
def is_group(squares, named, groups):
    """Whether the squares are a group of the board, and so many names name each of them once."""
    for group in groups:
        if group == squares:
            return np.int64(popcount(group)) == named
    return False


@kernel(types.boolean(types.uint64, types.uint64, types.uint64, types.uint64, SQUARES))
def is_unfinished(white, black, board, bottom, groups):
    """Whether a game can have come to these stones and goes on: squares of the board, none taken twice, none floating,
    as many White stones as Black ones or one more, no group complete, and room for another stone."""
    occupied = white | black
    if occupied & ~board != NONE or white & black != NONE or occupied == board:
        return False
    if occupied & ~(occupied << ONE | bottom) != NONE:
        return False
    if popcount(white) != popcount(black) and popcount(white) != popcount(black) + ONE:
        return False
    for group in groups:
        if group & ~white == NONE or group & ~black == NONE:
            return False
    return True
