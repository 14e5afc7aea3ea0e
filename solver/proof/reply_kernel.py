"""What the controller of a proof replies, as kernels.

The duties of `duties` without their state machine: which of them are alive follows from the stones, because a duty ends
when one of its squares is taken and what it leaves depends on whose they are.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.rules.scene import GEOMETRY
from claimeven.solver.word import NONE, ONE, TWO

Rows = np.ndarray[tuple[int, int], np.dtype[np.uint64]]


class Plan(NamedTuple):
    """The duties at the start, every square as a bit."""

    follow: np.uint64  # lower squares: answered by the square above
    forbidden: np.uint64  # those of them that are Claimevens
    careful: np.uint64  # lower squares that are answered unless the opponent would win directly above the answer
    reluctant: np.uint64
    columns: np.uint64  # of a threat combination: with `all_choices` nothing there is forced or forbidden
    eithers: Rows  # one, other
    lows: Rows  # lower1, lower2
    highs: Rows  # bottom1, bottom2, and each again if it was playable at the start
    bases: Rows  # p1, p2, p3
    must_win: bool
    all_choices: bool  # try every free square before giving up, not only the first


_NO_ROWS = np.empty((0, 2), np.uint64)
PLAN = typeof(Plan(NONE, NONE, NONE, NONE, NONE, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS, True, True))


@kernel(types.boolean(GEOMETRY, types.uint64))
def has_four(geometry, stones):
    """Whether the stones contain a line."""
    for step in (ONE, geometry.stride, geometry.stride + ONE, geometry.stride - ONE):
        run = stones
        for _ in range(geometry.connect - ONE):
            run &= run >> step
        if run != NONE:
            return True
    return False


@kernel("uint64(uint64)")
def lowest(squares):
    """The lowest of the squares, as a bit; 0 if there is none."""
    return squares & (~squares + ONE)


@kernel(types.uint64(GEOMETRY, types.uint64, types.uint64))
def winning_square(geometry, stones, playable):
    """A playable square that completes a line, as a bit; 0 if there is none."""
    while playable != NONE:
        square = lowest(playable)
        playable ^= square
        if has_four(geometry, stones | square):
            return square
    return NONE


@kernel("uint64(uint64, uint64, uint64)")
def other_of(move, one, other):
    """The other of two squares if the move is one of them, else 0."""
    if move == one:
        return other
    return one if move == other else NONE


@kernel("uint64(uint64[:, ::1], uint64, uint64)")
def answer_highinverse(highs, occupied, move):
    """The answer of a Highinverse, or of what is left of it; 0 if there is none."""
    for i in range(highs.shape[0]):
        bottoms = highs[i, 0] | highs[i, 1]
        if occupied & bottoms == NONE:
            if move & bottoms != NONE:
                return move << ONE
            continue
        # The column whose middle is empty has become a Claimeven, its bottom and the other top a Baseinverse.
        column = 0 if occupied & highs[i, 0] << ONE == NONE else 1
        middle = highs[i, column] << ONE
        if occupied & middle != NONE:
            continue
        if move == middle:
            return middle << ONE
        bottom, top = highs[i, 2 + column], highs[i, 1 - column] << TWO
        if bottom != NONE and occupied & (bottom | top) == NONE and move & (bottom | top) != NONE:
            return other_of(move, bottom, top)
    return NONE


@kernel("uint64(uint64[:, ::1], uint64, uint64, uint64)")
def answer_baseclaim(bases, own, occupied, move):
    """The answer of a Baseclaim, or of what is left of it; 0 if there is none."""
    for i in range(bases.shape[0]):
        p1, p2, p3 = bases[i, 0], bases[i, 1], bases[i, 2]
        z = p2 << ONE
        answer = NONE
        if occupied & (p1 | p2 | p3) == NONE:
            answer = p3 if move & (p1 | p2) != NONE else p2 if move == p3 else NONE
        elif own & p1 != NONE:
            if occupied & (p2 | p3) == NONE:
                answer = other_of(move, p2, p3)
        elif own & p3 != NONE and occupied & p2 == NONE:
            answer = z if move == p2 else NONE
        elif own & (p2 | p3) != NONE and occupied & (p1 | z) == NONE:
            answer = other_of(move, p1, z)
        if answer != NONE:
            return answer
    return NONE


@kernel(types.uint64(PLAN, types.uint64, types.uint64, types.uint64))
def find_answer(plan, own, occupied, move):
    """The answer to a move of the opponent, as a bit; 0 if there is none. The stones are those before the move."""
    for i in range(plan.eithers.shape[0]):
        one, other = plan.eithers[i, 0], plan.eithers[i, 1]
        if occupied & (one | other) == NONE and move & (one | other) != NONE:
            return other_of(move, one, other)
    if plan.follow & move != NONE:
        return move << ONE
    answer = answer_highinverse(plan.highs, occupied, move)
    return answer if answer != NONE else answer_baseclaim(plan.bases, own, occupied, move)


@kernel(types.uint64(PLAN, types.uint64, types.uint64))
def find_forbidden(plan, own, occupied):
    """The squares that the controller must not take of his own accord."""
    forbidden = plan.forbidden
    for i in range(plan.lows.shape[0]):
        lowers = plan.lows[i, 0] | plan.lows[i, 1]
        if occupied & lowers == NONE:
            forbidden |= lowers
    for i in range(plan.highs.shape[0]):
        bottom1, bottom2 = plan.highs[i, 0], plan.highs[i, 1]
        if occupied & (bottom1 | bottom2) == NONE:
            forbidden |= bottom1 | bottom2
        elif occupied & bottom1 << ONE == NONE:
            forbidden |= bottom1 << ONE
        else:
            forbidden |= bottom2 << ONE
    for i in range(plan.bases.shape[0]):
        if own & plan.bases[i, 2] != NONE and own & plan.bases[i, 0] == NONE:
            forbidden |= plan.bases[i, 1]
    return forbidden


@kernel(types.UniTuple(types.uint64, 2)(GEOMETRY, PLAN, types.uint64, types.uint64, types.uint64))
def find_replies(geometry, plan, own, opponent, move):
    """The controller's reply to a move, and what else he may try; 0 if everything is forbidden.

    `opponent` is as before the move. An answer need not be playable: that it is not is for the caller to notice.
    """
    occupied = own | opponent | move
    playable = occupied + geometry.bottom & geometry.squares
    win = winning_square(geometry, own, playable)
    if win != NONE:
        return win, NONE
    reply = find_answer(plan, own, own | opponent, move)
    if reply == NONE and plan.careful & move != NONE and not has_four(geometry, opponent | move | move << TWO):
        reply = move << ONE
    if reply != NONE and (not plan.all_choices or move & plan.columns == NONE):
        return reply, NONE
    free = playable & ~find_forbidden(plan, own, occupied)
    if reply == NONE:
        willing = free & ~plan.reluctant
        reply = lowest(willing if willing != NONE else free)
    if not plan.all_choices:
        return reply, NONE
    others = (free | playable & plan.columns) & ~reply
    if reply == NONE:
        reply = lowest(others)
        others ^= reply
    return reply, others
