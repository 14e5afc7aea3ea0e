"""A look at all moves of a node before any of them is searched."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.memory import load, prefetch, store
from claimeven.solver.search.node.bounds import (
    UNKNOWN,
    greatest_by_evaluator,
    greatest_by_follow_up,
    greatest_by_threat,
)
from claimeven.solver.search.node.forced import OPEN, follow, greatest_possible, least_possible
from claimeven.solver.search.node.lines import threats
from claimeven.solver.search.node.moves import (
    HASH,
    MOVE,
    MOVER,
    OTHER,
    OTHER_THREATS,
    PLY,
    PROMISE,
    SIGN,
    copy_move,
)
from claimeven.solver.search.node.order import promise_of
from claimeven.solver.search.slots import BOTTOM, CELLS, END, HAS_RULES, ROWS, SQUARES, UPPER
from claimeven.solver.search.table import bucket_of, greatest, hash_of, least, probe
from claimeven.solver.word import NONE, ONE


@kernel("int64(uint64, uint64, uint64, uint64, int64, uint64)")
def _play_moves(workspace, mover, other, other_threats, alpha, first):
    """`expand` by forced sequences and the cheap bounds."""
    squares, bottom = load(workspace + SQUARES), load(workspace + BOTTOM)
    cells = np.int64(load(workspace + CELLS))
    occupied = mover | other
    ply = np.int64(popcount(occupied))
    has_rules = load(workspace + HAS_RULES) != NONE
    least_bound = -(np.int64(load(workspace + ROWS)) // 2)  # what a bound by the rules may be at best
    asks_if_same = has_rules and alpha >= least_bound
    asks_if_other = has_rules and -alpha - 1 >= least_bound
    upper = load(workspace + UPPER)
    # Who moves with an odd number of empty squares is the follower in the end, and gets the upper ones.
    good = upper if (cells - ply) & 1 != 0 else ~upper
    playable = (occupied + bottom) & squares
    safe = playable & ~(other_threats >> ONE)
    best = -((cells - ply) // 2) if safe != playable else -UNKNOWN
    end = first
    while safe != NONE:
        stone = safe & (~safe + ONE)
        safe ^= stone
        after = mover | stone
        own_threats = threats(workspace, after, squares & ~(occupied | stone))
        score = follow(workspace, other, after, other_threats & ~stone, own_threats, end)
        if score != OPEN:
            best = max(best, -score)
            if best > alpha:
                return best
            continue
        child_mover, child_other = load(end + MOVER), load(end + OTHER)
        child_ply = np.int64(load(end + PLY))
        sign = -np.int64(load(end + SIGN))
        low = least_possible(cells, child_ply)
        high = greatest_possible(cells, child_ply)
        if asks_if_same if sign > 0 else asks_if_other:
            child_playable = ((child_mover | child_other) + bottom) & squares
            waiting = load(end + OTHER_THREATS)
            if (cells - child_ply) & 1 == 0:
                high = min(high, greatest_by_follow_up(workspace, child_mover, child_other, child_playable, waiting))
            else:
                high = min(high, greatest_by_threat(workspace, child_mover, child_other, child_playable, waiting))
        low, high = (low, high) if sign > 0 else (-high, -low)
        if low > alpha:
            return low
        if high <= alpha:
            best = max(best, high)
            continue
        child_hash = hash_of(workspace, child_mover, child_other, child_ply)
        prefetch(bucket_of(workspace, child_hash))
        replies = ((occupied | stone) + bottom) & squares
        store(end + HASH, child_hash)
        store(end + SIGN, np.uint64(sign))
        store(end + PROMISE, np.uint64(promise_of(workspace, stone, own_threats, good, replies)))
        end += MOVE
    store(workspace + END, end)
    return best


@kernel("int64(uint64, int64, int64, uint64)")
def _look_up_moves(workspace, alpha, best, first):
    """`expand` by the table and, near the root, by the evaluator."""
    end = load(workspace + END)
    move = first
    while move < end:
        sign = np.int64(load(move + SIGN))
        low, high = -UNKNOWN, UNKNOWN
        known = probe(workspace, load(move + HASH))
        if known != NONE:
            low = least(known)
            high = greatest(known)
        else:
            high = greatest_by_evaluator(workspace, move, alpha if sign > 0 else -alpha - 1)
        low, high = (low, high) if sign > 0 else (-high, -low)
        if low > alpha:
            return low
        if high <= alpha:
            best = max(best, high)
            end -= MOVE
            copy_move(end, move)
        else:
            move += MOVE
    store(workspace + END, end)
    return best


@kernel("int64(uint64, uint64, uint64, uint64, int64, uint64)")
def expand(workspace, mover, other, other_threats, alpha, first):
    """Write the moves of a quiet position that need a search to `first` and onwards, and END.

    Gives the best score that the other moves have: the mover's score is at least that if it is greater than
    `alpha`, and then the moves do not matter; if not, none of the other moves gets beyond it.
    """
    best = _play_moves(workspace, mover, other, other_threats, alpha, first)
    return best if best > alpha else _look_up_moves(workspace, alpha, best, first)
