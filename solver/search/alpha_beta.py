"""The search itself: is the mover's score greater than `alpha`?

Every search has the smallest window there is, from `alpha` to `alpha + 1`; exact scores come from asking several
times. It recurses on quiet positions only; forced replies are part of the move before them. A node first looks at all
its moves: forced sequences, what the rules say, what the table knows. Only if that does not decide, it searches those
left, the most promising first.

Several threads search the same position: each leaves for later what another one is busy with, and they meet in the
table.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.busy import is_busy, set_busy
from claimeven.solver.search.journal import WORTH_KEEPING, write_down
from claimeven.solver.search.memory import highest_bit, load, load_shared, store, store_shared
from claimeven.solver.search.node.bounds import greatest_by_evaluator
from claimeven.solver.search.node.expand import expand
from claimeven.solver.search.node.forced import OPEN, follow_from, greatest_possible, least_possible
from claimeven.solver.search.node.moves import (
    HASH,
    MOVE,
    MOVER,
    OTHER,
    OTHER_THREATS,
    PLY,
    PROMISE,
    SIGN,
    bring_best_forward,
)
from claimeven.solver.search.slots import (
    BUSY,
    CELLS,
    COLUMNS,
    CONTROL,
    END,
    IS_STOPPED,
    LARGE_PLY,
    MOVES,
    NODE_LIMIT,
    NODES,
)
from claimeven.solver.search.table import greatest, hash_of, least, probe, remember
from claimeven.solver.word import NONE, ONE

POLL_MASK = np.uint64(4095)
DEFERRED = -(1 << 40)
"""The promise of a move that another thread is busy with: the least."""
STOPPED = 101
"""No score: the search was stopped."""

RUN, STOP, FINISHED = np.uint64(0), np.uint64(1), np.uint64(2)
"""What the control word says: go on, give up, one of the threads has the answer."""


@kernel("void(uint64, uint64, int64, int64, uint64)")
def _remember(workspace, move, score, alpha, nodes):
    """Keep what a search of the position after a move has found: a bound on its mover's score."""
    cells, ply = np.int64(load(workspace + CELLS)), np.int64(load(move + PLY))
    low = least_possible(cells, ply)
    high = greatest_possible(cells, ply)
    if score > alpha:
        low = max(low, score)
    else:
        high = min(high, score)
    remember(workspace, load(move + HASH), low, high, highest_bit(nodes))
    if nodes >= WORTH_KEEPING:
        write_down(workspace, load(move + MOVER), load(move + OTHER), low, high, nodes)


@kernel("int64(uint64, uint64, uint64, uint64, uint64, int64)")
def search(workspace, mover, other, other_threats, hash_, alpha):
    """A bound on the mover's score in a quiet position, on the right side of `alpha`.

    If it is greater than `alpha`, the score is at least that; if not, the score is at most that. Means
    nothing once IS_STOPPED is set.
    """
    nodes = load(workspace + NODES) + ONE
    store(workspace + NODES, nodes)
    if nodes & POLL_MASK == NONE and (
        load_shared(load(workspace + CONTROL)) != RUN or nodes > load(workspace + NODE_LIMIT)
    ):
        store(workspace + IS_STOPPED, ONE)
    if load(workspace + IS_STOPPED) != NONE:
        return 0
    ply = popcount(mover | other)
    move = load(workspace + MOVES) + ply * load(workspace + COLUMNS) * MOVE
    best = expand(workspace, mover, other, other_threats, alpha, move)
    if best > alpha:
        return best
    end = load(workspace + END)
    is_large = ply <= load(workspace + LARGE_PLY)
    is_shared = is_large and load(workspace + BUSY) != NONE
    is_first = True
    while move < end:
        bring_best_forward(move, end)
        sign = np.int64(load(move + SIGN))
        child_hash = load(move + HASH)
        if is_large and not is_first:
            # Since the first look at the table other threads, and the moves searched here, have added to it.
            known = probe(workspace, hash_)
            if known != NONE:
                if least(known) > alpha:
                    return least(known)
                if greatest(known) <= alpha:
                    return greatest(known)
            known = probe(workspace, child_hash)
            if known != NONE:
                low = least(known) if sign > 0 else -greatest(known)
                high = greatest(known) if sign > 0 else -least(known)
                if low > alpha:
                    return low
                if high <= alpha:
                    best = max(best, high)
                    move += MOVE
                    continue
            if is_shared and np.int64(load(move + PROMISE)) > DEFERRED and is_busy(workspace, child_hash):
                store(move + PROMISE, np.uint64(DEFERRED))
                continue
        if is_shared:
            set_busy(workspace, child_hash, True)
        is_first = False
        before = load(workspace + NODES)
        child_alpha = alpha if sign > 0 else -alpha - 1
        score = sign * search(
            workspace, load(move + MOVER), load(move + OTHER), load(move + OTHER_THREATS), child_hash, child_alpha
        )
        if is_shared:
            set_busy(workspace, child_hash, False)
        if load(workspace + IS_STOPPED) != NONE:
            return 0
        _remember(workspace, move, sign * score, child_alpha, load(workspace + NODES) - before)
        best = max(best, score)
        if best > alpha:
            return best
        move += MOVE
    return best


@kernel("int64(uint64, uint64, uint64, int64)")
def decide(workspace, mover, other, alpha):
    """A bound on the mover's score, as from `search`, in any unfinished position; or STOPPED.

    The thread that gets there first tells the others to stop.
    """
    # A search writes to the room of ply 0 only if it starts there, and reads this before.
    move = load(workspace + MOVES)
    score = follow_from(workspace, mover, other, move)
    if score != OPEN:
        return score
    cells = np.int64(load(workspace + CELLS))
    sign = np.int64(load(move + SIGN))
    hash_ = hash_of(workspace, load(move + MOVER), load(move + OTHER), np.int64(load(move + PLY)))
    store(move + HASH, hash_)
    store(workspace + IS_STOPPED, NONE)
    child_alpha = alpha if sign > 0 else -alpha - 1
    known = probe(workspace, hash_)
    if known != NONE:
        if least(known) > child_alpha:
            return sign * least(known)
        if greatest(known) <= child_alpha:
            return sign * greatest(known)
    high = greatest_by_evaluator(workspace, move, child_alpha)
    if high <= child_alpha:
        return sign * high
    before = load(workspace + NODES)
    position_ply = load(move + PLY)
    score = search(workspace, load(move + MOVER), load(move + OTHER), load(move + OTHER_THREATS), hash_, child_alpha)
    if load(workspace + IS_STOPPED) != NONE:
        return STOPPED
    low = least_possible(cells, np.int64(position_ply))
    high = greatest_possible(cells, np.int64(position_ply))
    if score > child_alpha:
        low = max(low, score)
    else:
        high = min(high, score)
    remember(workspace, hash_, low, high, highest_bit(load(workspace + NODES) - before))
    store_shared(load(workspace + CONTROL), FINISHED)
    return sign * score
