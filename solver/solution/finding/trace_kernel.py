"""What SAT wants to know of a position and of a diagram: what each move leads to, and the first mistakes."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.solution.check_kernel import completing, move_by_levels
from claimeven.solver.solution.finding.walk_kernel import (
    BOTTOM,
    CONNECT,
    HALF,
    KEEPS,
    MIX,
    SQUARES,
    STRIDE,
    UNKNOWN,
    ask,
)
from claimeven.solver.word import NONE, ONE

DECIDES, IS_FORCED, IS_MISTAKE, IS_WON = 0, 1, 2, 3
"""What a diagram does in a position: its levels decide, it blocks, it gives the result away, it wins at once."""
IS_STOPPED = -1
"""The oracle was stopped."""
OVERFLOWS = -2
"""There are more positions than there is room for."""


@kernel(
    "int64(uint64[::1], uint64[::1], uint64, uint64, int64, uint64[:,::1], uint64[:,::1], int64[::1], int64[::1],"
    " uint64)"
)
def trace(setting, levels, own, other, most_mistakes, stack, seen, parents, kinds, number):
    """Follow a diagram ply by ply until it has made so many mistakes; gives how many positions were met.

    `stack` gets these positions, `parents` where each of them comes from, -1 for the first, and `kinds` what the
    diagram does there. What comes after a mistake is not looked at. `number` is another one in every call, by which
    `seen` knows what it has seen in this one. Gives OVERFLOWS only where there was no mistake so far.
    """
    stride, connect, bottom, squares = setting[STRIDE], setting[CONNECT], setting[BOTTOM], setting[SQUARES]
    mask = np.uint64(seen.shape[0] - 1)
    stack[0, 0], stack[0, 1] = own, other
    parents[0] = -1
    size, used, mistakes = 1, 0, 0
    while used < size:
        here = used
        own, other = stack[here, 0], stack[here, 1]
        used += 1
        playable = ((own | other) + bottom) & squares
        if completing(own, playable, stride, connect) != NONE:
            kinds[here] = IS_WON
            continue
        blocks = completing(other, playable, stride, connect)
        if blocks != NONE:
            kinds[here] = IS_FORCED
            move = blocks & (~blocks + ONE)
        else:
            kinds[here] = IS_MISTAKE
            move = move_by_levels(levels, playable)
            if move != NONE:
                answer = ask(setting, own, other, move)
                if answer == UNKNOWN:
                    return IS_STOPPED
                if answer == KEEPS:
                    kinds[here] = DECIDES
            if kinds[here] == IS_MISTAKE:
                mistakes += 1
                if mistakes >= most_mistakes:
                    return used
                continue
        own |= move
        playable = ((own | other) + bottom) & squares
        while playable != NONE:
            reply = playable & (~playable + ONE)
            playable ^= reply
            replied = other | reply
            if own | replied == squares:
                continue
            key = own | ((own | replied) + bottom)
            place = ((key * MIX) >> HALF) & mask
            while seen[place, 0] == number and seen[place, 1] != key:
                place = (place + ONE) & mask
            if seen[place, 0] == number:
                continue
            if size >= stack.shape[0]:
                return used if mistakes > 0 else OVERFLOWS
            seen[place, 0] = number
            seen[place, 1] = key
            stack[size, 0], stack[size, 1] = own, replied
            parents[size] = here
            size += 1
    return used


@kernel("int64(uint64[::1], uint64, uint64, uint64[:,::1])")
def follow(setting, own, other, followers):
    """Where a diagram decides next after the controller has moved; gives how many such positions there are.

    What comes between are moves that win at once, which end a line, and blocks.
    """
    stride, connect, bottom, squares = setting[STRIDE], setting[CONNECT], setting[BOTTOM], setting[SQUARES]
    most = followers.shape[0]
    count, waiting = 0, most  # those that are not done yet are at the end
    waiting -= 1
    followers[waiting, 0], followers[waiting, 1] = own, other
    while waiting < most:
        own, other = followers[waiting, 0], followers[waiting, 1]
        waiting += 1
        replies = ((own | other) + bottom) & squares
        while replies != NONE:
            reply = replies & (~replies + ONE)
            replies ^= reply
            replied = other | reply
            playable = ((own | replied) + bottom) & squares
            if playable == NONE or completing(own, playable, stride, connect) != NONE:
                continue
            blocks = completing(replied, playable, stride, connect)
            if count >= waiting - 1:
                return OVERFLOWS
            if blocks != NONE:
                waiting -= 1
                followers[waiting, 0], followers[waiting, 1] = own | (blocks & (~blocks + ONE)), replied
            else:
                followers[count, 0], followers[count, 1] = own, replied
                count += 1
    return count
