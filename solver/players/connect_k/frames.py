"""Frames counted while moves are played and taken back, as kernels.

A frame is a line of `connect` cells. It belongs to a side that has stones in it while the other has none, and is
worth the more the fewer stones it lacks. A frame that lacks one stone has a completing cell; a side whose completing
cell is playable wins. A trap is two completing cells of one side that are playable at the same time - two lines, or one
line that is open at both ends - or, with gravity, one right above the other: it wins unless the opponent wins first.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof

NOWHERE = -1

# The numbers of a board.
SIDE = 0  # to move: 0 or 1
FREE = 1  # how many cells can still be filled
VALUE = 2  # of all frames, for side 0
LISTED = 3  # how many completing cells side 0 has, and in the next place side 1
NUMBERS = 5

TRAP_VALUE = 1000

Shorts = np.ndarray[tuple[int], np.dtype[np.int16]]
ShortRows = np.ndarray[tuple[int, int], np.dtype[np.int16]]


class Frames(NamedTuple):
    """What never changes in a game."""

    connect: int
    has_gravity: bool
    through: ShortRows  # the frames through each cell, NOWHERE behind the last
    around: ShortRows  # the cells near each cell, NOWHERE behind the last
    above: Shorts  # by cell: where the same move goes next
    move_of: Shorts  # by cell
    worth: np.ndarray[tuple[int], np.dtype[np.int64]]  # of a frame, by the number of stones in it
    keys: np.ndarray[tuple[int, int], np.dtype[np.uint64]]  # Zobrist's, by side and cell


class Board(NamedTuple):
    """What moves change."""

    numbers: np.ndarray[tuple[int], np.dtype[np.int64]]
    key: np.ndarray[tuple[int], np.dtype[np.uint64]]
    stones: ShortRows  # by side and frame
    missing: Shorts  # by frame: the exclusive or of the cells that are empty
    completing: ShortRows  # by side and cell: the frames that a stone there would complete
    listed: ShortRows  # by side: the cells that complete a frame, or did before they were filled
    near: Shorts  # by cell: how many stones are near it
    landing: Shorts  # by move: the cell that it fills, NOWHERE if none


_shorts, _rows = np.empty(0, np.int16), np.empty((0, 0), np.int16)
_whole, _keys = np.empty(0, np.int64), np.empty(0, np.uint64)
FRAMES = typeof(Frames(4, True, _rows, _rows, _shorts, _shorts, _whole, np.empty((0, 0), np.uint64)))
BOARD = typeof(Board(_whole, _keys, _rows, _shorts, _rows, _rows, _shorts, _shorts))


@kernel(types.void(FRAMES, BOARD, types.int64))
def play(frames, board, cell):
    """Fill a playable cell with a stone of the side to move."""
    side = board.numbers[SIDE]
    gain = 0
    for frame in frames.through[cell]:
        if frame == NOWHERE:
            break
        own, other = board.stones[side, frame], board.stones[1 - side, frame]
        board.stones[side, frame] = own + 1
        board.missing[frame] ^= cell
        if other == 0:
            gain += frames.worth[own + 1] - frames.worth[own]
            if own + 2 == frames.connect:
                last = board.missing[frame]
                if board.completing[side, last] == 0:
                    board.listed[side, board.numbers[LISTED + side]] = last
                    board.numbers[LISTED + side] += 1
                board.completing[side, last] += 1
        elif own == 0:
            gain += frames.worth[other]
    board.numbers[VALUE] += gain if side == 0 else -gain
    for neighbour in frames.around[cell]:
        if neighbour == NOWHERE:
            break
        board.near[neighbour] += 1
    board.landing[frames.move_of[cell]] = frames.above[cell]
    board.key[0] ^= frames.keys[side, cell]
    board.numbers[FREE] -= 1
    board.numbers[SIDE] = 1 - side


@kernel(types.void(FRAMES, BOARD, types.int64))
def take_back(frames, board, cell):
    """Undo the last move, which filled `cell`."""
    side = 1 - board.numbers[SIDE]
    gain = 0
    for frame in frames.through[cell]:
        if frame == NOWHERE:
            break
        own, other = board.stones[side, frame] - 1, board.stones[1 - side, frame]
        board.stones[side, frame] = own
        if other == 0:
            gain += frames.worth[own + 1] - frames.worth[own]
            if own + 2 == frames.connect:
                last = board.missing[frame]
                board.completing[side, last] -= 1
                if board.completing[side, last] == 0:
                    # Cells leave the list in a block, all that this move put there, so their order does not matter.
                    board.numbers[LISTED + side] -= 1
        elif own == 0:
            gain += frames.worth[other]
        board.missing[frame] ^= cell
    board.numbers[VALUE] -= gain if side == 0 else -gain
    for neighbour in frames.around[cell]:
        if neighbour == NOWHERE:
            break
        board.near[neighbour] -= 1
    board.landing[frames.move_of[cell]] = cell
    board.key[0] ^= frames.keys[side, cell]
    board.numbers[FREE] += 1
    board.numbers[SIDE] = side


@kernel(types.int64(FRAMES, BOARD, types.int64, types.int64))
def find_completing(frames, board, side, other_than):
    """A playable cell where a side completes a frame, not the cell `other_than`; NOWHERE if there is none."""
    for place in range(board.numbers[LISTED + side]):
        cell = np.int64(board.listed[side, place])
        if cell != other_than and board.landing[frames.move_of[cell]] == cell:
            return cell
    return NOWHERE


@kernel(types.int64(FRAMES, BOARD, types.int64))
def count_towers(frames, board, side):
    """How often two completing cells of a side, none of them filled, lie one right above the other."""
    towers = 0
    if frames.has_gravity:
        for place in range(board.numbers[LISTED + side]):
            cell = np.int64(board.listed[side, place])
            landing, above = np.int64(board.landing[frames.move_of[cell]]), frames.above[cell]
            is_empty = landing != NOWHERE and landing <= cell
            if is_empty and above != NOWHERE and board.completing[side, above] > 0:
                towers += 1
    return towers


@kernel(types.int64(FRAMES, BOARD))
def evaluate(frames, board):
    """The value of the frames and of the traps that are not playable yet, for the side to move."""
    value = board.numbers[VALUE]
    if board.numbers[LISTED] > 1:
        value += TRAP_VALUE * count_towers(frames, board, 0)
    if board.numbers[LISTED + 1] > 1:
        value -= TRAP_VALUE * count_towers(frames, board, 1)
    return value if board.numbers[SIDE] == 0 else -value
