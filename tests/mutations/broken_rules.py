"""Mistakes in the kernels that find the instances of each rule, and what these solve."""

from __future__ import annotations

from tests.mutations.mutation import COMBINATION_TESTS, PROVER_TESTS, RULE_TESTS, Mutation, mutations_of


def _rule(name: str, *changes: tuple[str, str, str]) -> list[Mutation]:
    """Mistakes in one rule; what it is for combining shows in the conflicts only."""
    combining = [change for change in changes if "combining" in change[0] or "constraint" in change[0]]
    others = [change for change in changes if change not in combining]
    file = f"solver/rules/{name}.py"
    return mutations_of(file, RULE_TESTS, others) + mutations_of(file, COMBINATION_TESTS, combining)


BROKEN_RULES = [
    *_rule(
        "claimeven",
        ("Claimeven: the lower square is odd", " & geometry.odd", ""),
        ("Claimeven: the lower square need not be playable", " & geometry.odd", " & geometry.odd & scene.playable"),
        ("Claimeven: it solves what contains the upper square", "= has[word, upper]", "= has[word, lower]"),
        (
            "Claimeven: it contains a Claimeven for combining",
            "claim | claim << ONE, claim,",
            "claim | claim << ONE, NONE,",
        ),
    ),
    *_rule(
        "baseinverse",
        ("Baseinverse: both squares are playable", "firsts = scene.playable", "firsts = scene.usable"),
        ("Baseinverse: it solves what contains both", "has[word, first] & has", "has[word, first] | has"),
    ),
    *_rule(
        "vertical",
        ("Vertical: the lower square is even", " & ~geometry.odd", ""),
        ("Vertical: it solves what contains both", "has[word, lower] & has", "has[word, lower] | has"),
        ("Vertical: it need not be playable", "& ~geometry.odd", "& ~geometry.odd & scene.playable"),
    ),
    *_rule(
        "aftereven",
        ("Aftereven: no opponent stone in the group", "line & scene.opponent != NONE or ", ""),
        ("Aftereven: the empty squares are even", " & ~geometry.odd & ~", " & ~"),
        ("Aftereven: each is the upper square of a Claimeven", " & ~scene.playable", ""),
        (
            "Aftereven: above the empty square in every column",
            "above_all &= has_above[word, upper]",
            "above_all = (above_all if claimed != NONE else NONE) | has_above[word, upper]",
        ),
        ("Aftereven: it solves what its Claimevens solve", "above_all | claimed", "above_all"),
        (
            "Aftereven: it contains its Claimevens for combining",
            "uppers >> ONE, uppers >> ONE,",
            "uppers >> ONE, NONE,",
        ),
    ),
    *_rule(
        "lowinverse",
        ("Lowinverse: the upper squares are odd", " & ~geometry.odd", ""),
        ("Lowinverse: both uppers", "has[word, upper1] & has[word, upper2]", "has[word, upper1] | has[word, upper2]"),
        ("Lowinverse: both squares of one pair", "\n                    | has[word, lower1] & has[word, upper1]", ""),
        ("Lowinverse: two different columns", "lower1 // stride == lower2 // stride", "False"),
        (
            "Lowinverse: heights may differ",
            "lower1 // stride == lower2",
            "lower1 % stride != lower2 % stride or lower1 // stride == lower2",
        ),
        (
            "constraint 2: at the inverse counts, Lowinverse",
            "up_to(upper1, stride) | up_to(upper2, stride)",
            "up_to(lower1, stride) | up_to(lower2, stride)",
        ),
        (
            "constraint 2: below the inverse counts, Lowinverse",
            "up_to(upper1, stride) | up_to(upper2, stride)",
            "squares",
        ),
    ),
    *_rule(
        "highinverse",
        ("Highinverse: the top squares are even", " & ~geometry.odd", ""),
        ("Highinverse: both tops", "has[word, top1] & has[word, top2]", "has[word, top1] | has[word, top2]"),
        ("Highinverse: both middles", " | has[word, middle1] & has[word, middle2]", ""),
        ("Highinverse: middle and top", " | has[word, middle2] & has[word, top2]", ""),
        ("Highinverse: bottom and top only if playable", "if playable1:", "if True:"),
        ("Highinverse: bottom and top if playable", "if playable2:", "if False:"),
        (
            "Highinverse: the other column's top",
            "has[word, bottom1] & has[word, top2]",
            "has[word, bottom1] & has[word, top1]",
        ),
        ("Highinverse: two different columns", "bottom1 // stride == bottom2 // stride", "False"),
        (
            "constraint 2: at the inverse counts, Highinverse",
            "up_to(top1, stride) | up_to(top2, stride)",
            "up_to(bottom1, stride) | up_to(bottom2, stride)",
        ),
    ),
    *_rule(
        "baseclaim",
        ("Baseclaim: z is even", " & geometry.odd", ""),
        ("Baseclaim: p1 and z", "has[word, p1] & has[word, z]", "has[word, p1] | has[word, z]"),
        ("Baseclaim: p2 and p3", "has[word, p2] & has[word, p3]", "has[word, p1] & has[word, p3]"),
        ("Baseclaim: both orders", "lasts = others & ~(ONE << p1)", "lasts = firsts"),
        ("Baseclaim: it contains a Claimeven for combining", "squares, ONE << p2, NONE", "squares, NONE, NONE"),
        ("Baseclaim: p1 is playable", "firsts = others", "firsts = scene.usable & ~(ONE << p2 | ONE << z)"),
    ),
    *_rule(
        "before",
        ("Before: no opponent stone in the group", "line & scene.opponent != NONE or ", ""),
        ("Before: no empty square in the top row", "geometry.top | ~scene.usable", "~scene.usable"),
        ("Before: no square of the win condition's columns", "geometry.top | ~scene.usable", "geometry.top"),
        ("Before: the group is not vertical", "in geometry.lines", "in geometry.groups"),
        (
            "Before: the successors of all empty squares",
            "problems = ~NONE\n    while members != NONE:\n        problems &=",
            "problems = NONE\n    while members != NONE:\n        problems |=",
        ),
        ("Before: at least one Vertical", "if claimed != members:", "if True:"),
        ("Before: a claimed square is even", " & ~geometry.odd & ~scene.playable", " & ~scene.playable"),
        ("Before: the square below a claimed one is empty", " & ~geometry.odd & ~scene.playable", " & ~geometry.odd"),
        (
            "Before: Verticals of either parity",
            "if claimed != members:",
            "if claimed != members and members & ~claimed & geometry.odd == NONE:",
        ),
        ("Before: every choice of parts", "(claimed - claimable) & claimable", "claimable"),
        (
            "Before: a Vertical solves what contains both",
            "has[word, member] & has[word, member + ONE]",
            "has[word, member]",
        ),
        ("Before: a Claimeven solves what contains its upper", "problems |= has[word, member]\n", "problems |= NONE\n"),
        ("Before: it contains its Claimevens for combining", "squares, claimed >> ONE, NONE", "squares, NONE, NONE"),
    ),
    *_rule(
        "specialbefore",
        ("Specialbefore: no opponent stone in the group", "line & scene.opponent != NONE or ", ""),
        ("Specialbefore: no empty square in the top row", "geometry.top | ~scene.usable", "~scene.usable"),
        ("Specialbefore: x in another column", "~whole_columns(members, geometry.stride)", "~members"),
        ("Specialbefore: x is playable", "joining = scene.playable", "joining = scene.usable"),
        ("Specialbefore: p is playable", "ps = members & scene.playable", "ps = members"),
        (
            "Specialbefore: all successors and x",
            "above_all(members, has, word) & has[word, x]",
            "above_all(members, has, word)",
        ),
        (
            "Specialbefore: the successor of p too",
            "above_all(members, has, word) & has",
            "above_all(partners, has, word) & has",
        ),
        ("Specialbefore: both p and x", "has[word, p] & has[word, x]\n", "has[word, p]\n"),
        (
            "Specialbefore: all parts may be Claimevens",
            "xs = fruitful",
            "xs = fruitful if claimed != partners else NONE",
        ),
        (
            "Specialbefore: p and x for combining",
            "table[SINGLES, place] = singles",
            "table[SINGLES, place] = NONE",
        ),
        ("Specialbefore: it contains its Claimevens for combining", "claimed >> ONE, NONE, line", "NONE, NONE, line"),
    ),
    *_rule(
        "solution_table",
        ("only solutions that solve something", "if solved == NONE and rule != AFTEREVEN:", "if False:"),
        ("an Aftereven that solves nothing is kept", " and rule != AFTEREVEN", ""),
    ),
    *_rule(
        "problems",
        ("a problem holds no stone of the controller", "group & controller != NONE or ", ""),
        ("a dead group is no problem", " or is_dead(group, patterns, pattern_count)", ""),
        ("above means in the same column", "NONE if square % stride == NONE else higher", "higher"),
    ),
    *mutations_of(
        "solver/rules/problems.py",
        PROVER_TESTS,
        [
            (
                "of two problems the smaller is kept",
                "if problems[i] & ~needs == NONE:",
                "if needs & ~problems[i] == NONE:",
            ),
        ],
    ),
]
