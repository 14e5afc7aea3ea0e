"""Mistakes in the checker on arrays, and in what writes the certificates that it reads."""

from __future__ import annotations

from tests.mutations.mutation import (
    ARRAY_CHECK_TESTS,
    ARRAY_CONDITION_TESTS,
    ARRAY_INSTANCE_TESTS,
    ARRAY_SITUATION_TESTS,
    PROOF_BATCH_TESTS,
    Mutation,
    mutations_of,
)

BROKEN_ARRAY_CHECK: list[Mutation] = [
    *mutations_of(
        "solver/proof/array_check/situation.py",
        ARRAY_SITUATION_TESTS,
        [
            ("array check: no stone floats", "if occupied & ~(occupied << ONE | bottom) != NONE:", "if False:"),
            ("array check: no square taken twice", " or white & black != NONE or", " or"),
            ("array check: stones on the board", "if occupied & ~board != NONE or", "if"),
            ("array check: the board is not full", " or occupied == board:", ":"),
            (
                "array check: turns alternate",
                "popcount(white) != popcount(black) and popcount(white) != popcount(black) + ONE",
                "False",
            ),
            ("array check: nobody has won", "if group & ~white == NONE or group & ~black == NONE:", "if False:"),
            ("array check: a group is named once", "return np.int64(popcount(group)) == named", "return True"),
        ],
    ),
    *mutations_of(
        "solver/proof/array_check/kernel.py",
        ARRAY_CHECK_TESTS,
        [
            ("array check: every problem is solved", "        if not desk.solved[i]:", "        if False:"),
            (
                "array check: every pair combines",
                " or not are_combinable(instances[i], instances[count], rows):",
                ":",
            ),
            ("array check: nothing is listed twice", "if are_same(instances[i], instances[count]) or not", "if not"),
            (
                "array check: every instance solves something",
                "useful = facts[RULE] == np.uint64(AFTEREVEN)",
                "useful = True",
            ),
            (
                "array check: an Aftereven need not",
                "useful = facts[RULE] == np.uint64(AFTEREVEN)",
                "useful = False",
            ),
            ("array check: an Aftereven wins", "                proved = BLACK\n", "                pass\n"),
            (
                "array check: squares are empty",
                "(seen | ~situation.empty | situation.barred)",
                "(seen | situation.barred)",
            ),
            (
                "array check: squares differ",
                "(seen | ~situation.empty | situation.barred)",
                "(~situation.empty | situation.barred)",
            ),
            (
                "array check: barred columns",
                "(seen | ~situation.empty | situation.barred)",
                "(seen | ~situation.empty)",
            ),
            (
                "array check: the group is the controller's",
                "return group & ~(situation.own | situation.empty) == NONE",
                "return True",
            ),
            (
                "array check: the group is a line",
                "if token.numbers[GROUPS] == 1 and not is_group(",
                "if False and not is_group(",
            ),
            (
                "array check: White has a win condition, Black has none",
                "if conditions != (1 if for_white else 0):",
                "if conditions == WRONG:",
            ),
            ("array check: dead groups are no problems", " and not is_dead(group, desk.dead, pairs):", ":"),
            (
                "array check: the controller is not to move",
                "own, empty = white if for_white else black,",
                "own, empty = black if for_white else white,",
            ),
            (
                "array check: both columns are barred",
                "            barred |= column_of(square, lines.rows)",
                "            barred = column_of(square, lines.rows)",
            ),
            ("array check: a wrong win condition", "        if pairs == WRONG:\n            return NOTHING\n", ""),
        ],
    ),
    *mutations_of(
        "solver/proof/array_check/instances.py",
        ARRAY_INSTANCE_TESTS,
        [
            (
                "array check: Claimeven, even",
                "return upper == lower << ONE and upper & situation.odd == NONE",
                "return upper == lower << ONE",
            ),
            (
                "array check: Baseinverse, playable",
                "return (squares[0] | squares[1]) & ~situation.playable == NONE",
                "return True",
            ),
            (
                "array check: Vertical, odd",
                "return upper == lower << ONE and upper & situation.odd != NONE",
                "return upper == lower << ONE",
            ),
            ("array check: Aftereven, even", " or gaps & situation.odd != NONE:", ":"),
            ("array check: Aftereven, a Claimeven each", " or upper & gaps == NONE:", ":"),
            (
                "array check: Aftereven, above every gap",
                "        if squares & problem == NONE:\n            return False\n    return",
                "        if squares & problem != NONE:\n            return True\n    return False and",
            ),
            ("array check: Lowinverse, odd", "        and upper2 & situation.odd != NONE\n", ""),
            (
                "array check: Lowinverse, columns",
                "        and column_of(upper1, situation.rows) != column_of(upper2, situation.rows)\n",
                "",
            ),
            ("array check: Highinverse, even", "        and (top1 | top2) & situation.odd == NONE\n", ""),
            (
                "array check: Highinverse, columns",
                "        and column_of(top1, situation.rows) != column_of(top2, situation.rows)\n",
                "",
            ),
            ("array check: Highinverse, playable", "if bottom1 & situation.playable != NONE:", "if True:"),
            (
                "array check: Baseclaim, playable",
                "return (p1 | p2 | p3) & ~situation.playable == NONE and z",
                "return z",
            ),
            ("array check: Baseclaim, z above p2", " and z == p2 << ONE and", " and"),
            ("array check: Baseclaim, z even", " and z & situation.odd == NONE\n", "\n"),
            (
                "array check: Before, a Vertical",
                "count_verticals(situation, squares, gaps, facts, patterns) > 0",
                "count_verticals(situation, squares, gaps, facts, patterns) >= 0",
            ),
            ("array check: Before, top row", " and gaps << ONE & ~situation.squares == NONE\n", "\n"),
            (
                "array check: Before, claimed squares are even",
                "elif upper & gaps != NONE and upper & situation.odd == NONE:",
                "elif upper & gaps != NONE:",
            ),
            (
                "array check: Before, one part a gap",
                "elif upper & gaps != NONE and upper & situation.odd == NONE:",
                "elif upper & situation.odd == NONE:",
            ),
            (
                "array check: Before, all successors",
                "    add_containing(patterns, gaps << ONE)\n",
                "    add_containing(patterns, (gaps & ~(gaps - ONE)) << ONE)\n",
            ),
            ("array check: Specialbefore, p in the group", "        and p & gaps != NONE\n", ""),
            (
                "array check: Specialbefore, x elsewhere",
                "        and x & columns_of(gaps, situation.rows) == NONE\n",
                "",
            ),
            ("array check: Specialbefore, playable", "        and (p | x) & ~situation.playable == NONE\n", ""),
            (
                "array check: Specialbefore, all successors and x",
                "add_containing(patterns, x | gaps << ONE)",
                "add_containing(patterns, gaps << ONE)",
            ),
            ("array check: Specialbefore, p and x are unshared", "    facts[UNSHARED] = p | x\n", ""),
        ],
    ),
    *mutations_of(
        "solver/proof/array_check/combinations.py",
        ARRAY_INSTANCE_TESTS,
        [
            ("array check: a wrong table", "    BE  1    1    1    3    2+3", "    BE  1    1    1    3    3  "),
            ("array check: a wrong table for Claimevens", "    LI  2  ", "    LI  1  "),
            ("array check: constraint 1", "return one[OCCUPIED] & other[OCCUPIED] == NONE", "return True"),
            (
                "array check: constraint 2",
                "return one[CLAIMEVENS] & at_or_below(other[OCCUPIED], rows) == NONE",
                "return True",
            ),
            (
                "array check: constraint 2, at the inverse",
                "return other[CLAIMEVENS] & at_or_below(one[OCCUPIED], rows) == NONE",
                "return other[CLAIMEVENS] & at_or_below(one[OCCUPIED], rows) & ~one[OCCUPIED] == NONE",
            ),
            ("array check: constraint 3", "if one[OCCUPIED] & column != other[OCCUPIED] & column:", "if False:"),
            (
                "array check: constraint 3, p and x",
                "if shared & (one[UNSHARED] | other[UNSHARED]) != NONE:",
                "if False:",
            ),
            ("array check: constraint 4, disjoint", "return are_disjoint(one, other) and (ours", "return (ours"),
            ("array check: constraint 4, columns", "(ours & theirs == NONE or ours == theirs)", "True"),
        ],
    ),
    *mutations_of(
        "solver/proof/array_check/win_conditions.py",
        ARRAY_CONDITION_TESTS,
        [
            ("array check: White's stones in the group", "        and group & ~(gaps | situation.own) == NONE\n", ""),
            ("array check: the gaps are empty", "gaps & ~(group & situation.empty) == NONE", "gaps & ~group == NONE"),
            ("array check: the threat is odd", " or t & situation.odd == NONE or", " or"),
            ("array check: the threat is not playable", " or t & situation.playable != NONE:", ":"),
            ("array check: odd squares below t are dead", " | above(playable, situation.rows) & situation.odd\n", "\n"),
            (
                "array check: an even square below t is not dead",
                "above(playable, situation.rows) & situation.odd\n",
                "above(playable, situation.rows)\n",
            ),
            ("array check: v directly above or below o", "or not (v_is_above or v_is_below)", "or False"),
            ("array check: s is odd", "        or s & odd == NONE\n", ""),
            ("array check: o is odd", "        or o & odd == NONE\n", ""),
            ("array check: s is not playable", "        or s & playable != NONE\n", ""),
            ("array check: claim 1", "killed = above(first, rows) & odd", "killed = above(first, rows)"),
            (
                "array check: claim 2",
                "add_pair(dead, count, above(s, rows), above(o, rows))",
                "add_pair(dead, count, above(s, rows), ~NONE)",
            ),
            (
                "array check: claims 3 to 6 not with v playable below o",
                "if v_is_below and v & playable != NONE:",
                "if False:",
            ),
            ("array check: claim 3", "add_pair(dead, count, s << ONE, o)", "add_pair(dead, count, s << ONE, ~NONE)"),
            ("array check: claim 4", "        if o & playable != NONE:\n", "        if True:\n"),
            ("array check: claim 6 up to o", "while lowest < o:", "while lowest <= o:"),
        ],
    ),
    *mutations_of(
        "solver/proof/array_check/token.py",
        ARRAY_INSTANCE_TESTS,
        [
            ("array check: rows have no leading zero", " or text[start + 1] == ZERO:", ":"),
            ("array check: columns of the board", " or column >= columns or", " or"),
            ("array check: rows of the board", " or row > rows or", " or"),
            (
                "array check: a rule has a group or none",
                "return numbers[GROUPS] == (1 if has_group else 0)",
                "return True",
            ),
            (
                "array check: an odd threat names one square",
                "return numbers[NAMED] == 1 and numbers[GROUPS] == 1",
                "return True",
            ),
            (
                "array check: a combination names three squares",
                "return numbers[NAMED] == 3 and numbers[GROUPS] == 2",
                "return True",
            ),
        ],
    ),
]

BROKEN_PROOF_BATCH: list[Mutation] = mutations_of(
    "solver/proof/certificate_kernel.py",
    PROOF_BATCH_TESTS,
    [
        ("text: needless instances are dropped", "draft.needed[candidate] = missing != NONE", "pass"),
        (
            "text: needed instances are kept",
            "draft.needed[candidate] = missing != NONE",
            "draft.needed[candidate] = False",
        ),
        (
            "text: the least useful are dropped first",
            "draft.sizes[draft.order[place - 1]] > draft.sizes[i]",
            "draft.sizes[draft.order[place - 1]] < draft.sizes[i]",
        ),
        ("text: by rule, then by squares", "        return rule > other_rule\n", "        return rule < other_rule\n"),
        ("text: rows of two digits", "    if row > 9:\n", "    if False:\n"),
    ],
)
