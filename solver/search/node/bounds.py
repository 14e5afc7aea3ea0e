"""What Allis' rules say about a position at once: two bounds cheap enough for every node, and a place for more.

Both hold for any number of rows. What counts is not whose stones they are but who *leads* and who *follows*. Divide
every column into pairs from the top: a pair has an upper and a lower square, and where the number of rows is odd, the
lowest square is an upper one alone. On a board with an even number of rows the upper squares are Allis' even ones.

*The follower gets every upper square that is not playable now*, if the leader is to move and the number of empty
squares is even. Call the upper squares that are playable now *loose*. There is one in every column with an odd number
of empty squares and none in the others, so their number is even. The follower divides them into twos, in any way, and
answers a stone on a loose square by its partner (Allis 1988, §6.2, Baseinverse), and a stone on a lower square by the
upper one of the pair. Whenever the leader is to move, every column has its loose square still, or nothing but whole
pairs; so whatever he plays is a loose square or a lower one, and there is an answer. The follower's stone is the last.
That the leader gets only one of two partners is left unused: to look for lines without either of them saves one node in
a hundred and costs more than that.

All nine rules hold with upper squares for even ones. Put a row below a board with an odd number of rows, full of stones
and part of no line: its squares are as they were, the pairs are those of a board with an even number of rows, and what
the rules say of squares does not ask which lines there are. The side that Allis calls White is then the one that moves
when the number of empty squares is even. Tests hold all of this against minimax, on small boards in every position.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.search.memory import call, load
from claimeven.solver.search.node.lines import has_line
from claimeven.solver.search.node.moves import MOVER, MOVER_THREATS, OTHER, PLY
from claimeven.solver.search.slots import (
    CELLS,
    EVALUATOR,
    EVALUATOR_CONTEXT,
    EVALUATOR_PLY,
    GUARDS,
    ROWS,
    SQUARES,
    UPPER,
)
from claimeven.solver.word import NONE, ONE, TWO

UNKNOWN = 99
"""More than any score: the bound that says nothing, with a minus sign where it is the least score."""

LAST_STONE_WINS = 1
"""The score of a win with the last stone, the least that a win can have."""

GREATEST_ALPHA = 6
"""The evaluator is asked about slow wins: quick ones are found, or ruled out, sooner by search."""

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
def greatest_by_follow_up(workspace, mover, other, playable, threats):
    """The mover's greatest score with an even number of empty squares, if the other side follows.

    Where the follower wins with a square that he gets, the leader never gets those above it. If the leader has no line
    in all the rest, he never wins (Allis 1988, §6.1); if the follower then has one, the follower wins (§6.4,
    Aftereven), when all other columns are full at the latest. `threats` are the follower's.
    """
    squares = load(workspace + SQUARES)
    upper = load(workspace + UPPER)
    claimed = other | (squares & ~mover & upper & ~playable)
    waiting = threats & upper & ~playable
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
def greatest_by_threat(workspace, mover, other, playable, threats):
    """The mover's greatest score with an odd number of empty squares, if the other side waits for a lower square.

    In the column of such a threat the waiting side follows the other way around: it answers a stone on an upper square
    with the lower one above it, and gets the lower squares that are not playable; in the other columns it gets the
    upper ones that are not playable. Loose are the playable upper squares of the other columns and the playable lower
    square of the threat's column, if there is one: again an even number. The mover never gets anything from a threat
    upwards. If he has no line in the rest, he must in the end play below the threat, when all other columns are full
    (Allis 1988, §8.2). `threats` are those of the waiting side.
    """
    best = -UNKNOWN
    squares, upper = load(workspace + SQUARES), load(workspace + UPPER)
    waiting = threats & ~upper & ~playable
    if waiting == NONE:
        return UNKNOWN
    empty = squares & ~(mover | other) & ~playable
    uppers = empty & upper
    lowers = empty & ~upper
    upper_threats = threats & uppers
    if upper_threats != NONE:
        uppers |= _from_here_up(workspace, upper_threats)
    while waiting != NONE:
        threat = waiting & (~waiting + ONE)
        waiting ^= threat
        guard = load(workspace + GUARDS) & ~(threat - ONE)
        guard &= ~guard + ONE
        column = guard - (guard >> load(workspace + ROWS))
        claimed = (uppers & ~column) | (lowers & column) | (guard - threat)
        if not has_line(workspace, squares & ~(other | claimed)):
            best = max(best, _score_of_threat(workspace, threat))
    return -best


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def ask_evaluator(workspace, mover, other, ply, alpha):
    """The greatest score that the evaluator leaves to the mover; UNKNOWN if it finds nothing that matters for `alpha`.

    The evaluator is a C function of its context, the stones of the mover and those of the other side. It is not asked
    about quick wins: a proof that there is no win at all would do, but costs more than the search that it spares.
    """
    if alpha < -1 or alpha > GREATEST_ALPHA:
        return UNKNOWN
    return call(load(workspace + EVALUATOR), load(workspace + EVALUATOR_CONTEXT), mover, other)


@kernel("int64(uint64, uint64, int64)")
def greatest_by_evaluator(workspace, move, alpha):
    """The greatest score that the evaluator leaves to the mover where a move leads to, if it may pay to ask; UNKNOWN.

    An evaluation costs as much as some sixty nodes, and nine of ten find nothing. It pays near the root. With an odd
    number of empty squares it would have to find a win, and hardly ever does so there; nor does it find a proof against
    a threat on a lower square: of those that it finds at all, one in fifty.
    """
    ply = load(move + PLY)
    if (
        np.int64(ply) > np.int64(load(workspace + EVALUATOR_PLY))
        or (load(workspace + CELLS) - ply) & ONE != NONE
        or load(move + MOVER_THREATS) & ~load(workspace + UPPER) != NONE
    ):
        return UNKNOWN
    return ask_evaluator(workspace, load(move + MOVER), load(move + OTHER), ply, alpha)
