"""Local search for a diagram: digits are changed where it makes mistakes, those first that promise most.

What a change promises is foreseen (`foresight_kernel`), what it does a walk tells, and annealing decides. A change that
was tried in vain, or taken back, is not tried again for a while. Where nothing gets better for a while the mistakes
that are left get more weight, until it pays to make others instead.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.solution.check_kernel import LEVELS, move_by_levels
from claimeven.solver.solution.finding.foresight_kernel import foresee, tabulate
from claimeven.solver.solution.finding.walk_kernel import (
    BOTTOM,
    GAVE_UP,
    KEEPS,
    SQUARES,
    WAS_STOPPED,
    ask,
    walk,
    weight_place,
)
from claimeven.solver.word import NONE, ONE

TRIED, UNDONE = 12, 6
"""For how many steps a change is not tried again that was refused, or that undoes one that was made."""
FADING = 40
"""After mistakes have got more weight so many times all weights lose half of what they have more than one."""


@kernel("uint64(uint64[::1])")
def draw(chance):
    """The next of a sequence of random words (xorshift)."""
    word = chance[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    chance[0] = word
    return word * np.uint64(0x2545F4914F6CDD1D)


@kernel("int64(uint64[::1], int64)")
def draw_below(chance, bound):
    return np.int64((draw(chance) >> np.uint64(33)) % np.uint64(bound))


@kernel("float64(uint64[::1])")
def draw_fraction(chance):
    return (np.float64(draw(chance) >> np.uint64(11)) + 0.5) / 9007199254740992.0


@kernel("void(uint64[::1], uint64, int64)")
def set_digit(levels, square, digit):
    for level in range(LEVELS):
        levels[level] &= ~square
    levels[digit] |= square


@kernel("uint64(uint64[::1], uint64)")
def draw_square(chance, squares):
    """One of some squares, each as likely as any other."""
    count = 0
    rest = squares
    while rest != NONE:
        rest &= rest - ONE
        count += 1
    skip = draw_below(chance, count)
    while skip > 0:
        squares &= squares - ONE
        skip -= 1
    return squares & (~squares + ONE)


@kernel("int64(uint64[::1], uint64)")
def digit_of(levels, square):
    for level in range(LEVELS):
        if levels[level] & square != NONE:
            return level
    return LEVELS


@kernel(
    "int64(uint64[::1], uint64[:,::1], uint64, uint64, int64, int64, float64, int64, int64, int64,"
    " uint64[::1], uint64[:,::1], uint64[:,::1], uint64[:,:,::1], uint64[:,:,::1],"
    " uint64[::1], float64[:,::1], int64[:,::1], float64[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1])"
)
def anneal(
    setting, diagrams, own, other, mistakes_now, most_work, heat, greed, patience, most_positions, chance,
    stack, seen, mistakes, free, frontiers, bad, places, changes, sums, waits, weights, report,
):  # fmt: skip
    """Change digits of `diagrams[0]` until it makes no mistake or `most_work` positions were walked through.

    `diagrams[1]` gets the best one, `diagrams[2]` is scratch. `mistakes_now` is what a walk of `diagrams[0]` gave, with
    its mistakes in `mistakes[0]` and its `report[4]` free positions in `free[0]`; the others are scratch. After
    `patience` changes in vain the mistakes that are left get more weight. Gives the number of mistakes of the best
    one, or WAS_STOPPED. `report[2]` gets the work done, `report[3]` the weight of the mistakes of `diagrams[0]`.
    """
    now, best = mistakes_now, report[7]
    in_vain, times = 0, 0
    work, step = 0, 0
    place = 0
    is_old = True
    decided, met = report[4], report[6]
    diagrams[1, :] = diagrams[0, :]
    waits[:, :] = 0
    while best > 0 and work < most_work:
        step += 1
        if met > 0:
            which = draw_below(chance, met)
            at_own, at_other = mistakes[place, which, 0], mistakes[place, which, 1]
        else:  # the walk was cut short before it met a mistake
            which = draw_below(chance, decided)
            at_own, at_other = free[place, which, 0], free[place, which, 1]
        playable = ((at_own | at_other) + setting[BOTTOM]) & setting[SQUARES]
        diagrams[2, :] = diagrams[0, :]
        trial = diagrams[2]
        chosen, digit = NONE, np.int64(0)
        if draw_below(chance, 16) < greed:
            # The square and the digit that promise most, with some chance.
            if is_old:
                report[5] += 1
                size = tabulate(setting, free[place], decided, weights, frontiers, bad, places, report[5])
                foresee(setting, diagrams[0], frontiers, bad, size, changes, sums)
                work += decided // 4
                is_old = False
            least = 1e30
            rest = playable
            while rest != NONE:
                square = rest & (~rest + ONE)
                rest ^= square
                row = lowest_bit(square)
                for level in range(LEVELS):
                    if waits[row, level] > step or diagrams[0, level] & square != NONE:
                        continue
                    promise = changes[row, level] - heat * np.log(draw_fraction(chance))
                    if promise < least:
                        least, chosen, digit = promise, square, level
        if chosen == NONE:
            # Any square and digit, but a square that keeps the result one by which it is chosen here.
            chosen, digit = draw_square(chance, playable), draw_below(chance, LEVELS)
            if draw_below(chance, 4) > 0 and ask(setting, at_own, at_other, chosen) == KEEPS:
                for _ in range(LEVELS):
                    set_digit(trial, chosen, digit)
                    if move_by_levels(trial, playable) == chosen:
                        break
                    digit = digit - 1 if digit > 0 else LEVELS - 1
        before = digit_of(diagrams[0], chosen)
        set_digit(trial, chosen, digit)
        if draw_below(chance, 8) == 0:
            open_squares = setting[SQUARES] & ~(own | other)
            set_digit(trial, draw_square(chance, open_squares), draw_below(chance, LEVELS))
        allowed = now - (heat + 0.02 * now) * np.log(draw_fraction(chance))
        report[1] += 1
        found = walk(
            setting, trial, own, other, np.int64(allowed), most_positions, stack, seen, mistakes[1 - place],
            free[1 - place], weights, report,
        )  # fmt: skip
        if found == WAS_STOPPED:
            report[2] = work
            report[3] = now
            return WAS_STOPPED
        work += report[0] + 4
        row = lowest_bit(chosen)
        if found == GAVE_UP:
            waits[row, digit] = step + TRIED
            in_vain += 1
            if in_vain >= patience:
                in_vain = 0
                for index in range(met):
                    weights[weight_place(mistakes[place, index, 0], mistakes[place, index, 1], setting[BOTTOM])] += 1
                now += met
                times += 1
                is_old = True
                if times % FADING == 0:
                    for index in range(weights.shape[0]):
                        weights[index] = (weights[index] + 1) // 2
            continue
        if before < LEVELS:
            waits[row, before] = step + UNDONE
        diagrams[0, :] = trial
        place = 1 - place
        in_vain = 0 if found < now else in_vain
        now = found
        decided, met = report[4], report[6]
        is_old = True
        if report[7] < best:
            best = report[7]
            diagrams[1, :] = trial
    report[2] = work
    report[3] = now
    return best
