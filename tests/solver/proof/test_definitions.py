"""Each rule by its definition: what is an instance, what is none and why, and which problems it solves."""

from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Side
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.checker import problems_solved_by
from claimeven.solver.proof.definitions import Situation, normal_form, solution_of
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.positions import at
from tests.solver.proof.certificates import instance_in
from tests.solver.rules.exhaustive import all_instances, all_solutions

TAKEN = "5554"  # White has e1 e3, Black e2 d1


class TestRuleConditions:
    """What each rule asks for, on the empty 7x6 board unless moves are given."""

    @pytest.mark.parametrize(
        ("moves", "text"),
        [
            ("", "Claimeven a1a2"),
            ("", "Claimeven a3a4"),
            ("", "Claimeven a5a6"),
            ("", "Baseinverse a1g1"),
            ("1122", "Baseinverse a3 g1"),
            ("", "Vertical a2a3"),
            ("", "Aftereven a1a2 b1b2 c1c2 d1d2"),
            ("", "Aftereven a5a6 b5b6 c5c6 d5d6"),
            ("4445333551", "Aftereven b1b2 of b2c2d2e2"),
            ("", "Lowinverse a2a3 b2b3"),
            ("", "Lowinverse a2a3 g4g5"),
            ("", "Highinverse a2a3a4 b4b5b6"),
            ("", "Baseclaim a1 b1 c1 b2"),
            ("", "Baseclaim c1 b1 a1 b2"),
            ("", "Before a1a2 b1b2 c1c2 d1d2"),
            ("", "Before a2a3 b1b2 c1c2 d1d2 of a2b2c2d2"),
            ("", "Before a2a3 b2b3 c2c3 d2d3"),
            ("", "Before a1a2 b2b3 c3c4 d4d5"),
            ("", "Specialbefore a1 e1 b1b2 c1c2 d1d2"),
            ("", "Specialbefore a1 g1 b1b2 c3c4 d4d5 of a1b2c3d4"),
            ("44353333", "Specialbefore e2 d3 f1f2 g1g2"),
            ("1267354235412736561671536772762554", "Specialbefore d4 c5 of a4b4c4d4"),
        ],
    )
    def test_is_an_instance(self, moves: str, text: str) -> None:
        solution_of(Situation.of(at(moves), Side.BLACK), instance_in(at(moves), text))

    @pytest.mark.parametrize(
        ("moves", "text", "reason"),
        [
            ("", "Claimeven a2a3", "the upper square a3 of the Claimeven is not even"),
            ("", "Claimeven a2a1", "a1 is not directly above a2"),
            ("", "Claimeven a1b2", "b2 is not directly above a1"),
            ("", "Claimeven a1a4", "a4 is not directly above a1"),
            ("", "Claimeven a1a2 a3", "it needs 2 squares, not 3"),
            ("", "Claimeven a1", "it needs 2 squares, not 1"),
            ("", "Claimeven a1a1", "a1 is named twice"),
            (TAKEN, "Claimeven d1d2", "d1 is not empty"),
            ("", "Claimeven a1a2 of a2b2c2d2", "a Claimeven has no group"),
            ("", "Baseinverse a1b2", "b2 is not playable"),
            ("", "Baseinverse a1a2", "a2 is not playable"),
            ("", "Baseinverse a1b1c1", "it needs 2 squares, not 3"),
            (TAKEN, "Baseinverse a1e3", "e3 is not empty"),
            ("", "Vertical a1a2", "the upper square a2 of the Vertical is not odd"),
            ("", "Vertical a3a2", "a2 is not directly above a3"),
            ("", "Vertical a2b3", "b3 is not directly above a2"),
            ("", "Vertical a2a3a4", "it needs 2 squares, not 3"),
            ("", "Aftereven a1a2 b1b2 c1c2 d1d2 of a1b1c1d1", "the empty square a1 of the group is not even"),
            ("", "Aftereven a1a2 b1b2 c1c2 d3d4 of a2b2c2d2", "no Claimeven ends on d2, an empty square of the group"),
            ("", "Aftereven a1a2 b1b2 c1c2 of a2b2c2d2", "it needs 8 squares, not 6"),
            ("", "Aftereven a2a1 b1b2 c1c2 d1d2 of a2b2c2d2", "a1 is not directly above a2"),
            ("", "Aftereven a1a2 b1b2 c1c2 d2d3 of a2b2c2d2", "no Claimeven ends on d2, an empty square of the group"),
            ("", "Aftereven a1a2 b1b2 c1c2 e1e2 of a2b2c2e2", "a2 b2 c2 e2 is not a line of 4 squares"),
            ("", "Aftereven a1a2 b1b2 c1c2 of a2b2c2", "a2 b2 c2 is not a line of 4 squares"),
            ("", "Aftereven a1a2 b1b2 c1c2 d1d2 of a2b2c2d2d2", "a2 b2 c2 d2 d2 is not a line of 4 squares"),
            ("4", "Aftereven a1a2 b1b2 c1c2 d1d2", "d1 is not empty"),
            ("2112", "Aftereven c1c2 d1d2 of a2b2c2d2", "the opponent has a stone on a2, a square of the group"),
            ("", "Lowinverse a1a2 b2b3", "the upper square a2 is not odd"),
            ("", "Lowinverse a2a3 b3b4", "the upper square b4 is not odd"),
            ("", "Lowinverse a2a3 a4a5", "a2 a4 are not in different columns"),
            ("", "Lowinverse a2b3 b2a3", "b3 is not directly above a2"),
            ("", "Lowinverse a2a3", "it needs 4 squares, not 2"),
            ("", "Highinverse a1a2a3 b2b3b4", "the top square a3 is not even"),
            ("", "Highinverse a2a3a4 b3b4b5", "the top square b5 is not even"),
            ("", "Highinverse a2a3a4 b2b4b6", "b4 is not directly above b2"),
            ("", "Highinverse a4a3a2 b2b3b4", "a3 is not directly above a4"),
            ("", "Highinverse a2a3a4 b3b4", "it needs 6 squares, not 5"),
            ("", "Baseclaim a1 b1 c1 a2", "a2 is not directly above b1"),
            ("", "Baseclaim a1 b1 c1 c2", "c2 is not directly above b1"),
            ("", "Baseclaim a1 b1 a2 b2", "a2 is not playable"),
            ("", "Baseclaim a2 b1 c1 b2", "a2 is not playable"),
            ("", "Baseclaim a1 b2 c1 b3", "b2 is not playable"),
            ("", "Baseclaim a1 b1 a1 b2", "a1 is named twice"),
            ("", "Baseclaim a1 b1 c1", "it needs 4 squares, not 3"),
            ("21", "Baseclaim a2 b2 c1 b3", "b3, the square above b2, is not even"),
            ("", "Before a1a2 a2a3 a3a4 a4a5 of a1a2a3a4", "a2 is named twice"),
            ("", "Before a1a2 a3a4 of a1a2a3a4", "the group a1 a2 a3 a4 is vertical"),
            ("", "Before a5a6 b5b6 c5c6 d5d6 of a6b6c6d6", "the empty square a6 of the group is in the top row"),
            ("", "Before a3a4 b4b5 c5c6 d5d6 of a3b4c5d6", "the empty square d6 of the group is in the top row"),
            ("", "Before a1a2 b1b2 c1c2 d1d2 of a2b2c2d2", "all its parts are Claimevens: this is an Aftereven"),
            (
                "",
                "Before a2a3 b3b4 c3c4 d3d4 of a3b3c3d3",
                "the upper square a3 of the Claimeven a2 a3 is not even",
            ),
            ("", "Before a3a4 b2b3 c2c3 d2d3 of a2b2c2d2", "a3 a4 is no part of an empty square of the group"),
            ("", "Before a2a3 b2b3 c2c3 e2e3 of a2b2c2d2", "e2 e3 is no part of an empty square of the group"),
            ("", "Before a2a3 b2b3 c2c3 of a2b2c2d2", "it needs 8 squares, not 6"),
            ("", "Before a3a2 b2b3 c2c3 d2d3 of a2b2c2d2", "a2 is not directly above a3"),
            ("", "Before a2a3 b2b3 c2c3 d2d3 of a2b2c2e2", "a2 b2 c2 e2 is not a line of 4 squares"),
            ("4", "Before a1a2 b1b2 c1c2 of a1b1c1d1", "the opponent has a stone on d1, a square of the group"),
            ("", "Specialbefore a2 e1 b2b3 c2c3 d2d3 of a2b2c2d2", "a2 is not playable"),
            ("", "Specialbefore a1 e2 b1b2 c1c2 d1d2 of a1b1c1d1", "e2 is not playable"),
            ("", "Specialbefore e1 a1 b1b2 c1c2 d1d2 of a1b1c1d1", "e1 is not an empty square of the group"),
            ("", "Specialbefore a1 b1 b2b3 c3c4 d4d5 of a1b2c3d4", "b1 shares a column with a square of the group"),
            ("", "Specialbefore a1 e1 b1b2 c1c2 of a1b1c1d1", "it needs 6 squares, not 4"),
            ("", "Specialbefore a1 e1 a1a2 b1b2 c1c2 d1d2 of a1b1c1d1", "a1 is named twice"),
            ("", "Specialbefore a1 e1 b1b2 c2c3 d4d5 of a1b2c3d4", "the upper square c3 of the Claimeven c2 c3"),
            ("", "Specialbefore a1 e1 b1b2 c1c2 d2d3 of a1b1c1d1", "d2 d3 is no part of an empty square of the group"),
            ("", "Specialbefore a1 of a1b1c1d1", "the two playable squares are missing"),
            ("1", "Specialbefore b1 e1 c1c2 d1d2 of a1b1c1d1", "the opponent has a stone on a1"),
            (
                "11",
                "Specialbefore a3 g1 b4b5 c5c6 d5d6 of a3b4c5d6",
                "the empty square d6 of the group is in the top row",
            ),
        ],
    )
    def test_is_no_instance(self, moves: str, text: str, reason: str) -> None:
        with pytest.raises(CertificateError) as refusal:
            solution_of(Situation.of(at(moves), Side.BLACK), instance_in(at(moves), text))
        assert reason in str(refusal.value)

    def test_a_highinverse_has_two_columns_however_tall_the_board(self) -> None:
        position = at("", "4x10")
        with pytest.raises(CertificateError, match="a2 a6 are not in different columns"):
            solution_of(Situation.of(position, Side.BLACK), instance_in(position, "Highinverse a2a3a4 a6a7a8"))

    @pytest.mark.parametrize("rule", [Rule.AFTEREVEN, Rule.BEFORE, Rule.SPECIALBEFORE])
    def test_the_group_must_be_named(self, rule: Rule) -> None:
        with pytest.raises(CertificateError, match="the group is missing"):
            solution_of(Situation.of(at(""), Side.BLACK), RuleInstance(rule, (0, 1)))

    def test_a_square_must_be_on_the_board(self) -> None:
        spare = Board().rows  # the bit on top of column a
        with pytest.raises(CertificateError, match="6 is not the number of a square of 7x6"):
            solution_of(Situation.of(at(""), Side.BLACK), RuleInstance(Rule.CLAIMEVEN, (spare - 1, spare)))

    def test_a_group_of_connect_three_has_three_squares(self) -> None:
        position = at("", "4x4x3")
        solution_of(Situation.of(position, Side.BLACK), instance_in(position, "Before a1a2 b1b2 c1c2 of a1b1c1"))


def solved_by(moves: str, text: str, board: str) -> set[str]:
    """The problems that Black's instance solves, by name."""
    position = at(moves, board)
    solved = problems_solved_by(Certificate(position, Side.BLACK, None, (instance_in(position, text),)))
    return {"".join(position.board.names(problem)) for problems in solved.values() for problem in problems}


class TestWhatIsSolved:
    """The problems that an instance solves; 4x4 has four rows, four columns and two diagonals."""

    @pytest.mark.parametrize(
        ("text", "problems"),
        [
            ("Claimeven a1a2", "a1a2a3a4 a2b2c2d2"),
            ("Claimeven b1b2", "b1b2b3b4 a2b2c2d2 a1b2c3d4"),
            ("Baseinverse a1b1", "a1b1c1d1"),
            ("Vertical a2a3", "a1a2a3a4"),
            (
                "Aftereven a1a2 b1b2 c1c2 d1d2",
                "a1a2a3a4 b1b2b3b4 c1c2c3c4 d1d2d3d4 a2b2c2d2 a3b3c3d3 a4b4c4d4 a1b2c3d4 a4b3c2d1",
            ),
            ("Aftereven a3a4 b3b4 c3c4 d3d4", "a1a2a3a4 b1b2b3b4 c1c2c3c4 d1d2d3d4 a4b4c4d4 a1b2c3d4 a4b3c2d1"),
            ("Lowinverse a2a3 b2b3", "a3b3c3d3 a1a2a3a4 b1b2b3b4"),
            ("Highinverse a2a3a4 b2b3b4", "a4b4c4d4 a3b3c3d3 a1a2a3a4 b1b2b3b4"),
            ("Baseclaim a1 b1 c1 b2", "a1b2c3d4 a1b1c1d1"),
            ("Baseclaim c1 b1 a1 b2", "a1b1c1d1"),
            (
                "Before a2a3 b1b2 c1c2 d2d3",
                "a3b3c3d3 a1a2a3a4 d1d2d3d4 a2b2c2d2 b1b2b3b4 c1c2c3c4 a1b2c3d4 a4b3c2d1",
            ),
            ("Before a1a2 b1b2 c1c2 d1d2", "a2b2c2d2 a1a2a3a4 b1b2b3b4 c1c2c3c4 d1d2d3d4"),
        ],
    )
    def test_on_the_empty_4x4_board(self, text: str, problems: str) -> None:
        assert solved_by("", text, "4x4") == set(problems.split())

    def test_an_aftereven_and_a_before_solve_what_is_above_them_in_every_column(self) -> None:
        row_3 = {"a3b3c3d3", "b3c3d3e3"}
        for text in ("Aftereven a1a2 b1b2 c1c2 d1d2", "Before a2a3 b2b3 c2c3 d2d3"):
            assert solved_by("", text, "5x4") & row_3 == {"a3b3c3d3"}
        for text in ("Aftereven b1b2 c1c2 d1d2 e1e2", "Before b2b3 c2c3 d2d3 e2e3"):
            assert solved_by("", text, "5x4") & row_3 == {"b3c3d3e3"}

    def test_an_aftereven_counts_only_the_columns_in_which_its_group_is_empty(self) -> None:
        # Black has c2 d2 e2 already, so a square above b2 is enough.
        solved = solved_by("4445333551", "Aftereven b1b2 of b2c2d2e2", "7x6")
        assert solved & {"a6b6c6d6", "c6d6e6f6"} == {"a6b6c6d6"}

    def test_a_highinverse_solves_bottom_and_top_only_where_the_bottom_is_playable(self) -> None:
        across = {"a2b3c4d5", "a4b3c2d1"}
        text = "Highinverse a2a3a4 c2c3c4"
        assert solved_by("", text, "4x6") & across == set()
        assert solved_by("12", text, "4x6") & across == {"a2b3c4d5"}
        assert solved_by("32", text, "4x6") & across == {"a4b3c2d1"}
        assert solved_by("13", text, "4x6") & across == across

    def test_a_highinverse_turned_round_solves_the_same(self) -> None:
        for moves in ("", "12", "32", "13"):
            assert solved_by(moves, "Highinverse a2a3a4 c2c3c4", "4x6") == solved_by(
                moves, "Highinverse c2c3c4 a2a3a4", "4x6"
            )

    def test_a_specialbefore_solves_the_successors_only_together_with_the_square_outside(self) -> None:
        # The group d2 e2 f2 g2 has Black's d2; p is e2 and the parts are the Claimevens of f2 and g2.
        by_parts = {"f1f2f3f4", "f2f3f4f5", "d4e3f2g1", "g1g2g3g4", "g2g3g4g5", "d5e4f3g2"}
        with_d3 = solved_by("44353333", "Specialbefore e2 d3 f1f2 g1g2", "7x6")
        with_b1 = solved_by("44353333", "Specialbefore e2 b1 f1f2 g1g2", "7x6")
        assert with_d3 == by_parts | {"d3e3f3g3"} | {"b5c4d3e2", "c4d3e2f1"}
        assert with_b1 == by_parts


class TestNormalForm:
    @pytest.mark.parametrize(
        ("text", "normal"),
        [
            ("Baseinverse g1a1", "Baseinverse a1g1"),
            ("Lowinverse b2b3 a2a3", "Lowinverse a2a3 b2b3"),
            ("Highinverse b2b3b4 a2a3a4", "Highinverse a2a3a4 b2b3b4"),
            ("Aftereven d1d2 b1b2 c1c2 a1a2 of d2c2b2a2", "Aftereven a1a2 b1b2 c1c2 d1d2"),
            ("Before d2d3 b2b3 c2c3 a2a3 of d2c2b2a2", "Before a2a3 b2b3 c2c3 d2d3"),
            ("Specialbefore b1 a1 e1e2 d1d2 c1c2 of e1d1c1b1", "Specialbefore b1 a1 c1c2 d1d2 e1e2"),
            ("Baseclaim c1 b1 a1 b2", "Baseclaim c1 b1 a1 b2"),
        ],
    )
    def test_interchangeable_parts_stand_from_the_left(self, text: str, normal: str) -> None:
        assert normal_form(instance_in(at(""), text)) == instance_in(at(""), normal)


class TestExhaustiveList:
    """The brute-force list, counted by hand."""

    def test_on_the_empty_4x4_board(self) -> None:
        instances = all_instances(at("", "4x4"), Side.BLACK)
        assert {rule: sum(instance.rule is rule for instance in instances) for rule in Rule} == {
            Rule.CLAIMEVEN: 8,
            Rule.BASEINVERSE: 6,
            Rule.VERTICAL: 4,
            Rule.AFTEREVEN: 2,  # rows 2 and 4
            Rule.LOWINVERSE: 6,
            Rule.HIGHINVERSE: 6,
            Rule.BASECLAIM: 24,
            Rule.BEFORE: 17,  # rows 1 and 3 by Verticals; row 2 in every way but by Claimevens only
            Rule.SPECIALBEFORE: 0,  # no column is left for x
        }

    def test_a_fifth_column_makes_room_for_specialbefores(self) -> None:
        instances = all_instances(at("", "5x4"), Side.BLACK)
        assert sum(instance.rule is Rule.SPECIALBEFORE for instance in instances) == 8  # two groups, four p each

    def test_a_banned_column_is_not_used(self) -> None:
        instances = all_instances(at("", "5x4"), Side.BLACK, banned_columns={4})
        assert instances == {each for each in all_instances(at("", "5x4"), Side.BLACK) if max(each.squares) < 4 * 5}

    def test_only_instances_that_solve_something_are_solutions(self) -> None:
        instances = all_instances(at(""), Side.BLACK)
        solutions = all_solutions(at(""), Side.BLACK)
        useless = instances - set(solutions)
        assert set(solutions) < instances
        assert all(solutions.values())
        assert instance_in(at(""), "Baseinverse a1g1") in useless
        assert instance_in(at(""), "Baseinverse a1d1") in solutions
