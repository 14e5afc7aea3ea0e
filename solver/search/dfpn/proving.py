"""The search itself: visits go down to where a proof seems nearest, and come back when it seems nearer elsewhere."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.search.alpha_beta import FINISHED, RUN, STOPPED
from claimeven.solver.search.busy import is_busy, set_busy
from claimeven.solver.search.dfpn.desk import EVALUATIONS, MOVE_NUMBERS, PAIR, RULE_LEAVES
from claimeven.solver.search.dfpn.journal import WORTH_KEEPING, write_down
from claimeven.solver.search.dfpn.numbers import (
    DISPROVED,
    MOST,
    NEVER,
    PROVED,
    disproof_of,
    note,
    pack,
    proof_of,
    recall,
)
from claimeven.solver.search.memory import highest_bit, load, load_shared, store, store_shared
from claimeven.solver.search.node.bounds import UNKNOWN, ask_evaluator
from claimeven.solver.search.node.expand import expand
from claimeven.solver.search.node.forced import OPEN, follow_from, greatest_possible, least_possible
from claimeven.solver.search.node.moves import HASH, MOVE, MOVER, OTHER, OTHER_THREATS, PLY, PROMISE, SIGN, copy_move
from claimeven.solver.search.slots import (
    BOTTOM,
    BUSY,
    CELLS,
    COLUMNS,
    CONTROL,
    END,
    EVALUATOR,
    IS_STOPPED,
    MOVES,
    NODE_LIMIT,
    NODES,
    SQUARES,
)
from claimeven.solver.search.table import greatest, hash_of, least, probe, remember
from claimeven.solver.word import NONE, ONE, WORD_BYTES

POLL_MASK = np.uint64(63)
EPSILON_SHIFT = 2
"""A move is searched until it is a quarter worse than the second best: one over two to the power of this."""


@kernel("uint64(uint64, uint64)")
def first_numbers(workspace, move):
    """The numbers of a position that was never visited: one move may prove it, all that do not lose at once must fail
    to disprove it."""
    occupied = load(move + MOVER) | load(move + OTHER)
    playable = (occupied + load(workspace + BOTTOM)) & load(workspace + SQUARES)
    return pack(1, np.int64(popcount(playable & ~(load(move + OTHER_THREATS) >> ONE))))


@kernel("void(uint64, uint64, int64, int64, int64, uint64)")
def _keep(workspace, hash_, ply, low, high, nodes):
    """Keep the bounds of a position's score in the table of what is decided."""
    cells = np.int64(load(workspace + CELLS))
    low = max(low, least_possible(cells, ply))
    high = min(high, greatest_possible(cells, ply))
    remember(workspace, hash_, low, high, highest_bit(nodes))


@kernel("uint64(uint64, uint64, uint64, uint64, uint64, int64, boolean, uint64)")
def _settle(workspace, desk, mover, other, hash_, alpha, is_greater, nodes):
    """Keep that a position is decided, after so many visits; gives its numbers."""
    ply = np.int64(popcount(mover | other))
    if is_greater:
        _keep(workspace, hash_, ply, alpha + 1, UNKNOWN, nodes)
    else:
        _keep(workspace, hash_, ply, -UNKNOWN, alpha, nodes)
    note(desk, hash_, alpha, NONE)
    write_down(desk, mover, other, alpha, is_greater, nodes)
    return PROVED if is_greater else DISPROVED


@kernel("uint64(uint64, uint64, int64)")
def _look_up(workspace, hash_, alpha):
    """PROVED or DISPROVED if the table knows that, else 0."""
    known = probe(workspace, hash_)
    if known != NONE:
        if least(known) > alpha:
            return PROVED
        if greatest(known) <= alpha:
            return DISPROVED
    return NONE


@kernel("void(uint64, uint64, int64)")
def _put(pair, numbers, sign):
    """Write the numbers of the position that a move leads to as those of the move."""
    if sign > 0:
        store(pair, np.uint64(proof_of(numbers)))
        store(pair + WORD_BYTES, np.uint64(disproof_of(numbers)))
    else:
        store(pair, np.uint64(disproof_of(numbers)))
        store(pair + WORD_BYTES, np.uint64(proof_of(numbers)))


@kernel("void(uint64, uint64, int64, uint64, uint64)")
def _weigh_moves(workspace, desk, alpha, first, pairs):
    """Write the numbers of the moves from `first` to END."""
    move, pair = first, pairs
    end = load(workspace + END)
    while move < end:
        sign = np.int64(load(move + SIGN))
        numbers = recall(desk, load(move + HASH), alpha if sign > 0 else -alpha - 1)
        _put(pair, first_numbers(workspace, move) if numbers == NONE else numbers, sign)
        move += MOVE
        pair += PAIR


@kernel("int64(uint64, uint64, int64, uint64, uint64, uint64, uint64)")
def _share(workspace, desk, alpha, first, end, pairs, latest):
    """Take in what other threads have found of the moves; gives how many moves there were before one that proves the
    position, -1 if there is none. A move that fails gets a disproof number of 0. `latest` was searched here just now.
    """
    move, pair = first, pairs
    while move < end:
        if move != latest:
            sign = np.int64(load(move + SIGN))
            child_alpha = alpha if sign > 0 else -alpha - 1
            numbers = _look_up(workspace, load(move + HASH), child_alpha)
            if numbers != NONE:
                _put(pair, numbers, sign)
                if load(pair) == NONE:
                    return np.int64((move - first) // MOVE)
            else:
                numbers = recall(desk, load(move + HASH), child_alpha)
                if numbers != NONE:
                    _put(pair, numbers, sign)
        move += MOVE
        pair += PAIR
    return -1


@kernel("uint64(uint64, uint64, uint64, int64, int64, int64)")
def visit(workspace, desk, move, alpha, proof_limit, disproof_limit):
    """The numbers of the quiet position that a move leads to, after searching until one has reached its limit.

    They are PROVED if the score of who moves there is greater than `alpha` and DISPROVED if it is not. Means nothing
    once IS_STOPPED is set.
    """
    mover, other, hash_ = load(move + MOVER), load(move + OTHER), load(move + HASH)
    other_threats = load(move + OTHER_THREATS)
    nodes = load(workspace + NODES) + ONE
    store(workspace + NODES, nodes)
    if nodes & POLL_MASK == NONE and (
        load_shared(load(workspace + CONTROL)) != RUN or nodes > load(workspace + NODE_LIMIT)
    ):
        store(workspace + IS_STOPPED, ONE)
    if load(workspace + IS_STOPPED) != NONE:
        return NONE
    ply = popcount(mover | other)
    room = ply * load(workspace + COLUMNS)
    first = load(workspace + MOVES) + room * MOVE
    pairs = load(desk + MOVE_NUMBERS) + room * PAIR
    best = expand(workspace, mover, other, other_threats, alpha, first)
    if best > alpha:
        return _settle(workspace, desk, mover, other, hash_, alpha, True, ONE)
    end = load(workspace + END)
    if end != first and load(workspace + EVALUATOR) != NONE and recall(desk, hash_, alpha) == NONE:
        store(desk + EVALUATIONS, load(desk + EVALUATIONS) + ONE)
        high = ask_evaluator(workspace, mover, other, ply, alpha)
        if high != UNKNOWN:
            _keep(workspace, hash_, np.int64(ply), -UNKNOWN, high, ONE)
        if high <= alpha:
            store(desk + RULE_LEAVES, load(desk + RULE_LEAVES) + ONE)
            end = first
    _weigh_moves(workspace, desk, alpha, first, pairs)
    is_shared = load(workspace + BUSY) != NONE
    latest = NONE
    while True:
        if is_shared and latest != NONE:
            found = _look_up(workspace, hash_, alpha)
            if found != NONE:
                return found
            if _share(workspace, desk, alpha, first, end, pairs, latest) >= 0:
                return _settle(workspace, desk, mover, other, hash_, alpha, True, load(workspace + NODES) - nodes)
        # What the moves say together, and which of them to search next.
        proof, eager, second, total = NEVER, 2 * NEVER, 2 * NEVER, 0
        promise = np.int64(0)
        chosen, chosen_pair = first, pairs
        move, pair = first, pairs
        while move < end:
            number, against = np.int64(load(pair)), np.int64(load(pair + WORD_BYTES))
            if against == 0:
                end -= MOVE
                copy_move(end, move)
                last = pairs + (end - first) // MOVE * PAIR
                store(pair, load(last))
                store(pair + WORD_BYTES, load(last + WORD_BYTES))
                continue
            total += against
            proof = min(proof, number)
            wish = np.int64(load(move + PROMISE))
            # Another thread is in it already: as if its number had grown by half.
            price = number + number // 2 + 1 if is_shared and is_busy(workspace, load(move + HASH)) else number
            if number >= proof_limit:
                second = min(second, price)
            elif price < eager or (price == eager and wish > promise):
                second = min(second, eager)
                eager, promise = price, wish
                chosen, chosen_pair = move, pair
            else:
                second = min(second, price)
            move += MOVE
            pair += PAIR
        if end == first:
            return _settle(workspace, desk, mover, other, hash_, alpha, False, load(workspace + NODES) + ONE - nodes)
        disproof = min(total, MOST)
        if proof >= proof_limit or disproof >= disproof_limit:
            numbers = pack(proof, disproof)
            note(desk, hash_, alpha, numbers)
            return numbers
        # Above its limit the second best move, or the rest of the position above, is the one to search.
        limit = min(proof_limit, min(second + (second >> EPSILON_SHIFT) + 1, NEVER))
        limit_against = NEVER
        if disproof_limit < NEVER:
            limit_against = disproof_limit - total + np.int64(load(chosen_pair + WORD_BYTES))
        sign = np.int64(load(chosen + SIGN))
        chosen_hash = load(chosen + HASH)
        if is_shared:
            set_busy(workspace, chosen_hash, True)
        numbers = visit(
            workspace,
            desk,
            chosen,
            alpha if sign > 0 else -alpha - 1,
            limit if sign > 0 else limit_against,
            limit_against if sign > 0 else limit,
        )
        if is_shared:
            set_busy(workspace, chosen_hash, False)
        if load(workspace + IS_STOPPED) != NONE:
            return NONE
        _put(chosen_pair, numbers, sign)
        if load(chosen_pair) == NONE:
            return _settle(workspace, desk, mover, other, hash_, alpha, True, load(workspace + NODES) + ONE - nodes)
        latest = chosen


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def decide_by_numbers(workspace, desk, mover, other, alpha):
    """Whether the mover's score is greater than `alpha`, 0 or -1, in any unfinished position: 1 or 0; or STOPPED.

    The thread that gets there first tells the others to stop.
    """
    move = load(workspace + MOVES)  # a visit writes to the room of ply 0 only if it starts there, and reads this before
    score = follow_from(workspace, mover, other, move)
    if score != OPEN:
        return 1 if score > alpha else 0
    sign = np.int64(load(move + SIGN))
    hash_ = hash_of(workspace, load(move + MOVER), load(move + OTHER), np.int64(load(move + PLY)))
    child_alpha = alpha if sign > 0 else -alpha - 1
    store(workspace + IS_STOPPED, NONE)
    numbers = _look_up(workspace, hash_, child_alpha)
    if numbers == NONE:
        store(move + HASH, hash_)
        numbers = visit(workspace, desk, move, child_alpha, NEVER, NEVER)
        if load(workspace + IS_STOPPED) != NONE:
            return STOPPED
        store_shared(load(workspace + CONTROL), FINISHED)
    return 1 if (numbers == PROVED) == (sign > 0) else 0


@kernel("void(uint64, uint64[::1], uint64[::1], int8[::1], int8[::1])")
def learn(workspace, movers, others, lows, highs):
    """Put bounds on the movers' scores that are known from elsewhere into the table of what is decided."""
    for i in range(movers.shape[0]):
        ply = np.int64(popcount(movers[i] | others[i]))
        hash_ = hash_of(workspace, movers[i], others[i], ply)
        cells = np.int64(load(workspace + CELLS))
        # A position that is not quiet may have more extreme scores, and is never looked up.
        if lows[i] <= greatest_possible(cells, ply) and highs[i] >= least_possible(cells, ply):
            _keep(workspace, hash_, ply, np.int64(lows[i]), np.int64(highs[i]), WORTH_KEEPING)
