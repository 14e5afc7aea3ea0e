"""Negamax with a Zobrist-hashed transposition table over the window evaluations, as kernels.

A value is the mover's. A position is always valued for the same side, the one that chooses a move, and the value
negated where the other one is to move: the windows are not worth the same to both.

An entry of the table is two words: the hash, and

    | value + 2^20: 40 bits | depth: 8 | kind: 8 | column: 8 |
"""

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount
from claimeven.solver.players.window.evaluation import FOUR, value_windows
from claimeven.solver.players.window.patterns import NONE, ONE, winning_squares
from claimeven.solver.players.window.strategy import value_strategy
from claimeven.solver.players.window.words import SQUARE_BITS, Slot

WIN = FOUR
"""A win counts this much less the number of stones on the board when it is made."""
DECIDED = WIN - SQUARE_BITS - 1
"""A value beyond this is a win, or a loss, that the search has seen."""
HIGHEST_EVALUATION = DECIDED - 1
INFINITY = 2 * WIN
STOPPED = 0

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
OFFSET = 1 << 20
VALUE_SHIFT, DEPTH_SHIFT, KIND_SHIFT, BYTE = np.uint64(24), np.uint64(16), np.uint64(8), np.uint64(255)
HASH, CONTENT = 0, 1
NO_COLUMN = 255

SQUARES, BOTTOM, COLUMNS, STRIDE = int(Slot.SQUARES), int(Slot.BOTTOM), int(Slot.COLUMNS), int(Slot.STRIDE)
OWN_IS_FIRST, USES_RULES, IS_CAREFUL = int(Slot.OWN_IS_FIRST), int(Slot.USES_RULES), int(Slot.IS_CAREFUL)
NODES, STOP, ORDER, KEYS = int(Slot.NODES), int(Slot.STOP), int(Slot.ORDER), int(Slot.KEYS)


@kernel("int64(uint64[::1], uint64, uint64)")
def evaluate(words, mover, other):
    """What a position is worth to the mover: how the side that chooses a move values it."""
    mover_is_first = popcount(mover | other) & ONE == NONE
    own_is_first = words[OWN_IS_FIRST] != NONE
    own, opponent = (mover, other) if mover_is_first == own_is_first else (other, mover)
    value = value_windows(words, own, opponent)
    if words[USES_RULES] != NONE:
        value += value_strategy(words, own, opponent, own_is_first)
        value -= value_strategy(words, opponent, own, not own_is_first)
    value = min(max(value, -HIGHEST_EVALUATION), HIGHEST_EVALUATION)
    return value if mover_is_first == own_is_first else -value


@kernel("uint64(uint64[::1], uint64, uint64)")
def hash_position(words, mover, other):
    """The Zobrist hash of a position, which also says for which side positions are valued."""
    first, second = (mover, other) if popcount(mover | other) & ONE == NONE else (other, mover)
    hash_ = NONE if words[OWN_IS_FIRST] != NONE else ~NONE
    while first != NONE:
        hash_ ^= words[KEYS + np.int64(lowest_bit(first))]
        first &= first - ONE
    while second != NONE:
        hash_ ^= words[KEYS + SQUARE_BITS + np.int64(lowest_bit(second))]
        second &= second - ONE
    return hash_


@kernel("uint64(uint64[::1], int64)")
def column_squares(words, column):
    """The squares of a column."""
    return ((ONE << words[STRIDE]) - ONE) << (np.uint64(column) * words[STRIDE])


@kernel("uint64(uint64[::1], uint64, uint64)")
def find_candidates(words, mover, other):
    """The squares worth playing if the mover has no win at once; NONE if a careful mover sees that all of them lose."""
    occupied = mover | other
    playable = (occupied + words[BOTTOM]) & words[SQUARES]
    danger = winning_squares(words, other, words[SQUARES] & ~occupied)
    forced = danger & playable
    candidates = playable if forced == NONE else forced
    if words[IS_CAREFUL] != NONE:
        if forced & (forced - ONE) != NONE:
            return NONE
        candidates &= ~(danger >> ONE)
    return candidates


@kernel("int64(uint64[::1], uint64[:, ::1], uint64, uint64, uint64, int64, int64, int64)")
def search(words, table, mover, other, hash_, depth, alpha, beta):
    """The value of a position in which nobody has won, `depth` plies deep; a bound outside `alpha` to `beta`.

    The mover takes a win if there is one and else blocks the opponent's. A careful search also sees, at any depth, that
    two wins cannot be blocked, and never plays below a square where the opponent wins: if nothing else is left, that is
    a loss. Means nothing once STOP is set.
    """
    words[NODES] += ONE
    if words[STOP] != NONE:
        return STOPPED
    occupied = mover | other
    empty = words[SQUARES] & ~occupied
    playable = (occupied + words[BOTTOM]) & words[SQUARES]
    if playable == NONE:
        return 0
    is_careful = words[IS_CAREFUL] != NONE
    if depth == 0 and not is_careful:
        return evaluate(words, mover, other)
    ply = np.int64(popcount(occupied))
    if winning_squares(words, mover, empty) & playable != NONE:
        return WIN - (ply + 1)
    candidates = find_candidates(words, mover, other)
    if candidates == NONE:
        return -(WIN - (ply + 2))
    if depth == 0:
        return evaluate(words, mover, other)
    place = hash_ & np.uint64(table.shape[0] - 1)
    remembered = NO_COLUMN
    if table[place, HASH] == hash_:
        content = table[place, CONTENT]
        remembered = np.int64(content & BYTE)
        kind = np.int64((content >> KIND_SHIFT) & BYTE)
        value = np.int64(content >> VALUE_SHIFT) - OFFSET
        # A win or a loss that has been seen is there at any depth.
        is_decided = (value > DECIDED and kind != AT_MOST) or (value < -DECIDED and kind != AT_LEAST)
        is_deep = np.int64((content >> DEPTH_SHIFT) & BYTE) >= depth
        is_inside = (kind == AT_LEAST and value < beta) or (kind == AT_MOST and value > alpha)
        if (is_deep or is_decided) and not is_inside:
            return value
    stones_key = KEYS if ply % 2 == 0 else KEYS + SQUARE_BITS
    best, best_column, low = -INFINITY, NO_COLUMN, alpha
    for index in range(-1, np.int64(words[COLUMNS])):
        column = remembered if index < 0 else np.int64(words[ORDER + index])
        if column == NO_COLUMN or (index >= 0 and column == remembered):
            continue
        move = candidates & column_squares(words, column)
        if move == NONE:
            continue
        child_hash = hash_ ^ words[stones_key + np.int64(lowest_bit(move))]
        value = -search(words, table, other, mover | move, child_hash, depth - 1, -beta, -low)
        if value > best:
            best, best_column = value, column
            low = max(low, best)
            if best >= beta:
                break
    if words[STOP] != NONE:
        return STOPPED
    kind = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
    table[place, HASH] = hash_
    table[place, CONTENT] = (
        (np.uint64(best + OFFSET) << VALUE_SHIFT)
        | (np.uint64(depth) << DEPTH_SHIFT)
        | (np.uint64(kind) << KIND_SHIFT)
        | np.uint64(best_column)
    )
    return best


@kernel("void(uint64[::1], uint64[:, ::1], uint64, uint64, int64[::1], int64, int64, int64[::1])")
def value_moves(words, table, mover, other, columns, depth, slack, values):
    """Value moves, `depth` plies deep, the most promising first; none of them wins at once.

    The values of the best, and of those at most `slack` worse, are exact; of the others only that they are worse.
    """
    playable = ((mover | other) + words[BOTTOM]) & words[SQUARES]
    low = -INFINITY
    for index in range(columns.shape[0]):
        after = mover | (playable & column_squares(words, columns[index]))
        hash_ = hash_position(words, other, after)
        values[index] = -search(words, table, other, after, hash_, depth - 1, -INFINITY, -low)
        # One less than what counts: a move as good as the best gets its exact value, in whatever order they come.
        low = max(low, values[index] - slack - 1)
