"""What a change of one digit would do, foreseen from the positions that a diagram reaches now.

What a diagram plays hangs on the playable squares alone, its frontier. So the positions that a walk has reached are put
together by their frontiers, and for every square and every digit it is counted how many mistakes there would be if the
same positions were reached. That takes less time than a walk, and a walk need only try what looks best.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.finding.walk_kernel import BOTTOM, HALF, MIX, SQUARES, STRIDE, learn, weight_place
from claimeven.solver.word import NONE, ONE

NO_MOVE = 16
"""The column, so to speak, of a frontier where no level decides: every position of it is a mistake."""


@kernel("int64(uint64[::1], uint64[:,::1], int64, int64[::1], uint64[::1], float64[:,::1], int64[:,::1], int64)")
def tabulate(setting, free, count, weights, frontiers, bad, places, number):
    """Put the positions of a walk together by their frontiers; gives how many of these there are.

    `bad` gets the weight of the positions of each frontier that a move in each column is a mistake in. `places` is a
    hash table, a power of two long, of which what has this `number` counts.
    """
    mask = np.uint64(places.shape[0] - 1)
    stride = setting[STRIDE]
    size = 0
    for row in range(count):
        frontier = ((free[row, 0] | free[row, 1]) + setting[BOTTOM]) & setting[SQUARES]
        place = ((frontier * MIX) >> HALF) & mask
        while places[place, 0] == number and frontiers[places[place, 1]] != frontier:
            place = (place + ONE) & mask
        if places[place, 0] != number:
            if size == frontiers.shape[0]:
                continue
            places[place, 0] = number
            places[place, 1] = size
            frontiers[size] = frontier
            bad[size, :] = 0.0
            size += 1
        index = places[place, 1]
        keeping = learn(setting, free[row, 0], free[row, 1], frontier) >> HALF
        weight = np.float64(weights[weight_place(free[row, 0], free[row, 1], setting[BOTTOM])])
        rest = frontier
        while rest != NONE:
            square = rest & (~rest + ONE)
            rest ^= square
            column = lowest_bit(square) // stride
            if keeping & (ONE << column) == NONE:
                bad[index, column] += weight
        bad[index, NO_MOVE] += weight
    return size


@kernel("void(uint64[::1], uint64[::1], uint64[::1], float64[:,::1], int64, float64[:,::1], float64[::1])")
def foresee(setting, levels, frontiers, bad, size, changes, sums):
    """By how much each digit on each square changes the number of mistakes, if the same positions are reached.

    `changes` gets that, `sums` is scratch for one number a level.
    """
    stride = setting[STRIDE]
    changes[:, :] = 0.0
    for index in range(size):
        frontier = frontiers[index]
        rest = frontier
        while rest != NONE:
            square = rest & (~rest + ONE)
            rest ^= square
            others = frontier ^ square
            # The first two levels that decide without this square, and its own level.
            first, second, own = LEVELS, LEVELS, LEVELS
            first_bad, second_bad = bad[index, NO_MOVE], bad[index, NO_MOVE]
            for level in range(LEVELS):
                if levels[level] & square != NONE:
                    own = level
                candidates = others & levels[level]
                if candidates != NONE and candidates & (candidates - ONE) == NONE and second == LEVELS:
                    here = bad[index, lowest_bit(candidates) // stride]
                    if first == LEVELS:
                        first, first_bad = level, here
                    else:
                        second, second_bad = level, here
            place = lowest_bit(square)
            square_bad = bad[index, place // stride]
            for level in range(LEVELS):
                if level > first:
                    cost = first_bad
                elif level == first:
                    cost = second_bad
                elif others & levels[level] == NONE:
                    cost = square_bad
                else:
                    cost = first_bad
                sums[level] = cost
            now = sums[own] if own < LEVELS else np.float64(first_bad)
            for level in range(LEVELS):
                changes[place, level] += sums[level] - now
