"""The tables and the memory that the win-set kernels work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

EMPTY = 0
LONGEST_SET = 3
VALUE_OF_SIZE = (0, 50, 10, 1)
UNIT = 1000
"""Values are whole numbers of thousandths, so that sums do not depend on their order."""

# The counters.
NODES = 0
STAMP = 1
COUNTERS = 2


class Frame(NamedTuple):
    """A board as the kernels see it, and their scratch memory; one a thread.

    `lines` holds the cells of every line, lines on the same straight next to each other in their order, because
    kernels find equal sets there; `lines_of[cell]` is those through a cell, `line_counts[cell]` of them.
    `stones[side, line]` counts a side's stones on a line. `fill[column]` is the row above the highest stone, used with
    gravity only. A cell is a set of its own, or two cells are one, if their mark is the present stamp.
    """

    shape: Numbers  # width, height, connect, gravity, blocked cell or -1, cells that can be filled
    order: Numbers
    lines: NDArray[np.int64]
    lines_of: NDArray[np.int64]
    line_counts: Numbers
    weights: NDArray[np.int64]  # by size and sum of row numbers
    cells: Numbers
    fill: Numbers
    stones: NDArray[np.int64]
    single_marks: Numbers
    pair_marks: NDArray[np.int64]
    pairs: NDArray[np.int64]
    triples: NDArray[np.int64]
    counters: Numbers
    stop: Numbers


WIDTH, HEIGHT, CONNECT, GRAVITY, BLOCKED, CAPACITY = range(6)


def new_frame(
    width: int,
    height: int,
    connect: int,
    gravity: bool,
    blocked: int | None,
    order: tuple[int, ...],
    lines: tuple[tuple[int, ...], ...],
    stop: Numbers,
) -> Frame:
    """The frame of a game; `load_cells` puts a board on it. All frames of a search share `stop`."""
    cells = width * height
    sorted_lines = sorted(lines, key=lambda line: _place_of(line, height))
    through = [[number for number, line in enumerate(sorted_lines) if cell in line] for cell in range(cells)]
    lines_of = np.zeros((cells, max(map(len, through), default=0)), np.int64)
    for cell, numbers in enumerate(through):
        lines_of[cell, : len(numbers)] = numbers
    fillable = cells - (blocked is not None)
    return Frame(
        shape=np.array([width, height, connect, gravity, -1 if blocked is None else blocked, fillable], np.int64),
        order=np.array(order, np.int64),
        lines=np.array(sorted_lines, np.int64).reshape(len(sorted_lines), connect if sorted_lines else 0),
        lines_of=lines_of,
        line_counts=np.array([len(numbers) for numbers in through], np.int64),
        weights=weigh_sets(height, gravity),
        cells=np.zeros(cells, np.int64),
        fill=np.zeros(width, np.int64),
        stones=np.zeros((2, len(sorted_lines)), np.int64),
        single_marks=np.zeros(cells, np.int64),
        pair_marks=np.zeros((cells, cells), np.int64),
        pairs=np.zeros((len(sorted_lines) + 1, 2), np.int64),
        triples=np.zeros((len(sorted_lines) + 1, 3), np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        stop=stop,
    )


def _place_of(line: tuple[int, ...], height: int) -> tuple[int, ...]:
    """Where a line is: its direction, its straight, and how far along that it begins."""
    (column, row), (next_column, next_row) = divmod(line[0], height), divmod(line[1], height)
    right, up = next_column - column, next_row - row
    return (right, up, row - column * up, column) if right else (right, up, column, row)


def weigh_sets(height: int, gravity: bool) -> NDArray[np.int64]:
    """What a set is worth, in thousandths, by its size and the sum of its row numbers.

    >>> weigh_sets(6, gravity=True)[1, 3], weigh_sets(6, gravity=True)[2, 3], weigh_sets(6, gravity=False)[2, 3]
    (np.int64(100000), np.int64(40000), np.int64(10000))
    """
    weights = np.zeros((LONGEST_SET + 1, LONGEST_SET * height + 1), np.int64)
    for size in range(1, LONGEST_SET + 1):
        for total in range(size, size * height + 1):
            numerator = UNIT * VALUE_OF_SIZE[size] * (height * size if gravity else total)
            weights[size, total] = (2 * numerator + total) // (2 * total)
    return weights
