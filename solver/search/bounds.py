"""What Allis' rules say about a position at once: two bounds cheap enough for every node, and a place for more.

Both need an even number of rows. Scores here are White's.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.search.lines import has_line
from claimeven.solver.search.memory import call, load
from claimeven.solver.search.slots import EVALUATOR, EVALUATOR_CONTEXT, EVEN, GUARDS, ODD, ROWS, SQUARES
from claimeven.solver.word import NONE, ONE, TWO

UNKNOWN = 99
"""More than any score: the bound that says nothing, with a minus sign where it is the least score."""

LAST_STONE_WINS = 1
"""The score of a win with the last stone, the least that a win can have."""

FOUR, EIGHT = np.uint64(4), np.uint64(8)


@kernel("uint64(uint64, uint64)")
def _from_here_up(workspace, threats):
    """The squares of threats and all above them."""
    squares = load(workspace + SQUARES)
    reach = squares
    filled = threats | (reach & (threats << ONE))
    reach &= reach << ONE
    filled |= reach & (filled << TWO)
    reach &= reach << TWO
    filled |= reach & (filled << FOUR)
    reach &= reach << FOUR
    return filled | (reach & (filled << EIGHT))


@kernel("int64(uint64, uint64)")
def _score_of_threat(workspace, threat):
    """The least score of a win in this square: all other columns are full, and what is above it is empty."""
    guard = load(workspace + GUARDS) & ~(threat - ONE)
    above = np.int64(lowest_bit(guard)) - np.int64(lowest_bit(threat)) - 1
    return (2 + above) // 2


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def greatest_by_claimevens(workspace, white, black, playable, threats):
    """White's greatest score with White to move, if Black answers every move in the same column.

    Black gets every empty even square that is not playable, and where he wins with one of them, White never gets
    those above it. If White has no line in all the rest, he never wins (Allis 1988, §6.1); if Black then has one, Black
    wins (§6.4, Aftereven), when all other columns are full at the latest. `threats` are Black's.
    """
    squares = load(workspace + SQUARES)
    even = load(workspace + EVEN)
    claimed = black | (squares & ~white & even & ~playable)
    waiting = threats & even & ~playable
    if waiting == NONE:
        if has_line(workspace, squares & ~claimed):
            return UNKNOWN
        return -LAST_STONE_WINS if has_line(workspace, claimed) else 0
    if has_line(workspace, squares & ~claimed & ~_from_here_up(workspace, waiting)):
        return UNKNOWN
    best = 0
    while waiting != NONE:
        threat = waiting & (~waiting + ONE)
        waiting ^= threat
        best = max(best, _score_of_threat(workspace, threat))
    return -best


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def least_by_odd_threat(workspace, white, black, playable, threats):
    """White's least score with Black to move, if White has an odd threat and plays Claimeven elsewhere.

    White gets the odd squares above the playable one in the threat's column and the even squares that are not
    playable in the others; nothing from a threat upwards is ever Black's. If Black has no line in the rest, he must
    in the end play below the threat, when all other columns are full (Allis 1988, §8.2). `threats` are White's.
    """
    best = -UNKNOWN
    waiting = threats & load(workspace + ODD) & ~playable
    if waiting == NONE:
        return best
    empty = load(workspace + SQUARES) & ~(white | black) & ~playable
    evens = empty & load(workspace + EVEN)
    odds = empty & load(workspace + ODD)
    even_threats = threats & evens
    if even_threats != NONE:
        evens |= _from_here_up(workspace, even_threats)
    while waiting != NONE:
        threat = waiting & (~waiting + ONE)
        waiting ^= threat
        guard = load(workspace + GUARDS) & ~(threat - ONE)
        guard &= ~guard + ONE
        column = guard - (guard >> load(workspace + ROWS))
        whites = (evens & ~column) | (odds & column) | (guard - threat)
        if not has_line(workspace, load(workspace + SQUARES) & ~(white | whites)):
            best = max(best, _score_of_threat(workspace, threat))
    return best


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def ask_evaluator(workspace, mover, other, ply, alpha):
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
