"""Mistakes in the table of combinations, its constraints, and White's win conditions."""

from __future__ import annotations

from tests.mutations.mutation import (
    COMBINATION_TESTS,
    CONDITION_TESTS,
    PROVER_TESTS,
    Mutation,
    mutations_of,
)

_ROWS = {
    "CL": "  CL  1\n",
    "BI": "  BI  1    1\n",
    "VE": "  VE  1    1    1\n",
    "AE": "  AE  1    1    1    3\n",
    "LI": "  LI  2    1    1    1+2  4\n",
    "HI": "  HI  2    1    1    1+2  4    4\n",
    "BC": "  BC  1    1    1    1    1+2  1+2  1\n",
    "BE": "  BE  1    1    1    3    2+3  1+2  1    3\n",
    "SB": "  SB  1    1    1    3    2+3  1+2  1    3    3\n",
}


def _entry(row: str, column: str, wrong: str) -> tuple[str, str, str]:
    """The table with another entry for a pair of rules."""
    cells = _ROWS[row].split()
    place = list(_ROWS).index(column) + 1
    breaks = f"table: {row} and {column} by {cells[place]}, not {wrong}"
    cells[place] = wrong
    return breaks, _ROWS[row], "  " + "  ".join(cells) + "\n"


# Left out are those that change nothing: 1+2 for 2, because a Claimeven above an inverse is disjoint from it, and 3 for
# 1 where two such rules never have the same squares of a column.
WRONG_ENTRIES = [
    _entry(*entry)
    for entry in (
        ("BI", "BI", "3"),
        ("AE", "CL", "3"),
        ("AE", "AE", "1"),
        ("LI", "CL", "1"),
        ("LI", "VE", "3"),
        ("LI", "AE", "1"),
        ("LI", "LI", "1"),
        ("HI", "CL", "1"),
        ("HI", "VE", "2"),
        ("HI", "AE", "1"),
        ("HI", "LI", "1"),
        ("HI", "HI", "1"),
        ("BC", "AE", "3"),
        ("BC", "LI", "1"),
        ("BC", "LI", "2"),
        ("BC", "HI", "1"),
        ("BC", "HI", "2"),
        ("BC", "BC", "3"),
        ("BE", "CL", "3"),
        ("BE", "VE", "3"),
        ("BE", "AE", "1"),
        ("BE", "LI", "3"),
        ("BE", "LI", "2"),
        ("BE", "LI", "1+2"),
        ("BE", "HI", "1"),
        ("BE", "HI", "2"),
        ("BE", "BC", "3"),
        ("BE", "BE", "1"),
        ("SB", "LI", "3"),
        ("SB", "HI", "1"),
        ("SB", "AE", "1"),
        ("SB", "BE", "1"),
        ("SB", "SB", "1"),
    )
]

BROKEN_COMBINATIONS: list[Mutation] = mutations_of(
    "solver/rules/combination.py",
    COMBINATION_TESTS,
    [
        *WRONG_ENTRIES,
        ("constraint 1", "                            disjoint & shared\n", "                            NONE\n"),
        ("constraint 1, where it is the only one", "squares & table[SQUARES, other] != NONE", "False"),
        ("constraint 2, the first solution's Claimevens", "(claimevens & table[ZONE, other] | zone", "(zone"),
        ("constraint 2, the other solution's Claimevens", " | zone & table[CLAIMEVENS, other])", ")"),
        ("constraint 3", "(touched(shared, board) & touched(different, board))", "NONE"),
        ("constraint 3: equal squares are allowed", " & touched(different, board))", ")"),
        ("constraint 3: p and x are shared with nobody", " & (singles | table[SINGLES, other])", " & NONE"),
        ("constraint 4: column pairs", "clash |= same_columns & columns & other_columns", "pass"),
        ("constraint 4: equal column pairs are allowed", "if columns != other_columns:", "if True:"),
        ("constraint 4: disjoint squares", "(DISJOINT | SAME_COLUMNS)", "DISJOINT"),
    ],
)

BROKEN_COMBINATIONS += mutations_of(
    "solver/rules/combination.py",
    PROVER_TESTS,
    [
        (
            "only solutions that are still allowed",
            "kept[place] |= allowed[place] & ~conflicts",
            "kept[place] |= ~conflicts",
        ),
    ],
)

BROKEN_CONDITIONS: list[Mutation] = mutations_of(
    "solver/rules/win_condition.py",
    CONDITION_TESTS,
    [
        ("odd threat: odd", "t & geometry.odd & ~playable", "t & ~playable"),
        ("odd threat: not playable", "t & geometry.odd & ~playable", "t & geometry.odd"),
        ("odd threat: three White stones", "!= geometry.connect - ONE", "< geometry.connect - TWO"),
        (
            "odd threat: the lowest of a column",
            "conditions[place, S] <= lowest_bit(t)",
            "conditions[place, S] >= lowest_bit(t)",
        ),
        ("odd threat: above t is dead", "above(t, stride) | ONE << t", "ONE << t"),
        ("odd threat: an even square below t is not dead", "odd & above(lowest, stride))", "above(lowest, stride))"),
        ("odd threat: an odd playable square is not dead", "odd & above(lowest, stride))", "odd)"),
        ("odd threat: odd squares below t are dead", " | odd & above(lowest, stride))", ")"),
        ("combination: s and o are odd", " or pair & ~geometry.odd != NONE:", ":"),
        ("combination: s is not playable", " or s & playable != NONE", ""),
        ("combination: v above or below o", "if v != o << ONE and v != o >> ONE:", "if v != o << ONE:"),
        ("combination: v directly above or below o", "if v != o << ONE and v != o >> ONE:", "if False:"),
        (
            "combination: the other group has two White stones",
            "if popcount(needs) != TWO or popcount(group2 & white) != geometry.connect - TWO:",
            "if popcount(needs) != TWO:",
        ),
        (
            "combination: both columns are kept from the rules",
            "whole_columns(s | o, geometry.stride)",
            "whole_columns(s, geometry.stride)",
        ),
        (
            "claim 1: odd squares only",
            "[0, 0] = odd & above(lowest_bit(",
            "[0, 0] = above(lowest_bit(",
        ),
        ("claim 1: not the playable square", "odd & above(lowest_bit(crossing_playable), stride)", "odd & crossing"),
        (
            "claim 2: a square above o",
            "[1, 1] = above(o, stride)",
            "[1, 1] = above(o, stride) | ONE << o",
        ),
        ("claim 2: a square above s", "patterns[1, 0] = above(s, stride)", "patterns[1, 0] = ~NONE"),
        ("claims 3 to 6 not with v playable below o", "if not v_is_above and v_is_playable:", "if False:"),
        ("claims 5 and 6 with v below o out of reach", "if not v_is_above and v_is_playable:", "if not v_is_above:"),
        ("claim 3: only with v above o", "    if v_is_above:\n", "    if True:\n"),
        ("claim 3: succ(s) together with o", "patterns[count, 1] = ONE << o\n", "patterns[count, 1] = ~NONE\n"),
        ("claim 4: only if o is playable", "        if o_is_playable:\n", "        if True:\n"),
        ("claim 4: above succ(s)", "above(s + ONE, stride)", "above(s, stride)"),
        ("claim 5: only if o is not playable", " and not o_is_playable:", ":"),
        ("claim 5: only if the playable square is odd", "crossing_playable & odd != NONE and not", "not"),
        ("claim 5: both playable squares", "patterns[count, 1] = other_playable", "patterns[count, 1] = ~NONE"),
        (
            "claim 6: one higher if claim 5 is used",
            "        count += 1\n        lower += ONE\n    # (6)",
            "        count += 1\n    # (6)",
        ),
        ("claim 6: up to o", "while lower < o:", "while lower <= o:"),
        ("claim 6: up to and including o", "while lower < o:", "while lower + ONE < o:"),
        ("a dead group meets both sets of a claim", "!= NONE and group & patterns[pattern, 1] != NONE", "!= NONE"),
    ],
)
