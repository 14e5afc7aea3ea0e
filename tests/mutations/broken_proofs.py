"""Mistakes in the search for a chosen set, in the verdict, in reading the result, in the checker and in play."""

from __future__ import annotations

from tests.mutations.mutation import (
    CHECKER_TESTS,
    PLAY_TESTS,
    PROVER_TESTS,
    RULE_TESTS,
    Mutation,
    mutations_of,
)

BROKEN_PROVER: list[Mutation] = [
    *mutations_of(
        "solver/proof/chosen_set.py",
        PROVER_TESTS,
        [
            ("a chosen set solves every problem", "if targets[depth] == -1:", "if targets[depth] == -1 or depth > 4:"),
            (
                "chosen solutions combine",
                "allowed[depth], allowed[depth + 1])",
                "allowed[depth], allowed[depth + 1])\n            allowed[depth + 1] = allowed[depth]",
            ),
            (
                "backtracking goes on with the next solution",
                "            forward = False\n            continue",
                "            return NOT_FOUND",
            ),
            (
                "a solution solves what the table says",
                "& ~table[SOLVES + word, best]",
                "& (NONE if depth else ~table[SOLVES + word, best])",
            ),
        ],
    ),
    *mutations_of(
        "solver/proof/evaluation.py",
        PROVER_TESTS,
        [
            (
                "Black wins only with an Aftereven",
                "        if work.table[RULE, work.chosen[i]] == AFTEREVEN:",
                "        if True:",
            ),
            (
                "Black wins with an Aftereven that the first set lacks",
                "if add_aftereven(geometry, work, table, problems) == FOUND:",
                "if False:",
            ),
            (
                "the set with an Aftereven solves every problem",
                "work.unsolved[0, word] & ~table[SOLVES + word, aftereven]",
                "NONE",
            ),
            (
                "the set with an Aftereven combines",
                "work.allowed[0], work.allowed[1])\n",
                "work.allowed[0], work.allowed[1])\n        set_lowest(work.allowed[1], solutions)\n",
            ),
            ("White needs a win condition", "    return UNKNOWN\n", "    return WHITE\n"),
            (
                "the rules keep out of the win condition's columns",
                "Scene(opponent, empty, empty & ~banned, playable,",
                "Scene(opponent, empty, empty, playable,",
            ),
            ("the win condition's playable squares are not used", "geometry.squares & ~banned", "geometry.squares"),
            (
                "the controller is the side that is not to move",
                "& ONE == NONE:\n        return evaluate_follower",
                "& ONE != NONE:\n        return evaluate_follower",
            ),
            (
                "every win condition is tried",
                "for condition in range(count):",
                "for condition in range(min(count, 1)):",
            ),
        ],
    ),
    *mutations_of(
        "solver/proof/prover.py",
        PROVER_TESTS,
        [
            ("a certificate solves every problem", "candidate[1] <= solved", "len(candidate[1]) <= len(solved)"),
        ],
    ),
    *mutations_of(
        "solver/proof/prover.py",
        ("tests/solver/proof/test_strategy.py::test_an_aftereven_that_solves_nothing_more_is_kept_and_wins",),
        [
            (
                "a certificate of a win keeps its Aftereven",
                "keep=Rule.AFTEREVEN if result == BLACK else None",
                "keep=None",
            ),
        ],
    ),
    *mutations_of(
        "solver/proof/listing.py",
        (
            "tests/solver/proof/test_prover.py::test_an_odd_number_of_rows_is_refused_with_the_reason",
            "tests/solver/proof/test_prover.py::test_a_finished_game_is_refused_with_the_reason",
        ),
        [
            ("the rules need an even number of rows", "if board.rows % 2:", "if False:"),
            ("a finished game has nothing to prove", "if position.is_over:", "if False:"),
        ],
    ),
    *mutations_of(
        "solver/proof/listing.py",
        RULE_TESTS,
        [
            (
                "a Baseclaim is read in order",
                "[p1.bit_length() - 1, p2.bit_length() - 1, p3.bit_length() - 1,",
                "[p3.bit_length() - 1, p2.bit_length() - 1, p1.bit_length() - 1,",
            ),
            ("a Specialbefore begins with p", "[*bits(p), *bits(x),", "[*bits(x), *bits(p),"),
            ("listing: no rule in the win condition's columns", "position.empty & ~banned", "position.empty"),
        ],
    ),
]

BROKEN_CHECKER: list[Mutation] = [
    *mutations_of(
        "solver/proof/checker.py",
        CHECKER_TESTS,
        [
            (
                "checker: every problem is solved",
                "        if not any(solution.solves(problem) for _, solution in solutions):",
                "        if False:",
            ),
            ("checker: every pair combines", "combinations(solutions, 2)", "combinations(solutions[:2], 2)"),
            (
                "checker: every instance is valid",
                '            yield f"{title}: {error}"\n            continue',
                "            continue",
            ),
            ("checker: nothing is listed twice", "if same in titles:", "if False:"),
            (
                "checker: every instance solves something",
                "not any(solution.solves(problem) for problem in problems)",
                "False",
            ),
            ("checker: an even number of rows", "board.rows % 2 == 0", "True"),
            (
                "checker: a position that can be reached",
                "Position.from_stones(board, position.white, position.black)",
                "pass",
            ),
            ("checker: the game goes on", "if position.is_over:", "if False:"),
            ("checker: the controller is not to move", "certificate.controller is not position.to_move", "True"),
            (
                "checker: Black has no win condition",
                'require(win_condition is None, "win condition: only White has one")',
                "pass",
            ),
            (
                "checker: White has one",
                "    if win_condition is None:\n        raise CertificateError",
                "    if win_condition is None:\n        return situation, ()\n        raise CertificateError",
            ),
            ("checker: its columns are barred", "replace(situation, barred=columns)", "situation"),
            (
                "checker: constraint 1",
                "shared = one.occupied & other.occupied\n    if shared:",
                "shared = one.occupied & other.occupied\n    if len(shared) > 1:",
            ),
            ("checker: constraint 2, at the inverse", "square.row >= lower.row", "square.row > lower.row + 1"),
            ("checker: constraint 3", "if set(ours) != set(theirs):", "if False:"),
            (
                "checker: constraint 3, p and x",
                "elif shared in one.unshared or shared in other.unshared:",
                "elif False:",
            ),
            ("checker: constraint 4, disjoint", "    yield from _squares_disjoint(one, other)\n", ""),
            ("checker: constraint 4, columns", "if ours & theirs and ours != theirs:", "if False:"),
            ("checker: a wrong table", "    BE  1    1    1    3    2+3", "    BE  1    1    1    3    3  "),
            ("checker: a wrong table for Claimevens", "    LI  2  ", "    LI  1  "),
            ("checker: the threat is odd", 'require(threat.is_odd, f"{threat} is not odd")', "pass"),
            (
                "checker: the threat is not playable",
                'require(threat not in situation.playable, f"{threat} is playable")',
                "pass",
            ),
            (
                "checker: an odd playable square is not dead",
                "situation.odd_above(playable)",
                "situation.odd_above(Point(playable.column, 0))",
            ),
            ("checker: the crossing square is odd", "require(crossing.is_odd,", "require(True,"),
            ("checker: o is odd", "require(odd.is_odd,", "require(True,"),
            ("checker: v directly above or below o", "even == odd.successor or odd == even.successor, f", "True, f"),
            ("checker: s is not playable", "require(crossing not in situation.playable,", "require(True,"),
            (
                "checker: White's stones in the group",
                'require(point in situation.own, f"there is no White stone on {point}")',
                "pass",
            ),
            (
                "checker: claim 5",
                "if crossing_playable.is_odd and odd not in situation.playable:",
                "if crossing_playable.is_odd:",
            ),
            ("checker: claim 6 one higher", "lowest = other_playable.successor", "pass"),
        ],
    ),
    *mutations_of(
        "solver/proof/definitions.py",
        CHECKER_TESTS,
        [
            ("definition: squares are empty", 'require(square in situation.empty, f"{square} is not empty")', "pass"),
            ("definition: squares differ", "require(squares.count(square) == 1,", "require(True,"),
            ("definition: barred columns", "square.column not in situation.barred", "True"),
            ("definition: the group is the controller's", "require(square in situation.own,", "require(True,"),
            (
                "definition: Claimeven, even",
                'require(not upper.is_odd, f"the upper square {upper} of the Claimeven is not even")',
                "pass",
            ),
            (
                "definition: Baseinverse, playable",
                "    _require_number(squares, 2)\n    _require_playable(situation, squares)",
                "    _require_number(squares, 2)",
            ),
            (
                "definition: Vertical, odd",
                'require(upper.is_odd, f"the upper square {upper} of the Vertical is not odd")',
                "pass",
            ),
            ("definition: Aftereven, even", "require(not gap.is_odd,", "require(True,"),
            (
                "definition: Aftereven, a Claimeven each",
                "require(gap in [upper for _, upper in claimevens],",
                "require(True,",
            ),
            ("definition: Lowinverse, odd", 'require(upper.is_odd, f"the upper square {upper} is not odd")', "pass"),
            ("definition: Lowinverse, columns", "    _require_different_columns([first[0], second[0]])\n", ""),
            ("definition: Highinverse, even", "require(not top.is_odd,", "require(True,"),
            ("definition: Highinverse, columns", "    _require_different_columns([bottom1, bottom2])\n", ""),
            ("definition: Highinverse, playable", "if bottom1 in situation.playable:", "if True:"),
            ("definition: Baseclaim, playable", "    _require_playable(situation, [first, second, third])\n", ""),
            ("definition: Baseclaim, z above p2", "require(claimed == second.successor,", "require(True,"),
            ("definition: Baseclaim, z even", "require(not claimed.is_odd,", "require(True,"),
            ("definition: Before, a Vertical", "require(bool(verticals),", "require(True,"),
            ("definition: Before, top row", "require(gap.row < situation.board.rows,", "require(True,"),
            (
                "definition: Before, not vertical",
                "require(len({point.column for point in group}) > 1,",
                "require(True,",
            ),
            (
                "definition: Before, claimed squares are even",
                'require(not upper.is_odd, f"the upper square {upper} of the Claimeven {lower} {upper} is not even")',
                "pass",
            ),
            ("definition: Before, one part a gap", "require(lower in gaps or upper in gaps,", "require(True,"),
            ("definition: Specialbefore, p in the group", "require(inside in gaps,", "require(True,"),
            (
                "definition: Specialbefore, x elsewhere",
                "require(outside.column not in [gap.column for gap in gaps],",
                "require(True,",
            ),
            ("definition: Specialbefore, playable", "    _require_playable(situation, [inside, outside])\n", ""),
            (
                "definition: parts are stacks",
                'require(upper == lower.successor, f"{upper} is not directly above {lower}")',
                "pass",
            ),
            ("definition: a problem has none of the controller's", "if group.isdisjoint(self.own)]", "]"),
        ],
    ),
]

BROKEN_PLAY: list[Mutation] = [
    *mutations_of(
        "solver/proof/duties.py",
        PLAY_TESTS,
        [
            (
                "play: a Claimeven's lower square is forbidden",
                "return 1 << self.lower if self.is_claimeven else 0",
                "return 0",
            ),
            (
                "play: a Vertical's is not",
                "return 1 << self.lower if self.is_claimeven else 0",
                "return 1 << self.lower",
            ),
            ("play: a Lowinverse leaves a Vertical", "return (Follow(self.lower2, self.lower2 + 1),)", "return ()"),
            (
                "play: a Highinverse leaves a Claimeven",
                "return (claimeven, Either(played + 2, bottom)) if playable else (claimeven,)",
                "return (Either(played + 2, bottom),) if playable else ()",
            ),
            (
                "play: p1 of a Baseclaim leaves a Claimeven",
                "return (Either(self.p2, self.p3),) if own else (claimeven,)",
                "return (Either(self.p2, self.p3),)",
            ),
            (
                "play: White answers even squares below his threat",
                "if not board.odd_squares >> lower & 1:",
                "if False:",
            ),
        ],
    ),
    *mutations_of(
        "solver/proof/reply_kernel.py",
        PLAY_TESTS,
        [
            ("play: he wins at once", "    if win != NONE:\n", "    if False:\n"),
            ("play: untouched Lowinverses are forbidden", "            forbidden |= lowers\n", "            pass\n"),
            (
                "play: untouched Highinverses are forbidden",
                "            forbidden |= bottom1 | bottom2\n",
                "            pass\n",
            ),
            (
                "play: a Baseinverse is answered",
                "            return other_of(move, one, other)\n",
                "            return NONE\n",
            ),
        ],
    ),
    *mutations_of(
        "solver/proof/playout_kernel.py",
        PLAY_TESTS,
        [
            (
                "play: a lost game is a failure",
                "        if has_four(geometry, opponent | move):\n            result = LOST",
                "        if False:\n            result = LOST",
            ),
            (
                "play: every opposition is tried",
                "    while moves != NONE and result == SURVIVED:",
                "    while moves != NONE and result == SURVIVED and moves & (moves - ONE) != NONE:",
            ),
        ],
    ),
]
