"""White's win conditions: Allis 1988, §8.2 (odd threat) and §8.4 (threat combination).

A condition keeps whole columns from the rules, and kills Black groups: `dead` holds pairs of sets, and a group that
meets both sets of a pair is dead.
"""

from claimeven.solver.kernel import kernel, types
from claimeven.solver.proof.array_check.situation import SITUATION, SQUARES, above, column_of, is_group
from claimeven.solver.proof.array_check.token import CODE, GROUP_SIZES, ODD_THREAT, TOKEN
from claimeven.solver.word import NONE, ONE

PAIRS = types.uint64[:, ::1]

MOST_PAIRS = 70  # five claims, and the sixth once a row at most

WRONG = -1


@kernel("int64(uint64[:, ::1], int64, uint64, uint64)")
def add_pair(dead, count, one, other):
    """Add a pair of sets; give the number of pairs then."""
    dead[count, 0] = one
    dead[count, 1] = other
    return count + 1


@kernel("boolean(uint64, uint64[:, ::1], int64)")
def is_dead(group, dead, count):
    """Whether a group meets both sets of one of the pairs."""
    for i in range(count):
        if group & dead[i, 0] != NONE and group & dead[i, 1] != NONE:
            return True
    return False


@kernel(types.boolean(SITUATION, SQUARES, TOKEN, types.int64, types.uint64))
def has_gaps(situation, groups, token, number, gaps):
    """Whether a group that the token names has White stones but for exactly these empty squares."""
    group = token.groups[number]
    return (
        is_group(group, token.numbers[GROUP_SIZES + number], groups)
        and gaps & ~(group & situation.empty) == NONE
        and group & ~(gaps | situation.own) == NONE
    )


# Allis 1988, §8.2
@kernel(types.int64(SITUATION, SQUARES, TOKEN, PAIRS))
def kill_by_odd_threat(situation, groups, token, dead):
    """All of a group but the odd square t are White stones, and t is not playable; the number of pairs, or WRONG.

    Dead is what contains t, a square above it, or an odd square of its column above the playable one.
    """
    t = token.squares[0]
    if not has_gaps(situation, groups, token, 0, t) or t & situation.odd == NONE or t & situation.playable != NONE:
        return WRONG
    playable = situation.playable & column_of(t, situation.rows)
    killed = t | above(t, situation.rows) | above(playable, situation.rows) & situation.odd
    return add_pair(dead, 0, killed, killed)


# Allis 1988, §8.4; the numbers are those of its claims
@kernel(types.int64(SITUATION, SQUARES, TOKEN, PAIRS))
def kill_by_combination(situation, groups, token, dead):
    """One group needs the odd squares s and o, another s and the even square v directly above or below o; s is not
    playable. The number of pairs, or WRONG."""
    rows, odd, playable = situation.rows, situation.odd, situation.playable
    s, o, v = token.squares[0], token.squares[1], token.squares[2]
    crossing, other = column_of(s, rows), column_of(o, rows)
    v_is_above, v_is_below = v == o << ONE, o == v << ONE
    if (
        crossing == other
        or not (v_is_above or v_is_below)
        or s & odd == NONE
        or o & odd == NONE
        or s & playable != NONE
        or not has_gaps(situation, groups, token, 0, s | o)
        or not has_gaps(situation, groups, token, 1, s | v)
    ):
        return WRONG
    first, lowest = playable & crossing, playable & other
    killed = above(first, rows) & odd
    count = add_pair(dead, 0, killed, killed)  # 1
    count = add_pair(dead, count, above(s, rows), above(o, rows))  # 2
    if v_is_below and v & playable != NONE:
        return count
    if v_is_above:
        count = add_pair(dead, count, s << ONE, o)  # 3
        if o & playable != NONE:
            killed = above(s << ONE, rows)
            count = add_pair(dead, count, killed, killed)  # 4
    if first & odd != NONE and o & playable == NONE:
        count = add_pair(dead, count, first, lowest)  # 5
        lowest <<= ONE
    while lowest < o:
        count = add_pair(dead, count, lowest, lowest << ONE)  # 6
        lowest <<= ONE
    return count


@kernel(types.int64(SITUATION, SQUARES, TOKEN, PAIRS))
def list_dead(situation, groups, token, dead):
    """Fill in the pairs of a win condition; their number, or WRONG if it does not hold."""
    if token.numbers[CODE] == ODD_THREAT:
        return kill_by_odd_threat(situation, groups, token, dead)
    return kill_by_combination(situation, groups, token, dead)
