"""Alpha-beta over win sets, as kernels.

A *win set* of a side is the set of empty squares of a line that holds no stone of the other side: fill it, and the line
wins. Of the sets of a side those that contain another one are dropped, equal ones count once. The value of a set is 50,
10 or 1 for 1, 2 or 3 squares, and 0 for more, times

    board height / mean height,

where the mean height of a set is the mean of its squares' row numbers, 1 at the bottom: low sets are filled sooner.
Without gravity no row is better than another and the factor is 1. A position is worth the mover's sets less the
other side's.
"""

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.players.win_sets.frame import (
    BLOCKED,
    CAPACITY,
    CONNECT,
    EMPTY,
    GRAVITY,
    HEIGHT,
    LONGEST_SET,
    NODES,
    STAMP,
    new_frame,
)

WIN = 1_000_000_000
"""A win counts this much, more than any position is worth, less the number of stones on the board when it is made."""
INFINITY = 2 * WIN

FRAME = typeof(new_frame(4, 4, 4, True, None, (1, 2, 0, 3), (), np.zeros(1, np.int64)))


@kernel(types.int64(FRAME, types.int64))
def landing_cell(frame, move):
    """The cell that a move fills; -1 if there is none left."""
    if frame.shape[GRAVITY] == 0:
        return move if frame.cells[move] == EMPTY else -1
    height = frame.shape[HEIGHT]
    row = frame.fill[move]
    if row < height and move * height + row == frame.shape[BLOCKED]:
        row += 1
    return move * height + row if row < height else -1


@kernel(types.void(FRAME, types.int64, types.int64))
def put(frame, cell, side):
    """A stone of side 0 or 1 on a cell."""
    height = frame.shape[HEIGHT]
    frame.cells[cell] = side + 1
    frame.fill[cell // height] = cell % height + 1
    for index in range(frame.line_counts[cell]):
        frame.stones[side, frame.lines_of[cell, index]] += 1


@kernel(types.void(FRAME, types.int64, types.int64))
def take_back(frame, cell, side):
    """Undo the last `put`."""
    height = frame.shape[HEIGHT]
    frame.cells[cell] = EMPTY
    frame.fill[cell // height] = cell % height
    for index in range(frame.line_counts[cell]):
        frame.stones[side, frame.lines_of[cell, index]] -= 1


@kernel(types.void(FRAME, types.uint8[::1]))
def load_cells(frame, cells):
    """Put a board on the frame: 1 and 2 are stones, anything else is not."""
    frame.stones[:] = 0
    frame.cells[:] = EMPTY
    frame.fill[:] = 0
    for cell in range(cells.shape[0]):
        if cells[cell] == 1 or cells[cell] == 2:
            put(frame, cell, np.int64(cells[cell]) - 1)


@kernel(types.boolean(FRAME, types.int64, types.int64))
def wins_at(frame, cell, side):
    """Whether a stone of a side on an empty cell completes a line."""
    for index in range(frame.line_counts[cell]):
        if frame.stones[side, frame.lines_of[cell, index]] == frame.shape[CONNECT] - 1:
            return True
    return False


@kernel(types.int64(FRAME, types.int64))
def value_sets(frame, side):
    """The value of one side's win sets, in thousandths; nobody has won."""
    height, connect = frame.shape[HEIGHT], frame.shape[CONNECT]
    frame.counters[STAMP] += 1
    stamp = frame.counters[STAMP]
    value = pairs = triples = 0
    for line in range(frame.lines.shape[0]):
        missing = connect - frame.stones[side, line]
        if missing > LONGEST_SET or frame.stones[1 - side, line] != 0:
            continue
        first = second = third = -1
        for index in range(connect):
            cell = frame.lines[line, index]
            if frame.cells[cell] == EMPTY:
                first, second, third = second, third, cell
        # Equal sets of two or more squares are of neighbours on one straight, so the last one found is the one to
        # compare with.
        if missing == 1:
            if frame.single_marks[third] != stamp:
                frame.single_marks[third] = stamp
                value += frame.weights[1, third % height + 1]
        elif missing == 2:
            if pairs == 0 or frame.pairs[pairs - 1, 0] != second or frame.pairs[pairs - 1, 1] != third:
                frame.pairs[pairs, 0], frame.pairs[pairs, 1] = second, third
                pairs += 1
        elif triples == 0 or (
            frame.triples[triples - 1, 0] != first
            or frame.triples[triples - 1, 1] != second
            or frame.triples[triples - 1, 2] != third
        ):
            frame.triples[triples, 0], frame.triples[triples, 1], frame.triples[triples, 2] = first, second, third
            triples += 1
    for index in range(pairs):
        first, second = frame.pairs[index, 0], frame.pairs[index, 1]
        if frame.single_marks[first] != stamp and frame.single_marks[second] != stamp:
            frame.pair_marks[first, second] = stamp
            value += frame.weights[2, first % height + second % height + 2]
    for index in range(triples):
        first, second, third = frame.triples[index, 0], frame.triples[index, 1], frame.triples[index, 2]
        if (
            frame.single_marks[first] != stamp
            and frame.single_marks[second] != stamp
            and frame.single_marks[third] != stamp
            and frame.pair_marks[first, second] != stamp
            and frame.pair_marks[first, third] != stamp
            and frame.pair_marks[second, third] != stamp
        ):
            value += frame.weights[3, first % height + second % height + third % height + 3]
    return value


@kernel(types.int64(FRAME, types.int64, types.int64, types.int64, types.int64, types.int64))
def search(frame, side, ply, depth, alpha, beta):
    """The value of a position for `side`, which is to move, `depth` plies deep; a bound outside `alpha` to `beta`.

    Nobody has won. A win that is there to be taken is seen at any depth. Means nothing once `stop` is set.
    """
    frame.counters[NODES] += 1
    if frame.stop[0] != 0:
        return 0
    if ply == frame.shape[CAPACITY]:
        return 0
    forced = -1
    for index in range(frame.order.shape[0]):
        cell = landing_cell(frame, frame.order[index])
        if cell < 0:
            continue
        if wins_at(frame, cell, side):
            return WIN - (ply + 1)
        if forced < 0 and wins_at(frame, cell, 1 - side):
            forced = cell
    if depth == 0:
        return value_sets(frame, side) - value_sets(frame, 1 - side)
    best = -INFINITY
    for index in range(frame.order.shape[0]):
        cell = landing_cell(frame, frame.order[index])
        # Any other move than to the square where the opponent wins next loses at once, which is no better.
        if cell < 0 or (forced >= 0 and cell != forced):
            continue
        put(frame, cell, side)
        value = -search(frame, 1 - side, ply + 1, depth - 1, -beta, -max(alpha, best))
        take_back(frame, cell, side)
        if value > best:
            best = value
            if best >= beta:
                break
    return best
