"""The problems of a position: the groups that the opponent could still complete (Allis 1988, §7.2)."""

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.win_condition import is_dead
from claimeven.solver.word import NONE, ONE, WORD


@kernel("int64(uint64, uint64, uint64[::1], uint64[:, ::1], int64, boolean, uint64[::1])")
def find_problems(controller, empty, groups, patterns, pattern_count, minimal, problems):
    """Fill in the groups without a stone of the controller that no pattern kills; give their number.

    With `minimal` a problem is stored as its empty squares, and only if no other problem's are among them: all rules
    solve the problems that contain certain empty squares, so what solves the smaller one solves the larger one.
    """
    count = 0
    for group in groups:
        if group & controller != NONE or is_dead(group, patterns, pattern_count):
            continue
        if not minimal:
            problems[count] = group
            count += 1
            continue
        needs = group & empty
        kept = 0
        redundant = False
        for i in range(count):
            if problems[i] & ~needs == NONE:
                redundant = True
                break
        if redundant:
            continue
        for i in range(count):
            if needs & ~problems[i] != NONE:
                problems[kept] = problems[i]
                kept += 1
        problems[kept] = needs
        count = kept + 1
    return count


@kernel("void(uint64[::1], int64, uint64, uint64, uint64[:, ::1], uint64[:, ::1])")
def index_problems(problems, count, empty, stride, has, has_above):
    """Fill in, for every square, the problems that contain it and those that have a square strictly above it."""
    has[:] = NONE
    for i in range(count):
        word, bit = i // WORD, ONE << np.uint64(i % WORD)
        squares = problems[i] & empty
        while squares != NONE:
            has[word, lowest_bit(squares)] |= bit
            squares &= squares - ONE
    for word in range(has.shape[0]):
        higher = NONE
        square = np.uint64(has.shape[1])
        while square > NONE:
            square -= ONE
            has_above[word, square] = higher
            higher = NONE if square % stride == NONE else higher | has[word, square]
