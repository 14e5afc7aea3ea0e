"""Alpha-beta over counted frames, as a kernel.

Scores are the mover's: the evaluation, or WIN minus the number of stones on the board when the game is won. Moves that
are forced are searched beyond the depth. Without gravity only cells near a stone are tried, and of those the MOST that
touch the best frames of both sides; so there a loss, unlike a win, may be found where there is none.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.players.connect_k.frames import (
    BOARD,
    FRAMES,
    FREE,
    NOWHERE,
    SIDE,
    evaluate,
    find_completing,
    play,
    take_back,
)

WIN = 1_000_000
DECIDED = WIN - 1000
"""A score as high as this, or as low as its negative, is a game that is won."""

MOST = 24
FORCED_PLIES = 12

# The counters.
NODES = 0
BEST = 1  # the best cell at the root so far, NOWHERE at first: it is tried first
CELLS = 2  # of the whole board
COUNTERS = 3

STOP_EVERY = 1023

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
SCORE_OFFSET = 1 << 24


class Memory(NamedTuple):
    """What the search keeps: a table of positions, whether to stop, its counters, and room for the moves of a line."""

    keys: np.ndarray[tuple[int], np.dtype[np.uint64]]
    entries: np.ndarray[tuple[int], np.dtype[np.int64]]
    stop: np.ndarray[tuple[int], np.dtype[np.int64]]
    counters: np.ndarray[tuple[int], np.dtype[np.int64]]
    moves: np.ndarray[tuple[int, int], np.dtype[np.int16]]
    merits: np.ndarray[tuple[int, int], np.dtype[np.int64]]


_words, _whole = np.empty(0, np.uint64), np.empty(0, np.int64)
MEMORY = typeof(
    Memory(_words, _whole, _whole, _whole, np.empty((0, 0), np.int16), np.empty((0, 0), np.int64)),
)


@kernel("int64(int64, int64, int64, int64)")
def _entry(score, depth, kind, cell):
    return (score + SCORE_OFFSET) << 32 | (depth + 64) << 16 | kind << 12 | cell


@kernel(types.int64(FRAMES, BOARD, types.int64))
def merit(frames, board, cell):
    """What the frames through a cell are worth, for whichever side they belong to."""
    total = 0
    for frame in frames.through[cell]:
        if frame == NOWHERE:
            break
        first, second = board.stones[0, frame], board.stones[1, frame]
        if first == 0:
            total += frames.worth[second] + 1
        elif second == 0:
            total += frames.worth[first] + 1
    return total


@kernel(types.int64(FRAMES, BOARD, MEMORY, types.int64, types.int64, types.int64))
def _list_moves(frames, board, memory, ply, forced, remembered):
    """Put the cells to try into the row of the ply, the best first; returns how many there are."""
    moves, merits = memory.moves[ply], memory.merits[ply]
    if forced != NOWHERE:
        moves[0] = forced
        return 1
    side = board.numbers[SIDE]
    count = 0
    # An empty board has no cell that is near a stone: then all are tried.
    for is_near in (True, False):
        for cell in board.landing:
            if cell == NOWHERE or (is_near and not frames.has_gravity and board.near[cell] == 0):
                continue
            value = merit(frames, board, cell)
            above = frames.above[cell]
            if cell == remembered:
                value = WIN
            elif above != NOWHERE and board.completing[1 - side, above] > 0:
                value -= WIN
            place = count
            while place and merits[place - 1] < value:
                merits[place] = merits[place - 1]
                moves[place] = moves[place - 1]
                place -= 1
            merits[place] = value
            moves[place] = cell
            count += 1
        if count:
            break
    return count if frames.has_gravity else min(count, MOST)


@kernel(types.int64(FRAMES, BOARD, MEMORY, types.int64, types.int64, types.int64, types.int64))
def search(frames, board, memory, alpha, beta, depth, ply):
    """The score of a position that is not over; 0 and without meaning once `memory.stop` is set."""
    memory.counters[NODES] += 1
    if memory.counters[NODES] & STOP_EVERY == 0 and memory.stop[0]:
        return 0
    side = board.numbers[SIDE]
    stones = memory.counters[CELLS] - board.numbers[FREE]
    if board.numbers[FREE] == 0:
        return 0
    if find_completing(frames, board, side, NOWHERE) != NOWHERE:
        return WIN - stones - 1
    forced = find_completing(frames, board, 1 - side, NOWHERE)
    if forced != NOWHERE:
        above = frames.above[forced]
        if find_completing(frames, board, 1 - side, forced) != NOWHERE or (
            above != NOWHERE and board.completing[1 - side, above] > 0
        ):
            return stones + 2 - WIN
    if depth <= 0 and (forced == NOWHERE or depth <= -FORCED_PLIES):
        return evaluate(frames, board)

    key = board.key[0]
    slot = key & np.uint64(memory.keys.shape[0] - 1)
    remembered = memory.counters[BEST] if ply == 0 else NOWHERE
    if ply and memory.keys[slot] == key and memory.entries[slot]:
        entry = memory.entries[slot]
        remembered = entry & 0xFFF
        if (entry >> 16 & 0xFFFF) - 64 >= depth:
            score, kind = (entry >> 32) - SCORE_OFFSET, entry >> 12 & 0xF
            if kind == EXACT or (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha):
                return score

    before = alpha
    best, best_cell = -WIN, NOWHERE
    count = _list_moves(frames, board, memory, ply, forced, remembered)
    for place in range(count):
        cell = np.int64(memory.moves[ply, place])
        play(frames, board, cell)
        if place == 0:
            score = -search(frames, board, memory, -beta, -alpha, depth - 1, ply + 1)
        else:
            score = -search(frames, board, memory, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta and not memory.stop[0]:
                score = -search(frames, board, memory, -beta, -score, depth - 1, ply + 1)
        take_back(frames, board, cell)
        if memory.stop[0]:
            return 0
        if score > best:
            best, best_cell = score, cell
            if ply == 0:
                memory.counters[BEST] = cell
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    kind = AT_MOST if best <= before else AT_LEAST if best >= beta else EXACT
    memory.keys[slot] = key
    memory.entries[slot] = _entry(best, depth, kind, best_cell)
    return best
