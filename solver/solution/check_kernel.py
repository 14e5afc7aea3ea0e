"""The exhaustive check of a priority diagram: every line of the opponent, each position once.

A diagram is ten words, the squares of each level. Nothing here knows a search, a rule or how diagrams are found.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.word import NONE, ONE, TWO, WORD

LEVELS = 10

VALID = 0
LOST = 1
"""The opponent completes a line."""
UNDECIDED = 2
"""No level has exactly one playable square."""
NOT_WON = 3
"""The board is full and the controller has no line, where a win is claimed."""
TOO_LARGE = 4
"""More positions than there is room for."""

THREE, FOUR, HALF = np.uint64(3), np.uint64(4), np.uint64(32)
WORD_BITS = np.uint64(WORD)
MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel("uint64(uint64, uint64)")
def _completing_four(stones, step):
    """The squares that would complete four in the direction of `step`."""
    up, upper = stones << step, stones << (step + step)
    down, downer = stones >> step, stones >> (step + step)
    below = up & upper
    above = down & downer
    return (below & ((upper << step) | down)) | (above & ((downer >> step) | up))


@kernel("uint64(uint64, uint64, uint64, uint64)")
def completing(stones, playable, stride, connect):
    """The playable squares where one more stone makes a line of `connect`."""
    if connect == FOUR and THREE * (stride + ONE) < WORD_BITS:
        found = (stones << ONE) & (stones << TWO) & (stones << THREE)
        found |= _completing_four(stones, stride)
        found |= _completing_four(stones, stride + ONE)
        found |= _completing_four(stones, stride - ONE)
        return found & playable
    found = NONE
    left = playable
    while left != NONE:
        square = left & (~left + ONE)
        left ^= square
        direction = NONE
        while direction < FOUR:
            step = ONE if direction == NONE else stride + direction - TWO
            run = stones | square
            count = ONE
            while count < connect:
                run &= (run >> step) if step < WORD_BITS else NONE
                count += ONE
            if run != NONE:
                found |= square
            direction += ONE
    return found


@kernel("uint64(uint64[::1], uint64)")
def move_by_levels(levels, playable):
    """The square of the first level that has exactly one playable one; none if there is no such level."""
    for level in range(LEVELS):
        candidates = playable & levels[level]
        if candidates != NONE and candidates & (candidates - ONE) == NONE:
            return candidates
    return NONE


@kernel(
    "int64(uint64, uint64, uint64, uint64, uint64[::1], uint64, uint64, boolean,"
    " uint64[:,::1], uint64[:,::1], int64[::1])"
)
def check_diagram(stride, connect, bottom, squares, levels, own, other, is_win, stack, seen, report):
    """Follow a diagram from a position with the controller, who has `own`, to move; gives VALID or what is wrong.

    `stack` and `seen` have two columns; `seen` is a power of two long, at least twice as long as `stack`, and holds
    what the check number `report[1]` has met: every check has a number of its own, from 1. `report[0]` gets the number
    of the controller's positions. Where something is wrong `stack[0]` is the position that shows it.
    """
    check = np.uint64(report[1])
    mask = np.uint64(seen.shape[0] - 1)
    room = stack.shape[0] - 1
    stack[1, 0], stack[1, 1] = own, other  # what is found wrong goes to 0
    size, used = 1, 0
    while size > 0:
        own, other = stack[size, 0], stack[size, 1]
        size -= 1
        used += 1
        report[0] = used
        playable = ((own | other) + bottom) & squares
        if completing(own, playable, stride, connect) != NONE:
            continue
        blocks = completing(other, playable, stride, connect)
        move = blocks & (~blocks + ONE) if blocks != NONE else move_by_levels(levels, playable)
        if move == NONE:
            stack[0, 0], stack[0, 1] = own, other
            return UNDECIDED
        own |= move
        playable = ((own | other) + bottom) & squares
        wins = completing(other, playable, stride, connect)
        if wins != NONE:
            stack[0, 0], stack[0, 1] = own, other | (wins & (~wins + ONE))
            return LOST
        if playable == NONE and is_win:
            stack[0, 0], stack[0, 1] = own, other
            return NOT_WON
        while playable != NONE:
            reply = playable & (~playable + ONE)
            playable ^= reply
            replied = other | reply
            if own | replied == squares:
                if is_win:
                    stack[0, 0], stack[0, 1] = own, replied
                    return NOT_WON
                continue
            key = own | ((own | replied) + bottom)
            place = ((key * MIX) >> HALF) & mask
            while seen[place, 0] == check and seen[place, 1] != key:
                place = (place + ONE) & mask
            if seen[place, 0] == check:
                continue
            if used + size >= room:
                return TOO_LARGE
            seen[place, 0] = check
            seen[place, 1] = key
            size += 1
            stack[size, 0], stack[size, 1] = own, replied
    return VALID


@kernel(
    "int64(uint64, uint64, uint64, uint64, uint64[:,::1], int64, int64, uint64, uint64, boolean,"
    " uint64[:,::1], uint64[:,::1], int64[::1])"
)
def find_valid(stride, connect, bottom, squares, diagrams, first, end, own, other, is_win, stack, seen, report):
    """The number of the first of some diagrams, from `first` to before `end`, that is valid here; -1 if none is."""
    for number in range(first, end):
        report[1] += 1
        if (
            check_diagram(stride, connect, bottom, squares, diagrams[number], own, other, is_win, stack, seen, report)
            == VALID
        ):
            return number
    return -1


@kernel(
    "void(uint64, uint64, uint64, uint64, uint64[:,::1], int64[::1], int64, uint64[::1], uint64[::1], boolean,"
    " int64[::1], uint64[:,::1], uint64[:,::1], int64[::1])"
)
def find_valid_many(
    stride, connect, bottom, squares, diagrams, firsts, end, owns, others, is_win, found, stack, seen, report
):
    """The same for many positions, each with a `firsts` of its own."""
    for row in range(owns.shape[0]):
        found[row] = find_valid(
            stride, connect, bottom, squares, diagrams, firsts[row], end, owns[row], others[row], is_win, stack, seen,
            report,
        )  # fmt: skip
