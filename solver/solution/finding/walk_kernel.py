"""What a diagram does against an oracle: the positions where its move gives the claimed result away.

A diagram is a proof if and only if there are none. Where there is one the walk goes on with a move that keeps the
result, so that the count sees all of a diagram and not its first mistake.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.search.alpha_beta import RUN, STOPPED, decide
from claimeven.solver.search.memory import load, load_shared, prefetch, store_shared
from claimeven.solver.search.slots import CONTROL
from claimeven.solver.solution.check_kernel import completing, move_by_levels
from claimeven.solver.word import NONE, ONE, WORD_BYTES

MIX = np.uint64(0x9E3779B97F4A7C15)
MEMO_MIX = np.uint64(0xD6E8FEB86659FD93)
HALF = np.uint64(32)
ENTRY_BYTES = np.uint64(16)
LOW_HALF = np.uint64(0xFFFFFFFF)

KEEPS, GIVES_AWAY, UNKNOWN = 1, 0, -1
"""What a move does to the claimed result; UNKNOWN if the search was stopped."""

GAVE_UP, WAS_STOPPED = -1, -2
"""A walk that met more mistakes, or more positions, than it was allowed; or whose oracle was stopped."""

UNSEEN_A_MISTAKE = 256
"""A walk that is cut short counts one mistake for so many positions that it has met and not seen."""
WEIGHT_BITS = 15
WEIGHT_SHIFT = np.uint64(64 - WEIGHT_BITS)

# The scalars of a walk, all words. A walk follows SHARE of 2^32 replies, which ones is drawn by SALT.
STRIDE, CONNECT, BOTTOM, SQUARES, ALPHA, WORKSPACE, MEMO, MEMO_MASK, SHARE, SALT = range(10)
SCALARS = 10
WHOLE_SHARE = 1 << 32
WHOLE_BEGINNING = 60
"""In the first so many positions all replies are followed: what is left out there and comes in with a larger share
makes hundreds of mistakes at once."""
SHARE_MIX = np.uint64(0xC2B2AE3D27D4EB4F)


@kernel("uint64(uint64[::1], uint64)")
def _entry(setting, key):
    """Where the memo has what it knows of a position."""
    return setting[MEMO] + (((key * MEMO_MIX) >> HALF) & setting[MEMO_MASK]) * ENTRY_BYTES


@kernel("uint64(uint64[::1], uint64, uint64, uint64)")
def learn(setting, own, other, moves):
    """All that is known of the controller's moves in a position, `moves` among them; none if the search was stopped.

    The lower half has the columns that were asked about, the upper half those of them that keep the result.
    """
    key = own | ((own | other) + setting[BOTTOM])
    entry = _entry(setting, key)
    known = load_shared(entry + WORD_BYTES)
    if load_shared(entry) ^ known != key:
        known = NONE
    before = known
    alpha = np.int64(setting[ALPHA])
    while moves != NONE:
        move = moves & (~moves + ONE)
        moves ^= move
        column = ONE << (lowest_bit(move) // setting[STRIDE])
        if known & column != NONE:
            continue
        own_after = own | move
        if own_after | other == setting[SQUARES]:
            keeps = alpha == 0
        else:
            store_shared(load(setting[WORKSPACE] + CONTROL), RUN)
            bound = decide(setting[WORKSPACE], other, own_after, alpha)
            if bound == STOPPED:
                return NONE
            keeps = bound <= alpha
        known |= column
        if keeps:
            known |= column << HALF
    if known != before:
        store_shared(entry, key ^ known)
        store_shared(entry + WORD_BYTES, known)
    return known


@kernel("int64(uint64[::1], uint64, uint64, uint64)")
def ask(setting, own, other, move):
    """Whether the controller's `move` keeps the result: KEEPS, GIVES_AWAY or UNKNOWN."""
    known = learn(setting, own, other, move)
    if known == NONE:
        return UNKNOWN
    column = ONE << (lowest_bit(move) // setting[STRIDE])
    return KEEPS if (known >> HALF) & column != NONE else GIVES_AWAY


@kernel("uint64(uint64[::1], uint64, uint64, uint64)")
def find_keeping(setting, own, other, playable):
    """A move that keeps the result, from the middle outwards; none if the search was stopped or there is none."""
    left = playable
    columns = np.int64(0)
    bottoms = setting[BOTTOM]
    while bottoms != NONE:
        bottoms &= bottoms - ONE
        columns += 1
    stride = np.int64(setting[STRIDE])
    while left != NONE:
        best, best_distance = NONE, np.int64(1000)
        rest = left
        while rest != NONE:
            square = rest & (~rest + ONE)
            rest ^= square
            distance = abs(2 * (np.int64(lowest_bit(square)) // stride) - columns + 1)
            if distance < best_distance:
                best, best_distance = square, distance
        left ^= best
        if ask(setting, own, other, best) == KEEPS:
            return best
    return NONE


@kernel("uint64(uint64, uint64, uint64)")
def weight_place(own, other, bottom):
    """Where the weight of a position is; a few share one."""
    return ((own | ((own | other) + bottom)) * MEMO_MIX) >> WEIGHT_SHIFT


@kernel(
    "int64(uint64[::1], uint64[::1], uint64, uint64, int64, int64,"
    " uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], int64[::1], int64[::1])"
)
def walk(setting, levels, own, other, most_mistakes, most_positions, stack, seen, mistakes, free, weights, report):
    """The weight of all mistakes of a diagram below a position that has the claimed result, the controller to move.

    It goes through the game ply by ply: a walk that is cut short has seen all lines for some moves, and not some lines
    to their ends, so that what is mended first is what most of the rest hangs on. With a share of the replies it sees a
    sample of all plies but the first: a reply is followed or not whatever the diagram is, unless it is one to a forced
    move.
    `weights` are those of positions, all 1 where mistakes are to be counted.
    `mistakes` gets the positions of the first of them, `free` those where the diagram decides,
    `report[0]` the number of the controller's positions, `report[4]` and `report[6]` how many are free and
    how many mistakes were written down, `report[7]` the number of mistakes, whatever their weight; the other arrays are
    those of `check_diagram`. Gives GAVE_UP or WAS_STOPPED where the count is not finished.
    """
    number = np.uint64(report[1])
    room = min(np.int64(stack.shape[0] - 1), most_positions)
    size = np.int64(seen.shape[0])
    while size >= 8 * room:  # a small part of the table stays in the processor's cache
        size //= 2
    mask = np.uint64(size - 1)
    stride, connect, bottom, squares = setting[STRIDE], setting[CONNECT], setting[BOTTOM], setting[SQUARES]
    stack[0, 0], stack[0, 1] = own, other
    size, used, count, number_of, decided = 1, 0, 0, 0, 0
    report[4] = report[6] = report[7] = 0
    while used < size:
        own, other = stack[used, 0], stack[used, 1]
        used += 1
        playable = ((own | other) + bottom) & squares
        if completing(own, playable, stride, connect) != NONE:
            continue
        blocks = completing(other, playable, stride, connect)
        is_forced = blocks != NONE
        if is_forced:
            move = blocks & (~blocks + ONE)
        else:
            move = move_by_levels(levels, playable)
            if decided < free.shape[0]:
                free[decided, 0], free[decided, 1] = own, other
                decided += 1
                report[4] = decided
            answer = GIVES_AWAY
            if move != NONE:
                answer = ask(setting, own, other, move)
                if answer == UNKNOWN:
                    return WAS_STOPPED
            if answer == GIVES_AWAY:
                if number_of < mistakes.shape[0]:
                    mistakes[number_of, 0], mistakes[number_of, 1] = own, other
                    report[6] = number_of + 1
                number_of += 1
                report[7] = number_of
                count += weights[weight_place(own, other, bottom)]
                if count > most_mistakes:
                    report[0] = used
                    return GAVE_UP
                move = find_keeping(setting, own, other, playable)
            if move == NONE:
                return WAS_STOPPED
        is_thinned = not is_forced and used > WHOLE_BEGINNING
        own |= move
        playable = ((own | other) + bottom) & squares
        while playable != NONE:
            reply = playable & (~playable + ONE)
            playable ^= reply
            replied = other | reply
            if own | replied == squares:
                continue
            key = own | ((own | replied) + bottom)
            if is_thinned and ((key ^ setting[SALT]) * SHARE_MIX) >> HALF >= setting[SHARE]:
                continue
            place = ((key * MIX) >> HALF) & mask
            while seen[place, 0] == number and seen[place, 1] != key:
                place = (place + ONE) & mask
            if seen[place, 0] == number:
                continue
            if size >= room:
                # What is left to see may hide mistakes.
                report[0] = used
                report[7] = number_of + 1 + (size - used) // UNSEEN_A_MISTAKE
                count += 1 + (size - used) // UNSEEN_A_MISTAKE
                return count if count <= most_mistakes else GAVE_UP
            seen[place, 0] = number
            seen[place, 1] = key
            prefetch(_entry(setting, key))
            stack[size, 0], stack[size, 1] = own, replied
            size += 1
    report[0] = used
    return count


@kernel(
    "int64(uint64[::1], uint64[:,::1], int64, uint64, uint64, int64, int64[:,::1],"
    " uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], int64[::1], int64[::1])"
)
def find_nearest(
    setting, diagrams, count, own, other, most_positions, nearest, stack, seen, mistakes, free, weights, report
):
    """Enter into `nearest` the diagrams with the fewest mistakes here, the best first; gives the work.

    A row is the number of mistakes and the number of the diagram. Only what makes fewer mistakes than the last row says
    takes a place, of equals the first. Ends where one makes none.
    """
    last = nearest.shape[0] - 1
    work = 0
    for number in range(count):
        if nearest[0, 0] <= 0:
            break
        report[1] += 1
        found = walk(
            setting, diagrams[number], own, other, nearest[last, 0] - 1, most_positions, stack, seen, mistakes, free,
            weights, report,
        )  # fmt: skip
        if found == WAS_STOPPED:
            break
        work += report[0]
        if found == GAVE_UP:
            continue
        place = last
        while place > 0 and nearest[place - 1, 0] > found:
            nearest[place, 0], nearest[place, 1] = nearest[place - 1, 0], nearest[place - 1, 1]
            place -= 1
        nearest[place, 0], nearest[place, 1] = found, number
    return work
