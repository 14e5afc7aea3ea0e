"""Games packed into one short vector, and games played to the end by chance, as kernels.

A row, column or diagonal of the board is a word with a bit for each of its cells that a side has filled, so a move
changes four words, and a table says which cells would complete a line with each of them. The vector holds

    the counts | words of both sides | winning cells of both sides | landing cells | open moves | stacks

where the stacks list the winning cells that have become playable, and is copied as a whole. Because a side that can
win at once always does, nobody ever has to look for a finished line.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof

SIDE = 0  # to move: 0 or 1
OPEN = 1  # how many moves are possible
STACKED = 2  # how much is on the stack of side 0, and in the next place on that of side 1
COUNTS = 4

NOWHERE = -1
DRAWS = 4
LONGEST = 12

Shorts = np.ndarray[tuple[int], np.dtype[np.int16]]
ShortRows = np.ndarray[tuple[int, int], np.dtype[np.int16]]


class Ground(NamedTuple):
    """A game, and where the parts of its states are."""

    cells: int
    lines: int
    line_of: ShortRows  # by cell and direction
    bit_of: ShortRows  # by cell and direction
    cell_at: ShortRows  # by line and number of the bit; NOWHERE beyond the end
    gaps: Shorts  # by word: the bits that would complete a line
    above: Shorts  # by cell: where the same move goes next
    move_of: Shorts  # by cell
    order: Shorts  # the moves, those that look best first
    words: int
    winning: int
    landing: int
    open: int
    place: int  # by move: where it is among the open ones
    stacks: int


_shorts, _rows = np.empty(0, np.int16), np.empty((0, 0), np.int16)
GROUND = typeof(Ground(0, 0, _rows, _rows, _rows, _shorts, _shorts, _shorts, _shorts, 0, 0, 0, 0, 0, 0))
STATE = types.int16[::1]
CHANCE = types.uint64[::1]


@kernel(types.void(GROUND, STATE, types.int64, types.int64))
def _push(ground, state, side, cell):
    count = state[STACKED + side]
    state[ground.stacks + side * ground.cells + count] = cell
    state[STACKED + side] = count + 1


@kernel(types.void(GROUND, STATE, types.int64))
def play(ground, state, move):
    """Play a move that is possible and does not win."""
    side = np.int64(state[SIDE])
    cell = np.int64(state[ground.landing + move])
    above = np.int64(ground.above[cell])
    state[ground.landing + move] = above
    if above == NOWHERE:
        last = state[OPEN] - 1
        place = state[ground.place + move]
        moved = state[ground.open + last]
        state[ground.open + place] = moved
        state[ground.place + moved] = place
        state[OPEN] = last
    else:
        if state[ground.winning + above]:
            _push(ground, state, 0, above)
        if state[ground.winning + ground.cells + above]:
            _push(ground, state, 1, above)
    words = ground.words + side * ground.lines
    winning = ground.winning + side * ground.cells
    for direction in range(4):
        line = np.int64(ground.line_of[cell, direction])
        word = state[words + line] | ground.bit_of[cell, direction]
        state[words + line] = word
        gaps = np.int64(ground.gaps[word])
        bit = 0
        while gaps:
            if gaps & 1:
                gap = np.int64(ground.cell_at[line, bit])
                if gap != NOWHERE and not state[winning + gap]:
                    state[winning + gap] = 1
                    if state[ground.landing + ground.move_of[gap]] == gap:
                        _push(ground, state, side, gap)
            gaps >>= 1
            bit += 1
    state[SIDE] = 1 - side


@kernel(types.int64(GROUND, STATE, types.int64))
def find_win(ground, state, side):
    """A cell where a side, were it to move, would win at once; NOWHERE if there is none."""
    count = np.int64(state[STACKED + side])
    stack = ground.stacks + side * ground.cells
    while count:
        cell = np.int64(state[stack + count - 1])
        if state[ground.landing + ground.move_of[cell]] == cell:
            state[STACKED + side] = count
            return cell
        count -= 1
    state[STACKED + side] = 0
    return NOWHERE


@kernel(types.boolean(GROUND, STATE, types.int64, types.int64))
def has_another_win(ground, state, side, found):
    """Whether a side, were it to move, could win at once on another cell than the one found."""
    stack = ground.stacks + side * ground.cells
    for place in range(state[STACKED + side]):
        cell = np.int64(state[stack + place])
        if cell != found and state[ground.landing + ground.move_of[cell]] == cell:
            return True
    return False


@kernel(types.int64(CHANCE, types.int64))
def draw_number(chance, count):
    """A number below `count`, by a xorshift generator."""
    number = chance[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    chance[0] = number
    return np.int64(((number >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@kernel(types.int64(GROUND, STATE, CHANCE))
def play_to_the_end(ground, state, chance):
    """Twice the points of side 0 in a game played on: 2, 1 for a draw, or 0.

    A side that can win at once does, else it prevents that the other one does, else moves by chance. If it draws a
    move below a winning cell, the other's or its own, it draws again, up to DRAWS times: so it is often zugzwang that
    decides who gets these cells, as it would be in earnest.
    """
    while state[OPEN]:
        side = np.int64(state[SIDE])
        if find_win(ground, state, side) != NOWHERE:
            return 2 - 2 * side
        danger = find_win(ground, state, 1 - side)
        if danger != NOWHERE:
            move = np.int64(ground.move_of[danger])
        else:
            move = 0
            for _ in range(DRAWS):
                move = np.int64(state[ground.open + draw_number(chance, state[OPEN])])
                above = np.int64(ground.above[state[ground.landing + move]])
                if above == NOWHERE or not (
                    state[ground.winning + above] or state[ground.winning + ground.cells + above]
                ):
                    break
        play(ground, state, move)
    return 1
