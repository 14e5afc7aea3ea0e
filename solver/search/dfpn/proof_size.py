"""How large a proof is: a walk from a decided position through the moves that decide it.

Counted are the quiet positions that it meets, transpositions and mirror images once: where the side that is in the
right is to move one move is followed, where the other side is all of them. The walk ends where the nine rules speak, or
where forced replies and the cheap bounds leave no move to look at. What the table has forgotten is searched again.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.dfpn.desk import WALKED, WALKED_COUNT, WALKED_MASK, WALKED_RULES, WALKED_SIGHT
from claimeven.solver.search.dfpn.numbers import NEVER, PROVED
from claimeven.solver.search.dfpn.proving import visit
from claimeven.solver.search.memory import load, store
from claimeven.solver.search.node.bounds import ask_evaluator
from claimeven.solver.search.node.expand import expand
from claimeven.solver.search.node.forced import OPEN, follow_from
from claimeven.solver.search.node.moves import (
    HASH,
    MOVE,
    MOVER,
    OTHER,
    OTHER_THREATS,
    PLY,
    SIGN,
    bring_best_forward,
)
from claimeven.solver.search.slots import COLUMNS, END, EVALUATOR, IS_STOPPED, MOVES
from claimeven.solver.search.table import WORK_SHIFT, greatest, hash_of, least, probe
from claimeven.solver.word import NONE, ONE, WORD_BYTES

UNKNOWN_COST = 64
"""More than the logarithm of any number of visits: the cost of a move that the table does not know."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(20)


@kernel("boolean(uint64, uint64)")
def _is_new(desk, hash_):
    """Whether a position was not met before; from now on it was. Nothing is new once the room is nearly full."""
    mask = load(desk + WALKED_MASK)
    count = load(desk + WALKED_COUNT)
    if count >= mask - (mask >> ONE):
        return False
    place = ((hash_ * FACTOR) >> SHIFT) & mask
    while True:
        word = load(load(desk + WALKED) + place * WORD_BYTES)
        if word == hash_ + ONE:
            return False
        if word == NONE:
            store(load(desk + WALKED) + place * WORD_BYTES, hash_ + ONE)
            store(desk + WALKED_COUNT, count + ONE)
            return True
        place = (place + ONE) & mask


@kernel("boolean(uint64, uint64, uint64, int64)")
def _settles(workspace, desk, move, alpha):
    """Whether a move makes the mover's score greater than `alpha`, by a search of its own."""
    sign = np.int64(load(move + SIGN))
    child_alpha = alpha if sign > 0 else -alpha - 1
    numbers = visit(workspace, desk, move, child_alpha, NEVER, NEVER)
    return (numbers == PROVED) == (sign > 0)


@kernel("uint64(uint64, uint64, uint64, uint64, int64)")
def _choose(workspace, desk, first, end, alpha):
    """A move that makes the mover's score greater than `alpha`, of those that are known the one that took least."""
    chosen, cheapest = NONE, UNKNOWN_COST
    move = first
    while move < end:
        known = probe(workspace, load(move + HASH))
        sign = np.int64(load(move + SIGN))
        if known != NONE and ((least(known) > alpha) if sign > 0 else (greatest(known) < -alpha)):
            cost = np.int64(known >> WORK_SHIFT)
            if cost < cheapest:
                chosen, cheapest = move, cost
        move += MOVE
    if chosen != NONE:
        return chosen
    move = first
    while move < end:
        bring_best_forward(move, end)
        if _settles(workspace, desk, move, alpha):
            return move
        if load(workspace + IS_STOPPED) != NONE:
            return NONE
        move += MOVE
    return NONE


@kernel("void(uint64, uint64, uint64, uint64, int64, boolean)")
def _walk(workspace, plain, desk, move, alpha, is_greater):
    """Count the positions of the proof from where a move leads to on; the table of the workspace `plain` is empty.

    What is proved is said for the side that made the move.
    """
    mover, other, other_threats = load(move + MOVER), load(move + OTHER), load(move + OTHER_THREATS)
    if load(workspace + IS_STOPPED) != NONE or not _is_new(desk, load(move + HASH)):
        return
    if np.int64(load(move + SIGN)) < 0:
        alpha, is_greater = -alpha - 1, not is_greater
    ply = popcount(mover | other)
    first = load(plain + MOVES) + ply * load(plain + COLUMNS) * MOVE
    best = expand(plain, mover, other, other_threats, alpha, first)
    end = load(plain + END)
    if best > alpha or end == first:
        store(desk + WALKED_SIGHT, load(desk + WALKED_SIGHT) + ONE)
        return
    if is_greater:
        move = _choose(workspace, desk, first, end, alpha)
        if move == NONE:
            return
        first, end = move, move + MOVE
    elif load(workspace + EVALUATOR) != NONE and ask_evaluator(workspace, mover, other, ply, alpha) <= alpha:
        store(desk + WALKED_RULES, load(desk + WALKED_RULES) + ONE)
        return
    move = first
    while move < end:
        _walk(workspace, plain, desk, move, alpha, is_greater)
        move += MOVE


@kernel("void(uint64, uint64, uint64, uint64, uint64, int64, boolean)")
def walk_proof(workspace, plain, desk, mover, other, alpha, is_greater):
    """Count the positions of the proof that the mover's score is, or is not, greater than `alpha`."""
    store(workspace + IS_STOPPED, NONE)
    move = load(plain + MOVES)
    if follow_from(plain, mover, other, move) == OPEN:
        store(move + HASH, hash_of(workspace, load(move + MOVER), load(move + OTHER), np.int64(load(move + PLY))))
        _walk(workspace, plain, desk, move, alpha, is_greater)
