"""Which instances combine: Allis 1988, §7.4."""

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.proof.array_check.instances import CLAIMEVENS, OCCUPIED, RULE, UNSHARED
from claimeven.solver.proof.array_check.situation import at_or_below, column_of, columns_of
from claimeven.solver.proof.array_check.token import HIGHINVERSE, LOWINVERSE
from claimeven.solver.word import NONE

# The table of the thesis: the constraints that two instances meet, by their rules.
TABLE = """
        CL   BI   VE   AE   LI   HI   BC   BE   SB
    CL  1
    BI  1    1
    VE  1    1    1
    AE  1    1    1    3
    LI  2    1    1    1+2  4
    HI  2    1    1    1+2  4    4
    BC  1    1    1    1    1+2  1+2  1
    BE  1    1    1    3    2+3  1+2  1    3
    SB  1    1    1    3    2+3  1+2  1    3    3
"""


def _read_table() -> np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]:
    """Whether a constraint, from 1, holds between two rules: by the rules and its number."""
    holds = np.zeros((9, 9, 5), np.bool_)
    for row, line in enumerate(TABLE.strip().splitlines()[1:]):
        for column, entry in enumerate(line.split()[1:]):
            for number in entry.split("+"):
                holds[row, column, int(number)] = holds[column, row, int(number)] = True
    return holds


HOLDS = _read_table()


@kernel("boolean(uint64[::1], uint64[::1])")
def are_disjoint(one, other):
    """Constraint 1: no square is occupied by both."""
    return one[OCCUPIED] & other[OCCUPIED] == NONE


@kernel("boolean(uint64[::1], uint64[::1], uint64)")
def are_claimevens_above(one, other, rows):
    """Constraint 2: no Claimeven of the one that is not an inverse begins at or below a square of the inverse."""
    if one[RULE] == np.uint64(LOWINVERSE) or one[RULE] == np.uint64(HIGHINVERSE):
        return other[CLAIMEVENS] & at_or_below(one[OCCUPIED], rows) == NONE
    return one[CLAIMEVENS] & at_or_below(other[OCCUPIED], rows) == NONE


@kernel("boolean(uint64[::1], uint64[::1], uint64)")
def are_columns_disjoint_or_equal(one, other, rows):
    """Constraint 3: in every column both occupy the same squares or none in common; p and x are shared with nobody."""
    shared = one[OCCUPIED] & other[OCCUPIED]
    if shared & (one[UNSHARED] | other[UNSHARED]) != NONE:
        return False
    while shared != NONE:
        column = column_of(shared, rows)
        if one[OCCUPIED] & column != other[OCCUPIED] & column:
            return False
        shared &= ~column
    return True


@kernel("boolean(uint64[::1], uint64[::1], uint64)")
def are_inverses_apart(one, other, rows):
    """Constraint 4: no square is occupied by both, and their pairs of columns are disjoint or equal."""
    ours, theirs = columns_of(one[OCCUPIED], rows), columns_of(other[OCCUPIED], rows)
    return are_disjoint(one, other) and (ours & theirs == NONE or ours == theirs)


@kernel("boolean(uint64[::1], uint64[::1], uint64)")
def are_combinable(one, other, rows):
    """Whether two different instances may be in one set."""
    holds = HOLDS[np.int64(one[RULE]), np.int64(other[RULE])]
    return (
        (not holds[1] or are_disjoint(one, other))
        and (not holds[2] or are_claimevens_above(one, other, rows))
        and (not holds[3] or are_columns_disjoint_or_equal(one, other, rows))
        and (not holds[4] or are_inverses_apart(one, other, rows))
    )
