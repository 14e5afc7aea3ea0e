"""Which solutions combine (Allis 1988, §7.4)."""

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.rules.solution_table import CLAIMEVENS, RULE, SINGLES, SQUARES, ZONE
from claimeven.solver.word import ALL, NONE, ONE, WORD

# The thesis' table: the constraints that a pair of solutions has to meet, by their rules.
COMBINATION_TABLE = """
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

DISJOINT = np.uint8(1)  # 1: the occupied squares are disjoint
ABOVE_INVERSE = np.uint8(2)  # 2: no Claimeven at or below the inverse
COLUMNWISE = np.uint8(4)  # 3: in every column the occupied squares are disjoint or equal
SAME_COLUMNS = np.uint8(8)  # 4: disjoint squares, and the inverses' column pairs are disjoint or equal


def _read_table(text: str) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    constraints = {"1": DISJOINT, "2": ABOVE_INVERSE, "3": COLUMNWISE, "4": SAME_COLUMNS}
    rules = text.split("\n")[1].split()
    table = np.zeros((len(rules), len(rules)), np.uint8)
    for i, line in enumerate(text.strip("\n").split("\n")[1:]):
        for j, entry in enumerate(line.split()[1:]):
            table[i, j] = table[j, i] = sum(constraints[number] for number in entry.split("+"))
    return table


CONSTRAINTS = _read_table(COMBINATION_TABLE)


@kernel("uint64(uint64, uint64)")
def touched(squares, board):
    """The spare bit of every column that holds one of the squares; `board` are all squares there are."""
    # A column of the board is all ones, so adding it carries into the spare bit unless nothing is there.
    return squares + board & ~board


@kernel("uint64(int64, int64)")
def bits_between(start, stop):
    """The bits from `start` up to, not including, `stop`, both in the same word."""
    return ALL >> np.uint64(WORD - (stop - start)) << np.uint64(start % WORD)


@kernel("int64(uint64[:, ::1], int64, int64[::1], uint64, uint64[::1], uint64[::1])")
def keep_combinable(table, solution, starts, board, allowed, kept):
    """Of the allowed solutions keep those that combine with this one.

    The table is ordered by rule and `starts[rule]` is where a rule begins, so the constraints are looked up once a
    rule and the loop over its solutions stays free of branches that differ from one solution to the next.
    """
    rule, squares, claimevens = table[RULE, solution], table[SQUARES, solution], table[CLAIMEVENS, solution]
    singles, zone = table[SINGLES, solution], table[ZONE, solution]
    columns = touched(squares, board)
    words = (starts[-1] + WORD - 1) // WORD
    for place in range(words):
        kept[place] = NONE
    for other_rule in range(starts.shape[0] - 1):
        constraints = CONSTRAINTS[rule, other_rule]
        disjoint = ALL if constraints & (DISJOINT | SAME_COLUMNS) else NONE
        above_inverse = ALL if constraints & ABOVE_INVERSE else NONE
        columnwise = ALL if constraints & COLUMNWISE else NONE
        same_columns = ALL if constraints & SAME_COLUMNS else NONE
        start = starts[other_rule]
        while start < starts[other_rule + 1]:
            place = start // WORD
            stop = min(starts[other_rule + 1], (place + 1) * WORD)
            conflicts = NONE
            if allowed[place] != NONE:
                if constraints == DISJOINT:
                    for other in range(start, stop):
                        conflicts |= np.uint64(squares & table[SQUARES, other] != NONE) << np.uint64(other % WORD)
                else:
                    for other in range(start, stop):
                        shared = squares & table[SQUARES, other]
                        different = squares ^ table[SQUARES, other]
                        other_columns = touched(table[SQUARES, other], board)
                        clash = (
                            disjoint & shared
                            | above_inverse & (claimevens & table[ZONE, other] | zone & table[CLAIMEVENS, other])
                            | columnwise & (touched(shared, board) & touched(different, board))
                            | columnwise & shared & (singles | table[SINGLES, other])
                        )
                        if columns != other_columns:
                            clash |= same_columns & columns & other_columns
                        conflicts |= np.uint64(clash != NONE) << np.uint64(other % WORD)
                kept[place] |= allowed[place] & ~conflicts & bits_between(start, stop)
            start = stop
    kept[solution // WORD] &= ~(ONE << np.uint64(solution % WORD))
    return words
