"""The table of solutions that the kernels fill: one column an instance, its fields by name.

`has[word, square]` is the set of problems that contain a square, as bits over the words, and
`has_above[word, square]` those with a square strictly above it in its column. All rules but Aftereven solve
"the problems that contain these squares", which is an `&` of entries of `has`.
"""

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.rules.rule import Rule
from claimeven.solver.word import NONE

# The rows of the table.
RULE = 0
SQUARES = 1  # everything the instance occupies
CLAIMEVENS = 2  # the lower squares of the Claimevens in it
SINGLES = 3  # p and x of a Specialbefore, which never count as equal to another solution's squares
ZONE = 4  # Lowinverse, Highinverse: everything at or below the inverse in its two columns
GROUP = 5  # the controller's group, as squares; empty if the rule has none
FIRST = 6  # Baseclaim: p1
SOLVES = 7  # and the rows after it: the problems solved

CLAIMEVEN = np.uint64(Rule.CLAIMEVEN)
BASEINVERSE = np.uint64(Rule.BASEINVERSE)
VERTICAL = np.uint64(Rule.VERTICAL)
AFTEREVEN = np.uint64(Rule.AFTEREVEN)
LOWINVERSE = np.uint64(Rule.LOWINVERSE)
HIGHINVERSE = np.uint64(Rule.HIGHINVERSE)
BASECLAIM = np.uint64(Rule.BASECLAIM)
BEFORE = np.uint64(Rule.BEFORE)
SPECIALBEFORE = np.uint64(Rule.SPECIALBEFORE)


@kernel("int64(uint64[:, ::1], int64)")
def next_place(table, count):
    """Where the next solution goes; the last place again and again when the table is full."""
    return min(count, table.shape[1] - 1)


@kernel("int64(uint64[:, ::1], int64, uint64, uint64, uint64, uint64, uint64)")
def add_solution(table, count, rule, squares, claimevens, zone, group):
    """Keep the solution whose solved problems are in the next place already; give the new number of solutions.

    A solution that solves nothing is dropped, but for an Aftereven, which turns a Black draw into a win. A full table
    keeps counting without writing outside, so the caller sees how large it would have to be.
    """
    place = next_place(table, count)
    solved = NONE
    for word in range(SOLVES, table.shape[0]):
        solved |= table[word, place]
    if solved == NONE and rule != AFTEREVEN:
        return count
    table[RULE, place] = rule
    table[SQUARES, place] = squares
    table[CLAIMEVENS, place] = claimevens
    table[SINGLES, place] = NONE
    table[ZONE, place] = zone
    table[GROUP, place] = group
    table[FIRST, place] = NONE
    return count + 1
