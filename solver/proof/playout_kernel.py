"""A proof played out against every opposition, or against random ones, as kernels."""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.proof.reply_kernel import PLAN, find_replies, has_four, lowest
from claimeven.solver.rules.scene import GEOMETRY
from claimeven.solver.word import NONE, ONE

# How a play-out ends.
SURVIVED = 0
LOST = 1
DRAWN = 2  # although the proof claims a win
STUCK = 3  # everything that is left is forbidden
UNPLAYABLE = 4  # the answer is not playable
OUT_OF_NODES = 5

# The counters.
NODES = 0
LIMIT = 1
LENGTH = 2  # of the line that failed, in plies


class Memory(NamedTuple):
    """The positions seen: an open hash table whose entries count only under the present stamp.

    Positions are all it has to know, as the state of the strategy follows from them.
    """

    keys: np.ndarray[tuple[int], np.dtype[np.uint64]]
    stamps: np.ndarray[tuple[int], np.dtype[np.int64]]
    results: np.ndarray[tuple[int], np.dtype[np.int8]]


MEMORY = typeof(Memory(np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int8)))
COUNTERS = types.int64[::1]
LINE = types.uint64[::1]


@kernel(types.uint64(MEMORY, types.int64, types.uint64))
def find_place(memory, stamp, key):
    """Where a position is, or would be."""
    mask = np.uint64(memory.keys.shape[0]) - ONE
    place = (key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(24)) & mask
    while memory.stamps[place] == stamp and memory.keys[place] != key:
        place = place + ONE & mask
    return place


@kernel(types.int64(GEOMETRY, PLAN, MEMORY, types.int64, COUNTERS, LINE, types.uint64, types.uint64, types.int64))
def play_every_opposition(geometry, plan, memory, stamp, counters, line, own, opponent, ply):
    """How the controller fares whatever the opponent, who is to move, does; a failure comes after the moves in `line`.

    The memory must hold more entries than there may be nodes.
    """
    occupied = own | opponent
    key = own | occupied + geometry.bottom
    place = find_place(memory, stamp, key)
    if memory.stamps[place] == stamp:
        return np.int64(memory.results[place])
    if counters[NODES] >= counters[LIMIT]:
        return OUT_OF_NODES
    counters[NODES] += 1
    result = SURVIVED
    moves = occupied + geometry.bottom & geometry.squares
    while moves != NONE and result == SURVIVED:
        move = lowest(moves)
        moves ^= move
        line[ply] = move
        counters[LENGTH] = ply + 1
        if has_four(geometry, opponent | move):
            result = LOST
            break
        if occupied | move == geometry.squares:
            result = DRAWN if plan.must_win else SURVIVED
            break
        reply, others = find_replies(geometry, plan, own, opponent, move)
        if reply == NONE:
            result = STUCK
        while reply != NONE:
            line[ply + 1] = reply
            counters[LENGTH] = ply + 2
            if reply & ((occupied | move) + geometry.bottom) == NONE:
                result = UNPLAYABLE
            elif has_four(geometry, own | reply):
                result = SURVIVED
            elif occupied | move | reply == geometry.squares:
                result = DRAWN if plan.must_win else SURVIVED
            else:
                result = play_every_opposition(
                    geometry, plan, memory, stamp, counters, line, own | reply, opponent | move, ply + 2
                )
            if result in (SURVIVED, OUT_OF_NODES):
                break
            reply = lowest(others)
            others ^= reply
    if result != OUT_OF_NODES:
        place = find_place(memory, stamp, key)
        memory.keys[place] = key
        memory.stamps[place] = stamp
        memory.results[place] = result
    return result


@kernel("uint64(uint64)")
def next_random(state):
    """The next state of a xorshift generator."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ state << np.uint64(17)


@kernel("uint64(uint64, uint64)")
def pick(squares, state):
    """One of the squares, as a bit, as a random number says."""
    skipped = (state >> np.uint64(11)) % popcount(squares)
    while skipped > NONE:
        squares &= squares - ONE
        skipped -= ONE
    return lowest(squares)


@kernel(types.int64(GEOMETRY, PLAN, types.int64, types.uint64, COUNTERS, LINE, types.uint64, types.uint64))
def play_random_oppositions(geometry, plan, games, seed, counters, line, own, opponent):
    """As `play_every_opposition`, against so many random oppositions; the nodes are the games survived."""
    state = seed
    for _ in range(games):
        mine, theirs = own, opponent
        ply = 0
        while True:
            occupied = mine | theirs
            state = next_random(state)
            move = pick(occupied + geometry.bottom & geometry.squares, state)
            line[ply] = move
            counters[LENGTH] = ply + 1
            if has_four(geometry, theirs | move):
                return LOST
            reply = NONE
            if occupied | move != geometry.squares:
                reply, _ = find_replies(geometry, plan, mine, theirs, move)
                if reply == NONE:
                    return STUCK
                line[ply + 1] = reply
                counters[LENGTH] = ply + 2
                if reply & ((occupied | move) + geometry.bottom) == NONE:
                    return UNPLAYABLE
            mine, theirs = mine | reply, theirs | move
            ply += 2
            if has_four(geometry, mine):
                break
            if mine | theirs == geometry.squares:
                if plan.must_win:
                    return DRAWN
                break
        counters[NODES] += 1
    return SURVIVED
