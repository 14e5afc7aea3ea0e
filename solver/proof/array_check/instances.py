"""What an instance of each rule is and what it solves: Allis 1988, §6, one function a rule.

Each function takes the situation, the squares that the instance names in their order, one bit each, and its group; it
says whether the conditions hold and fills in what the instance comes down to. That the squares are empty, different
and not barred, and that the group has no stone of the opponent, is decided before.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.proof.array_check.situation import SITUATION, SQUARES, above, column_of, columns_of
from claimeven.solver.proof.array_check.token import MOST_SQUARES
from claimeven.solver.word import NONE, ONE

# What an instance comes down to.
RULE = 0
OCCUPIED = 1
CLAIMEVENS = 2  # the lower squares of the Claimevens in it
UNSHARED = 3  # p and x of a Specialbefore
GROUP = 4
FACTS = 5


class Patterns(NamedTuple):
    """The problems that an instance solves.

    They are those that contain all squares of one entry of `containing`, and those that meet every entry of `meeting`,
    if there are any. `counts` says how many of each there are.
    """

    containing: np.ndarray[tuple[int], np.dtype[np.uint64]]
    meeting: np.ndarray[tuple[int], np.dtype[np.uint64]]
    counts: np.ndarray[tuple[int], np.dtype[np.int64]]


CONTAINING = 0
MEETING = 1


def make_patterns() -> Patterns:
    return Patterns(
        np.zeros(MOST_SQUARES + 2, np.uint64), np.zeros(MOST_SQUARES, np.uint64), np.zeros(MEETING + 1, np.int64)
    )


PATTERNS = typeof(make_patterns())
DEFINITION = types.boolean(SITUATION, SQUARES, types.uint64, SQUARES, PATTERNS)


@kernel(types.void(PATTERNS, types.uint64))
def add_containing(patterns, squares):
    """Add the problems that contain all of these squares."""
    patterns.containing[patterns.counts[CONTAINING]] = squares
    patterns.counts[CONTAINING] += 1


@kernel(types.boolean(PATTERNS, types.uint64))
def is_solved(patterns, problem):
    """Whether a problem is one of those that the patterns describe."""
    for squares in patterns.containing[: patterns.counts[CONTAINING]]:
        if squares & ~problem == NONE:
            return True
    for squares in patterns.meeting[: patterns.counts[MEETING]]:
        if squares & problem == NONE:
            return False
    return patterns.counts[MEETING] > 0


# Allis 1988, §6.1
@kernel(DEFINITION)
def is_claimeven(situation, squares, group, facts, patterns):
    """Two squares on top of each other, the upper one even."""
    if squares.shape[0] != 2:
        return False
    lower, upper = squares[0], squares[1]
    facts[CLAIMEVENS] = lower
    add_containing(patterns, upper)
    return upper == lower << ONE and upper & situation.odd == NONE


# Allis 1988, §6.2
@kernel(DEFINITION)
def is_baseinverse(situation, squares, group, facts, patterns):
    """Two playable squares."""
    if squares.shape[0] != 2:
        return False
    add_containing(patterns, squares[0] | squares[1])
    return (squares[0] | squares[1]) & ~situation.playable == NONE


# Allis 1988, §6.3
@kernel(DEFINITION)
def is_vertical(situation, squares, group, facts, patterns):
    """Two squares on top of each other, the upper one odd."""
    if squares.shape[0] != 2:
        return False
    lower, upper = squares[0], squares[1]
    add_containing(patterns, lower | upper)
    return upper == lower << ONE and upper & situation.odd != NONE


# Allis 1988, §6.4
@kernel(DEFINITION)
def is_aftereven(situation, squares, group, facts, patterns):
    """The empty squares of a group are even, and each is the upper square of a Claimeven."""
    gaps = group & situation.empty
    if squares.shape[0] != 2 * np.int64(popcount(gaps)) or gaps & situation.odd != NONE:
        return False
    for i in range(0, squares.shape[0], 2):
        lower, upper = squares[i], squares[i + 1]
        if upper != lower << ONE or upper & gaps == NONE:
            return False
        facts[CLAIMEVENS] |= lower
        add_containing(patterns, upper)
        patterns.meeting[patterns.counts[MEETING]] = above(upper, situation.rows)
        patterns.counts[MEETING] += 1
    return True


# Allis 1988, §6.5
@kernel(DEFINITION)
def is_lowinverse(situation, squares, group, facts, patterns):
    """In each of two columns two squares on top of each other, the upper ones odd."""
    if squares.shape[0] != 4:
        return False
    lower1, upper1, lower2, upper2 = squares[0], squares[1], squares[2], squares[3]
    add_containing(patterns, upper1 | upper2)
    add_containing(patterns, lower1 | upper1)
    add_containing(patterns, lower2 | upper2)
    return (
        upper1 == lower1 << ONE
        and upper2 == lower2 << ONE
        and upper1 & situation.odd != NONE
        and upper2 & situation.odd != NONE
        and column_of(upper1, situation.rows) != column_of(upper2, situation.rows)
    )


# Allis 1988, §6.6
@kernel(DEFINITION)
def is_highinverse(situation, squares, group, facts, patterns):
    """In each of two columns three squares on top of each other, the highest ones even."""
    if squares.shape[0] != 6:
        return False
    bottom1, middle1, top1 = squares[0], squares[1], squares[2]
    bottom2, middle2, top2 = squares[3], squares[4], squares[5]
    add_containing(patterns, top1 | top2)
    add_containing(patterns, middle1 | middle2)
    add_containing(patterns, middle1 | top1)
    add_containing(patterns, middle2 | top2)
    if bottom1 & situation.playable != NONE:
        add_containing(patterns, bottom1 | top2)
    if bottom2 & situation.playable != NONE:
        add_containing(patterns, bottom2 | top1)
    return (
        middle1 == bottom1 << ONE
        and top1 == middle1 << ONE
        and middle2 == bottom2 << ONE
        and top2 == middle2 << ONE
        and (top1 | top2) & situation.odd == NONE
        and column_of(top1, situation.rows) != column_of(top2, situation.rows)
    )


# Allis 1988, §6.7
@kernel(DEFINITION)
def is_baseclaim(situation, squares, group, facts, patterns):
    """Three playable squares p1, p2, p3, and the square above p2, which is even."""
    if squares.shape[0] != 4:
        return False
    p1, p2, p3, z = squares[0], squares[1], squares[2], squares[3]
    facts[CLAIMEVENS] = p2
    add_containing(patterns, p1 | z)
    add_containing(patterns, p2 | p3)
    return (p1 | p2 | p3) & ~situation.playable == NONE and z == p2 << ONE and z & situation.odd == NONE


@kernel(types.int64(SITUATION, SQUARES, types.uint64, SQUARES, PATTERNS))
def count_verticals(situation, squares, gaps, facts, patterns):
    """The Verticals among the parts of a Before, one part for each of the gaps; -1 if they are no such parts.

    A part is a Vertical on a gap, whatever the parity, or a Claimeven that ends on an even gap. The gaps are in
    different columns, so that no part is of two of them, and no two parts of one, because their squares are different.
    """
    if squares.shape[0] != 2 * np.int64(popcount(gaps)):
        return -1
    verticals = 0
    for i in range(0, squares.shape[0], 2):
        lower, upper = squares[i], squares[i + 1]
        if upper != lower << ONE:
            return -1
        if lower & gaps != NONE:
            verticals += 1
            add_containing(patterns, lower | upper)
        elif upper & gaps != NONE and upper & situation.odd == NONE:
            facts[CLAIMEVENS] |= lower
            add_containing(patterns, upper)
        else:
            return -1
    return verticals


@kernel(types.boolean(SITUATION, types.uint64))
def can_come_before(situation, group):
    """Whether a group is not vertical and has no empty square in the top row."""
    gaps = group & situation.empty
    return group & group << ONE == NONE and gaps << ONE & ~situation.squares == NONE


# Allis 1988, §6.8
@kernel(DEFINITION)
def is_before(situation, squares, group, facts, patterns):
    """Every empty square of a group has a part, and one of the parts at least is a Vertical."""
    gaps = group & situation.empty
    add_containing(patterns, gaps << ONE)
    return can_come_before(situation, group) and count_verticals(situation, squares, gaps, facts, patterns) > 0


# Allis 1988, §6.9
@kernel(DEFINITION)
def is_specialbefore(situation, squares, group, facts, patterns):
    """As a Before, but the playable square p of the group has no part; x is playable, in a column without a gap."""
    if squares.shape[0] < 2:
        return False
    gaps = group & situation.empty
    p, x = squares[0], squares[1]
    facts[UNSHARED] = p | x
    add_containing(patterns, x | gaps << ONE)
    add_containing(patterns, p | x)
    return (
        can_come_before(situation, group)
        and p & gaps != NONE
        and (p | x) & ~situation.playable == NONE
        and x & columns_of(gaps, situation.rows) == NONE
        and count_verticals(situation, squares[2:], gaps & ~p, facts, patterns) >= 0
    )
