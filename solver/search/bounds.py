"""What Allis' rules say about a position at once: two bounds cheap enough for every node, and a place for more.

Both need an even number of rows. Scores here are White's.
"""

from __future__ import annotations

import numpy as np

from solver.kernel import kernel, lowest_bit
from solver.search.lines import has_line
from solver.search.memory import call, load
from solver.search.workspace import Slot

UNKNOWN = 99
"""More than any score: the bound that says nothing, with a minus sign where it is the least score."""

LEAST_BY_CLAIMEVENS = -1
"""The best that Claimevens prove for Black: a win, with the last stone."""

NONE, ONE = np.uint64(0), np.uint64(1)
ROWS = np.uint64(8 * Slot.ROWS)
SQUARES = np.uint64(8 * Slot.SQUARES)
GUARDS = np.uint64(8 * Slot.GUARDS)
ODD = np.uint64(8 * Slot.ODD)
EVEN = np.uint64(8 * Slot.EVEN)
EVALUATOR = np.uint64(8 * Slot.EVALUATOR)
EVALUATOR_CONTEXT = np.uint64(8 * Slot.EVALUATOR_CONTEXT)


@kernel("int64(uint64, uint64, uint64, uint64)")
def greatest_by_claimevens(workspace, white, black, playable):
    """White's greatest score with White to move, if Black answers every move in the same column.

    Black gets every empty even square that is not playable. If White has no line in all the rest, he never
    wins (Allis 1988, §6.1); if Black then has one, Black wins (§6.4), at the latest with the last stone.
    """
    squares = load(workspace + SQUARES)
    even = load(workspace + EVEN)
    claimed = black | (squares & ~white & even & ~playable)
    if has_line(workspace, squares & ~claimed):
        return UNKNOWN
    if has_line(workspace, claimed):
        return LEAST_BY_CLAIMEVENS
    return 0


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def least_by_odd_threat(workspace, white, black, playable, threats):
    """White's least score with Black to move, if White has an odd threat and plays Claimeven elsewhere.

    White gets the odd squares above the playable one in the threat's column and the even squares that are not
    playable in the others; nothing from the threat upwards is ever Black's. If Black has no line in the rest, he must
    in the end play below the threat, when all other columns are full (Allis 1988, §8.2). `threats` are White's.
    """
    best = -UNKNOWN
    waiting = threats & load(workspace + ODD) & ~playable
    if waiting == NONE:
        return best
    empty = load(workspace + SQUARES) & ~(white | black) & ~playable
    evens = empty & load(workspace + EVEN)
    odds = empty & load(workspace + ODD)
    while waiting != NONE:
        threat = waiting & (~waiting + ONE)
        waiting ^= threat
        guard = load(workspace + GUARDS) & ~(threat - ONE)
        guard &= ~guard + ONE
        column = guard - (guard >> load(workspace + ROWS))
        whites = (evens & ~column) | (odds & column) | (guard - threat)
        if not has_line(workspace, load(workspace + SQUARES) & ~(white | whites)):
            above = np.int64(lowest_bit(guard)) - np.int64(lowest_bit(threat)) - 1
            best = max(best, (2 + above) // 2)
    return best


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def evaluate(workspace, mover, other, ply, alpha):
    """The greatest score that the evaluator leaves to the mover; UNKNOWN if it finds nothing that matters for `alpha`.

    The evaluator is a C function of its context, White's and Black's stones. With White to move it gives White's
    greatest score, with Black to move White's least; UNKNOWN, or -UNKNOWN, if it finds nothing.
    """
    function, context = load(workspace + EVALUATOR), load(workspace + EVALUATOR_CONTEXT)
    if alpha < -1:
        return UNKNOWN
    if ply & ONE == NONE:
        return call(function, context, mover, other)
    return -call(function, context, other, mover)
