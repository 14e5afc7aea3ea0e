"""White's win conditions: the odd threat and the threat combination (Allis 1988, §8.2 to §8.4).

A condition is a row: what it is, and the columns in which no rule may use a square any more. What it takes from
Black is a list of patterns: a pattern is a pair of sets, and a Black group that meets both of them is dead.
"""

from claimeven.solver.kernel import kernel, lowest_bit, popcount, types
from claimeven.solver.rules.scene import BITS, GEOMETRY, above, whole_column, whole_columns
from claimeven.solver.word import NONE, ONE, TWO

# The columns of the table of conditions.
KIND = 0
GROUP1 = 1  # the odd threat's group; the combination's group that needs s and o
GROUP2 = 2  # the combination's group that needs s and v
S = 3  # the odd threat's square t; the combination's crossing square s
O = 4  # the odd square o of the combination  # noqa: E741
V = 5  # the even square v of the combination
COLUMNS = 6
CONDITION_FIELDS = 7

ODD_THREAT = ONE
THREAT_COMBINATION = TWO

MAX_PATTERNS = 80


@kernel(types.int64(GEOMETRY, types.uint64, types.uint64, types.uint64, BITS))
def find_odd_threats(geometry, white, empty, playable, conditions):
    """All but one square of a group are White's, and the last one is empty, odd and not playable.

    Of several in one column only the lowest is kept: what a higher one kills, the lowest kills too. So there are
    never more than columns, and the table of conditions has to hold as many.
    """
    count = 0
    for group in geometry.groups:
        t = group & empty
        if popcount(group & white) != geometry.connect - ONE or t & geometry.odd & ~playable == NONE:
            continue
        columns = whole_column(lowest_bit(t), geometry.stride)
        place = 0
        while place < count and conditions[place, COLUMNS] != columns:
            place += 1
        if place < count and conditions[place, S] <= lowest_bit(t):
            continue
        conditions[place, KIND] = ODD_THREAT
        conditions[place, GROUP1] = group
        conditions[place, GROUP2] = NONE
        conditions[place, S] = lowest_bit(t)
        conditions[place, O] = NONE
        conditions[place, V] = NONE
        conditions[place, COLUMNS] = columns
        count = max(count, place + 1)
    return count


@kernel(types.int64(GEOMETRY, types.uint64, types.uint64, types.uint64, BITS, types.int64))
def find_threat_combinations(geometry, white, empty, playable, conditions, count):
    """Two groups with all but two squares White's: one needs the odd squares s and o, the other s and v, which is even
    and directly above or below o. s is not playable.

    Gives the number of conditions, which may exceed the table.
    """
    for group1 in geometry.groups:
        pair = group1 & empty
        if popcount(pair) != TWO or popcount(group1 & white) != geometry.connect - TWO or pair & ~geometry.odd != NONE:
            continue
        for group2 in geometry.groups:
            needs = group2 & empty
            if popcount(needs) != TWO or popcount(group2 & white) != geometry.connect - TWO:
                continue
            s, v = needs & pair, needs & ~pair
            o = pair & ~s
            if popcount(s) != ONE or s & playable != NONE or v & geometry.odd != NONE:
                continue
            if v != o << ONE and v != o >> ONE:
                continue
            place = min(count, conditions.shape[0] - 1)
            conditions[place, KIND] = THREAT_COMBINATION
            conditions[place, GROUP1] = group1
            conditions[place, GROUP2] = group2
            conditions[place, S] = lowest_bit(s)
            conditions[place, O] = lowest_bit(o)
            conditions[place, V] = lowest_bit(v)
            conditions[place, COLUMNS] = whole_columns(s | o, geometry.stride)
            count += 1
    return count


@kernel("int64(uint64, uint64, uint64, uint64, uint64[:, ::1])")
def _patterns_of_odd_threat(t, playable, odd, stride, patterns):
    column = whole_column(t, stride)
    lowest = lowest_bit(playable & column)
    patterns[0, 0] = column & (above(t, stride) | ONE << t | odd & above(lowest, stride))
    patterns[0, 1] = ~NONE
    return 1


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64, uint64[:, ::1])")
def _patterns_of_combination(s, o, v, playable, odd, stride, patterns):
    crossing, other = whole_column(s, stride), whole_column(o, stride)
    crossing_playable, other_playable = playable & crossing, playable & other
    o_is_playable = playable >> o & ONE != NONE
    v_is_playable = playable >> v & ONE != NONE
    v_is_above = v > o

    # (1) an odd square of the crossing column, except its playable square
    patterns[0, 0] = odd & above(lowest_bit(crossing_playable), stride)
    patterns[0, 1] = ~NONE
    # (2) a square above s together with a square above o
    patterns[1, 0] = above(s, stride)
    patterns[1, 1] = above(o, stride)
    count = 2
    if not v_is_above and v_is_playable:
        return count
    if v_is_above:
        # (3) succ(s) together with o
        patterns[count, 0] = ONE << s + ONE
        patterns[count, 1] = ONE << o
        count += 1
        if o_is_playable:
            # (4) any square above succ(s)
            patterns[count, 0] = above(s + ONE, stride)
            patterns[count, 1] = ~NONE
            count += 1
    # (5) the playable squares of both columns together
    lower = lowest_bit(other_playable)
    if crossing_playable & odd != NONE and not o_is_playable:
        patterns[count, 0] = crossing_playable
        patterns[count, 1] = other_playable
        count += 1
        lower += ONE
    # (6) two adjacent squares of the other column up to and including o
    while lower < o:
        patterns[count, 0] = ONE << lower
        patterns[count, 1] = ONE << lower + ONE
        count += 1
        lower += ONE
    return count


@kernel("int64(uint64[::1], uint64, uint64, uint64, uint64[:, ::1])")
def list_dead_patterns(condition, playable, odd, stride, patterns):
    """Fill in the dead patterns of a condition; give their number."""
    if condition[KIND] == ODD_THREAT:
        return _patterns_of_odd_threat(condition[S], playable, odd, stride, patterns)
    return _patterns_of_combination(condition[S], condition[O], condition[V], playable, odd, stride, patterns)


@kernel("boolean(uint64, uint64[:, ::1], int64)")
def is_dead(group, patterns, count):
    """Whether a Black group meets both sets of one of the patterns."""
    for pattern in range(count):
        if group & patterns[pattern, 0] != NONE and group & patterns[pattern, 1] != NONE:
            return True
    return False
