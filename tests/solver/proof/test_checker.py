"""The checker accepts what holds and nothing else: the rules, their combinations, the win conditions, whole sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from claimeven.solver.board import Board, Square, bits
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import (
    Certificate,
    CertificateError,
    OddThreat,
    ThreatCombination,
    certificate_from_json,
)
from claimeven.solver.proof.checker import (
    CONSTRAINTS,
    check_certificate,
    find_flaws,
    is_chosen_set,
    problems_of,
    problems_solved_by,
)
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.positions import at
from tests.solver.proof.certificates import (
    AFTEREVENS,
    EMPTY_6X6,
    ODD_THREAT,
    SAMPLES,
    WHITE_SAMPLES,
    certificate,
    instance_in,
    odd_threat,
    squares_in,
    threat_combination,
)
from tests.solver.rules.exhaustive import reference_is_combinable

any_sample = st.sampled_from(list(SAMPLES.values()))
white_sample = st.sampled_from(list(WHITE_SAMPLES.values()))


def assert_refused(refused: Certificate) -> None:
    assert not is_chosen_set(refused)
    with pytest.raises(CertificateError):
        check_certificate(refused)


def with_instance(sample: Certificate, number: int, instance: RuleInstance) -> Certificate:
    """The sample with another instance in place of one of its own."""
    return replace(sample, instances=(*sample.instances[:number], instance, *sample.instances[number + 1 :]))


def mirrored(sample: Certificate) -> Certificate:
    """The sample seen from behind the board."""
    mirror = sample.position.board.mirror_square

    def flipped(squares: Iterable[Square]) -> tuple[Square, ...]:
        return tuple(mirror(square) for square in squares)

    condition = sample.win_condition
    if isinstance(condition, OddThreat):
        condition = OddThreat(flipped(condition.group), mirror(condition.square))
    elif isinstance(condition, ThreatCombination):
        condition = ThreatCombination(
            flipped(condition.odd_group),
            flipped(condition.even_group),
            *flipped([condition.crossing, condition.odd, condition.even]),
        )
    instances = (
        RuleInstance(each.rule, flipped(each.squares), each.group and flipped(each.group)) for each in sample.instances
    )
    return replace(sample, position=sample.position.mirror(), win_condition=condition, instances=tuple(instances))


class TestCertificatesThatHold:
    @pytest.mark.parametrize("name", SAMPLES)
    def test_a_sample_is_accepted(self, name: str) -> None:
        check_certificate(SAMPLES[name])
        assert is_chosen_set(SAMPLES[name])

    @pytest.mark.parametrize("name", SAMPLES)
    def test_its_mirror_image_is_accepted(self, name: str) -> None:
        check_certificate(mirrored(SAMPLES[name]))

    @given(any_sample, st.randoms(use_true_random=False))
    @settings(deadline=None)
    def test_the_order_of_instances_and_of_equal_parts_is_free(self, sample: Certificate, chance: Any) -> None:
        instances = []
        for instance in sample.instances:
            size = {Rule.BASEINVERSE: 1, Rule.AFTEREVEN: 2, Rule.BEFORE: 2, Rule.LOWINVERSE: 2, Rule.HIGHINVERSE: 3}
            if instance.rule in size:
                step = size[instance.rule]
                parts = [instance.squares[start : start + step] for start in range(0, len(instance.squares), step)]
                chance.shuffle(parts)
                instance = replace(instance, squares=tuple(square for part in parts for square in part))
            if instance.group is not None:
                instance = replace(instance, group=tuple(chance.sample(instance.group, len(instance.group))))
            instances.append(instance)
        chance.shuffle(instances)
        check_certificate(replace(sample, instances=tuple(instances)))

    @pytest.mark.parametrize("name", SAMPLES)
    def test_the_problems_solved_are_exactly_the_problems(self, name: str) -> None:
        solved = problems_solved_by(SAMPLES[name])
        assert list(solved) == list(SAMPLES[name].instances)
        assert {problem for problems in solved.values() for problem in problems} == set(problems_of(SAMPLES[name]))

    def test_the_samples_use_every_rule_and_both_win_conditions(self) -> None:
        assert {instance.rule for sample in SAMPLES.values() for instance in sample.instances} == set(Rule)
        assert {type(sample.win_condition) for sample in WHITE_SAMPLES.values()} == {OddThreat, ThreatCombination}

    def test_a_white_proof_may_need_no_rule_at_all(self) -> None:
        check_certificate(
            certificate("42174562455115227", "", board="7x4x5", win_condition=odd_threat("a3b3c3d3e3", "c3"))
        )


class TestCorruptedCertificates:
    @pytest.mark.parametrize("name", SAMPLES)
    def test_no_instance_can_be_left_out(self, name: str) -> None:
        sample = SAMPLES[name]
        for number, instance in enumerate(sample.instances):
            fewer = replace(sample, instances=(*sample.instances[:number], *sample.instances[number + 1 :]))
            with pytest.raises(CertificateError, match="nothing solves the problem"):
                check_certificate(fewer)
            assert instance not in fewer.instances

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=300)
    def test_a_square_cannot_be_another(self, sample: Certificate, data: st.DataObject) -> None:
        # Every square but those of the playable pairs is fixed by its neighbour in the instance or by the group.
        number, instance = data.draw(st.sampled_from(list(enumerate(sample.instances))))
        place = data.draw(st.sampled_from(range(len(instance.squares))))
        board, playable = sample.position.board, sample.position.playable
        free = {Rule.BASEINVERSE: (0, 1), Rule.BASECLAIM: (0, 2), Rule.SPECIALBEFORE: (1,)}
        others = set(range(-1, board.columns * board.stride + 1)) - {instance.squares[place]}
        if place in free.get(instance.rule, ()):
            others -= set(bits(playable))
        squares = list(instance.squares)
        squares[place] = data.draw(st.sampled_from(sorted(others)))
        assert_refused(with_instance(sample, number, replace(instance, squares=tuple(squares))))

    @pytest.mark.parametrize(
        "name", ["the thesis, empty 6x6", "the thesis, after a1 b1", "odd threat", "threat combination"]
    )
    def test_a_baseinverse_elsewhere_leaves_its_problem_unsolved(self, name: str) -> None:
        sample = SAMPLES[name]
        solved = problems_solved_by(sample)
        tried = 0
        for number, instance in enumerate(sample.instances):
            if instance.rule is not Rule.BASEINVERSE:
                continue
            elsewhere = {group for other in solved if other != instance for group in solved[other]}
            needed = [set(group) for group in solved[instance] if group not in elsewhere]
            for square in bits(sample.position.playable & ~sum(1 << each for each in instance.squares)):
                for kept in instance.squares:
                    if all({kept, square} <= group for group in needed):
                        continue
                    assert_refused(with_instance(sample, number, replace(instance, squares=(kept, square))))
                    tried += 1
        assert tried

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_a_part_cannot_be_that_of_another_square(self, sample: Certificate, data: st.DataObject) -> None:
        with_parts = [item for item in enumerate(sample.instances) if item[1].rule.has_group]
        assume(with_parts)
        number, instance = data.draw(st.sampled_from(with_parts))
        first = 2 if instance.rule is Rule.SPECIALBEFORE else 0
        start = data.draw(st.sampled_from(range(first, len(instance.squares), 2)))
        assert instance.group is not None
        (gap,) = set(instance.squares[start : start + 2]) & set(instance.group)
        empty = sample.position.empty
        pairs = [(lower, lower + 1) for lower in bits(empty & empty >> 1) if gap not in (lower, lower + 1)]
        squares = list(instance.squares)
        squares[start : start + 2] = data.draw(st.sampled_from(pairs))
        assert_refused(with_instance(sample, number, replace(instance, squares=tuple(squares))))

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_a_group_cannot_be_one_that_misses_a_part(self, sample: Certificate, data: st.DataObject) -> None:
        with_group = [item for item in enumerate(sample.instances) if item[1].rule.has_group]
        assume(with_group)
        number, instance = data.draw(st.sampled_from(with_group))
        first = 2 if instance.rule is Rule.SPECIALBEFORE else 0
        parts = [set(instance.squares[start : start + 2]) for start in range(first, len(instance.squares), 2)]
        groups = [tuple(bits(group)) for group in sample.position.board.groups]
        missing = [group for group in groups if any(not part & set(group) for part in parts)]
        group = data.draw(st.sampled_from(missing))
        assert_refused(with_instance(sample, number, replace(instance, group=group)))

    @given(any_sample, st.data())
    @settings(deadline=None)
    def test_a_group_cannot_be_four_squares_out_of_line(self, sample: Certificate, data: st.DataObject) -> None:
        with_group = [item for item in enumerate(sample.instances) if item[1].rule.has_group]
        assume(with_group)
        number, instance = data.draw(st.sampled_from(with_group))
        squares = st.sampled_from(list(bits(sample.position.board.squares)))
        group = tuple(data.draw(st.lists(squares, min_size=1, max_size=5)))
        assume(tuple(sorted(group)) not in [tuple(bits(each)) for each in sample.position.board.groups])
        assert_refused(with_instance(sample, number, replace(instance, group=group)))

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_an_instance_cannot_be_there_twice(self, sample: Certificate, data: st.DataObject) -> None:
        instance = data.draw(st.sampled_from(sample.instances))
        place = data.draw(st.integers(0, len(sample.instances)))
        again = replace(sample, instances=(*sample.instances[:place], instance, *sample.instances[place:]))
        with pytest.raises(CertificateError, match="it is the same as solution"):
            check_certificate(again)

    def test_an_instance_cannot_be_there_twice_in_another_order(self) -> None:
        before = EMPTY_6X6.instances[0]
        turned = replace(before, squares=before.squares[2:] + before.squares[:2])
        with pytest.raises(CertificateError, match="it is the same as solution 1"):
            check_certificate(replace(EMPTY_6X6, instances=(*EMPTY_6X6.instances, turned)))

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_a_simple_instance_that_overlaps_cannot_be_added(self, sample: Certificate, data: st.DataObject) -> None:
        # Claimeven, Baseinverse and Vertical share a square with nothing, whatever the other rule is.
        used = {square for instance in sample.instances for square in instance.squares}
        position = sample.position
        rows = {square: position.board.row_of(square) + 1 for square in bits(position.empty)}
        pairs = [(low, low + 1) for low in rows if low + 1 in rows]
        simple = [RuleInstance(Rule.CLAIMEVEN if rows[low] % 2 else Rule.VERTICAL, (low, high)) for low, high in pairs]
        playable = list(bits(position.playable))
        simple += [RuleInstance(Rule.BASEINVERSE, (one, two)) for one in playable for two in playable if one < two]
        overlapping = [each for each in simple if used & set(each.squares) and each not in sample.instances]
        assume(overlapping)
        added = data.draw(st.sampled_from(overlapping))
        assert_refused(replace(sample, instances=(*sample.instances, added)))

    @given(any_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_it_is_of_no_use_once_a_square_of_it_is_taken(self, sample: Certificate, data: st.DataObject) -> None:
        position = sample.position
        used = {square for instance in sample.instances for square in instance.squares}
        playable = [column for column in position.legal_columns if used & set(bits(_playable_in(position, column)))]
        assume(playable)
        later = position.play(data.draw(st.sampled_from(playable)))
        assume(not later.is_over)
        later = later.play(data.draw(st.sampled_from(later.legal_columns)))
        assert_refused(replace(sample, position=later))

    @pytest.mark.parametrize("name", SAMPLES)
    def test_it_proves_nothing_for_the_other_side(self, name: str) -> None:
        sample = SAMPLES[name]
        with pytest.raises(CertificateError, match="is to move, so a proof can only be for"):
            check_certificate(replace(sample, controller=sample.controller.opponent))

    @pytest.mark.parametrize("name", WHITE_SAMPLES)
    def test_white_proves_nothing_without_a_win_condition(self, name: str) -> None:
        with pytest.raises(CertificateError, match="White can prove nothing without one"):
            check_certificate(replace(SAMPLES[name], win_condition=None))

    def test_black_has_no_win_condition(self) -> None:
        with pytest.raises(CertificateError, match="win condition: only White has one"):
            check_certificate(replace(EMPTY_6X6, win_condition=ODD_THREAT.win_condition))

    @given(white_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_a_square_of_the_win_condition_cannot_be_another(self, sample: Certificate, data: st.DataObject) -> None:
        condition: Any = sample.win_condition
        name = data.draw(st.sampled_from([name for name in condition.__slots__ if not name.endswith("group")]))
        others = set(range(-1, sample.position.board.columns * sample.position.board.stride + 1))
        square = data.draw(st.sampled_from(sorted(others - {getattr(condition, name)})))
        with pytest.raises(CertificateError, match=r"^win condition: "):
            check_certificate(replace(sample, win_condition=replace(condition, **{name: square})))

    @given(white_sample, st.data())
    @settings(deadline=None, max_examples=200)
    def test_a_group_of_the_win_condition_cannot_miss_its_squares(
        self, sample: Certificate, data: st.DataObject
    ) -> None:
        condition: Any = sample.win_condition
        name = data.draw(st.sampled_from([name for name in condition.__slots__ if name.endswith("group")]))
        gaps = set(bits(sample.position.empty)) & set(getattr(condition, name))
        groups = [tuple(bits(group)) for group in sample.position.board.groups]
        group = data.draw(st.sampled_from([group for group in groups if not gaps <= set(group)]))
        with pytest.raises(CertificateError, match=r"^win condition: "):
            check_certificate(replace(sample, win_condition=replace(condition, **{name: group})))

    @given(white_sample, st.data())
    @settings(deadline=None)
    def test_no_rule_can_use_a_column_of_the_win_condition(self, sample: Certificate, data: st.DataObject) -> None:
        board, condition = sample.position.board, sample.win_condition
        assert condition is not None
        squares = {condition.square} if isinstance(condition, OddThreat) else {condition.crossing, condition.odd}
        columns = {board.column_of(square) for square in squares}
        empty = sample.position.empty
        pairs = [(low, low + 1) for low in bits(empty & empty >> 1) if board.column_of(low) in columns]
        low, high = data.draw(st.sampled_from(pairs))
        rule = Rule.VERTICAL if board.row_of(low) % 2 else Rule.CLAIMEVEN
        added = (*sample.instances, RuleInstance(rule, (low, high)))
        with pytest.raises(CertificateError, match="which the win condition keeps from the rules"):
            check_certificate(replace(sample, instances=added))

    def test_an_instance_that_solves_no_problem_is_refused(self) -> None:
        added = instance_in(AFTEREVENS.position, "Baseinverse c4 g1")
        with pytest.raises(CertificateError, match=r"solution 5 \(Baseinverse c4 g1\): it solves no problem"):
            check_certificate(replace(AFTEREVENS, instances=(*AFTEREVENS.instances, added)))

    def test_an_aftereven_may_solve_no_problem_as_it_makes_a_draw_a_win(self) -> None:
        moves = "7522745647553215577666223213136461"
        drawn = certificate(moves, "Claimeven d5d6")
        won = certificate(moves, "Claimeven d5d6\nAftereven a5a6 of a6b5c4d3")
        assert problems_solved_by(won)[won.instances[1]] == ()
        for each, value in ((drawn, "not-white"), (won, "black")):
            check_certificate(each)
            assert str(each.bounds) == value

    def test_all_flaws_are_found_and_named(self) -> None:
        flawed = certificate("", "Claimeven a2a3\nClaimeven b1b2\nVertical b2b3\nBaseinverse a1c1", board="4x4")
        assert list(find_flaws(flawed)) == [
            "solution 1 (Claimeven a2 a3): the upper square a3 of the Claimeven is not even",
            "solution 2 (Claimeven b1 b2) and solution 3 (Vertical b2 b3) do not combine: both use b2",
            "nothing solves the problem a1 a2 a3 a4",
            "nothing solves the problem a3 b3 c3 d3",
            "nothing solves the problem a4 b4 c4 d4",
            "nothing solves the problem a4 b3 c2 d1",
            "nothing solves the problem c1 c2 c3 c4",
            "nothing solves the problem d1 d2 d3 d4",
        ]


def _playable_in(position: Position, column: int) -> int:
    return position.playable & position.board.column_squares(column)


class TestPositions:
    def test_an_odd_number_of_rows_is_refused(self) -> None:
        with pytest.raises(CertificateError, match="an even number of rows and 7x5 has 5"):
            check_certificate(certificate("", "Claimeven a1a2", board="7x5"))

    def test_a_won_game_is_refused(self) -> None:
        won = Certificate(at("1212121"), Side.WHITE, None, ())
        with pytest.raises(CertificateError, match=r"the game is over \(White has won\)"):
            check_certificate(won)

    def test_a_full_board_is_refused(self) -> None:
        full = Certificate(at("4321311144234232", "4x4"), Side.BLACK, None, ())
        with pytest.raises(CertificateError, match=r"the game is over \(the board is full\)"):
            check_certificate(full)

    def test_stones_that_no_game_leads_to_are_refused(self) -> None:
        board = Board(4, 4)
        floating = Position(board, white=1 << board.find_square("a2"), black=1 << board.find_square("b1"))
        with pytest.raises(CertificateError, match="the stone on a2 floats"):
            check_certificate(Certificate(floating, Side.BLACK, None, ()))

    def test_no_instance_proves_nothing(self) -> None:
        with pytest.raises(CertificateError, match="nothing solves the problem a1 a2 a3 a4"):
            check_certificate(Certificate(at("", "4x4"), Side.BLACK, None, ()))

    def test_every_group_of_the_empty_board_is_a_problem(self) -> None:
        assert len(problems_of(Certificate(at(""), Side.BLACK, None, ()))) == 69
        assert len(problems_of(Certificate(at("", "5x4x3"), Side.BLACK, None, ()))) == 34

    def test_a_stone_of_the_controller_ends_a_problem_and_one_of_the_opponent_does_not(self) -> None:
        problems = problems_of(Certificate(at("12", "4x4"), Side.BLACK, None, ()))
        assert len(problems) == 8  # without row 1 and column b, where Black has b1
        assert tuple(range(4)) in problems  # column a, where White has a1


SPECIALBEFORE_UP = "Specialbefore a1 e1 b1b2 c3c4 d4d5 of a1b2c3d4"
SPECIALBEFORE_DOWN = "Specialbefore d1 e1 c2c3 b3b4 a4a5 of a4b3c2d1"


def combine(one: str, other: str, moves: str = "") -> bool:
    """Whether two instances combine, the same either way round."""
    position = at(moves)
    first, second = instance_in(position, one), instance_in(position, other)
    answer = reference_is_combinable(position, Side.BLACK, first, second)
    assert answer == reference_is_combinable(position, Side.BLACK, second, first)
    return answer


class TestCombinations:
    """Pairs that must be refused, each with a near one that must be allowed."""

    def test_every_pair_of_rules_has_its_constraints(self) -> None:
        assert set(CONSTRAINTS) == {(one, other) for one in Rule for other in Rule}
        assert all(CONSTRAINTS[one, other] == CONSTRAINTS[other, one] for one, other in CONSTRAINTS)

    @pytest.mark.parametrize(
        ("one", "refused", "allowed"),
        [
            ("Claimeven a1a2", "Vertical a2a3", "Vertical a4a5"),
            ("Claimeven a1a2", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a3a4 b3b4 c3c4 d3d4"),
            ("Claimeven b1b2", "Baseclaim a1 b1 c1 b2", "Baseclaim a1 d1 c1 d2"),
            ("Claimeven a1a2", "Before a1a2 b1b2 c1c2 d1d2", "Before a3a4 b3b4 c3c4 d3d4"),
            ("Claimeven e1e2", "Specialbefore a1 e1 b1b2 c1c2 d1d2", "Specialbefore a1 f1 b1b2 c1c2 d1d2"),
            ("Claimeven b1b2", SPECIALBEFORE_UP, SPECIALBEFORE_DOWN),
            ("Baseinverse a1b1", "Claimeven a1a2", "Claimeven a3a4"),
            ("Baseinverse a1b1", "Baseinverse a1c1", "Baseinverse c1d1"),
            ("Baseinverse a1f1", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a3a4 b3b4 c3c4 d3d4"),
            ("Baseinverse a1b1", "Baseclaim a1 c1 d1 c2", "Baseclaim e1 c1 d1 c2"),
            ("Baseinverse a1f1", "Before a1a2 b1b2 c1c2 d1d2", "Before a3a4 b3b4 c3c4 d3d4"),
            ("Baseinverse d1f1", "Specialbefore a1 e1 b1b2 c1c2 d1d2", SPECIALBEFORE_UP),
            ("Vertical a2a3", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a5a6 b5b6 c5c6 d5d6"),
            ("Vertical a2a3", "Lowinverse a2a3 b2b3", "Lowinverse a4a5 b2b3"),
            ("Vertical a2a3", "Highinverse a2a3a4 b2b3b4", "Highinverse a4a5a6 b2b3b4"),
            ("Vertical b2b3", "Baseclaim a1 b1 c1 b2", "Baseclaim b1 a1 c1 a2"),
            ("Vertical a2a3", "Before a2a3 b2b3 c2c3 d2d3", "Before a4a5 b4b5 c4c5 d4d5"),
            ("Vertical c2c3", SPECIALBEFORE_DOWN, "Specialbefore c1 g1 d1d2 e1e2 f1f2"),
            ("Baseclaim a1 b1 c1 b2", "Claimeven a1a2", "Claimeven a3a4"),
            ("Baseclaim f1 b1 g1 b2", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a3a4 b3b4 c3c4 d3d4"),
            ("Baseclaim a1 b1 c1 b2", "Baseclaim c1 d1 e1 d2", "Baseclaim d1 e1 f1 e2"),
            ("Baseclaim a1 b1 c1 b2", "Baseclaim c1 b1 a1 b2", "Baseclaim d1 e1 f1 e2"),
            ("Baseclaim f1 b1 g1 b2", "Before a2a3 b1b2 c2c3 d2d3", "Before a3a4 b3b4 c3c4 d3d4"),
            ("Baseclaim f1 b1 g1 b2", SPECIALBEFORE_UP, SPECIALBEFORE_DOWN),
            ("Highinverse a2a3a4 b2b3b4", "Before a2a3 b2b3 c2c3 d2d3", "Before c2c3 d2d3 e2e3 f2f3"),
            (
                "Highinverse a2a3a4 b2b3b4",
                "Specialbefore a1 g1 b1b2 c1c2 d1d2",
                "Specialbefore c1 g1 d1d2 e1e2 f1f2",
            ),
        ],
    )
    def test_constraint_1_forbids_a_shared_square(self, one: str, refused: str, allowed: str) -> None:
        assert not combine(one, refused)
        assert combine(one, allowed)

    @pytest.mark.parametrize(
        ("one", "refused", "allowed"),
        [
            ("Baseinverse e2f1", "Vertical e2e3", "Vertical f2f3"),
            ("Baseinverse e2f1", "Lowinverse a2a3 e2e3", "Lowinverse a2a3 f2f3"),
            ("Baseinverse e2f1", "Highinverse a2a3a4 e2e3e4", "Highinverse a2a3a4 f2f3f4"),
            ("Baseclaim a1 g1 e2 g2", "Lowinverse a2a3 e2e3", "Lowinverse a2a3 f2f3"),
            ("Baseclaim a1 g1 e2 g2", "Highinverse a2a3a4 e2e3e4", "Highinverse a2a3a4 f2f3f4"),
        ],
    )
    def test_constraint_1_forbids_a_shared_playable_square_on_an_even_row(
        self, one: str, refused: str, allowed: str
    ) -> None:
        assert not combine(one, refused, moves="44353333")
        assert combine(one, allowed, moves="44353333")

    @pytest.mark.parametrize(
        ("inverse", "refused", "allowed"),
        [
            ("Lowinverse a4a5 b4b5", "Claimeven a1a2", "Claimeven c1c2"),  # below, and apart
            ("Lowinverse a2a3 b2b3", "Claimeven a1a2", "Claimeven a5a6"),  # below, and sharing a square
            ("Lowinverse a2a3 b2b3", "Claimeven a3a4", "Claimeven b5b6"),  # at
            ("Highinverse a4a5a6 b4b5b6", "Claimeven a1a2", "Claimeven g1g2"),
            ("Highinverse a2a3a4 b4b5b6", "Claimeven b1b2", "Claimeven a5a6"),
            ("Highinverse a2a3a4 b2b3b4", "Claimeven b3b4", "Claimeven b5b6"),
            ("Lowinverse a4a5 g4g5", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven b1b2 c1c2 d1d2 e1e2"),
            ("Lowinverse a2a3 g2g3", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a5a6 b5b6 c5c6 d5d6"),
            ("Highinverse a4a5a6 g4g5g6", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven b1b2 c1c2 d1d2 e1e2"),
            ("Highinverse a2a3a4 g2g3g4", "Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven a5a6 b5b6 c5c6 d5d6"),
            ("Lowinverse b4b5 g4g5", "Baseclaim a1 b1 c1 b2", "Baseclaim b1 a1 c1 a2"),
            ("Highinverse b4b5b6 g4g5g6", "Baseclaim a1 b1 c1 b2", "Baseclaim a1 c1 b1 c2"),
            ("Lowinverse a4a5 g4g5", "Before a1a2 b2b3 c2c3 d2d3", "Before a1a2 b2b3 c3c4 d4d5"),
            ("Highinverse a4a5a6 g4g5g6", "Before a1a2 b2b3 c2c3 d2d3", "Before a1a2 b2b3 c3c4 d4d5"),
            (
                "Lowinverse b4b5 g4g5",
                SPECIALBEFORE_UP,
                "Specialbefore a1 e1 b2b3 c3c4 d4d5 of a1b2c3d4",
            ),
            (
                "Highinverse b4b5b6 g4g5g6",
                SPECIALBEFORE_UP,
                "Specialbefore a1 e1 b2b3 c3c4 d4d5 of a1b2c3d4",
            ),
        ],
    )
    def test_constraint_2_forbids_a_claimeven_at_or_below_an_inverse(
        self, inverse: str, refused: str, allowed: str
    ) -> None:
        # In a Before the pair a1 a2 is a Claimeven if a2 is in the group and a Vertical if a1 is.
        assert not combine(inverse, refused)
        assert combine(inverse, allowed)

    @pytest.mark.parametrize(
        ("one", "refused", "allowed"),
        [
            ("Before a1a2 b1b2 c2c3 d2d3", "Before b2b3 c2c3 d2d3 e2e3", "Before b1b2 c2c3 d2d3 e1e2"),
            ("Aftereven a1a2 b1b2 c1c2 d1d2", "Before b1b2 c1c2 d2d3 e1e2", "Before b1b2 c1c2 d1d2 e2e3"),
            ("Lowinverse a2a3 g2g3", "Before a3a4 b3b4 c3c4 d3d4", "Before a2a3 b2b3 c2c3 d2d3"),
            (
                "Lowinverse c2c3 g2g3",
                "Specialbefore a1 e1 b2b3 c3c4 d4d5 of a1b2c3d4",
                SPECIALBEFORE_DOWN,
            ),
            (
                "Before b1b2 c1c2 d1d2 e1e2",
                "Specialbefore a1 g1 b2b3 c3c4 d4d5 of a1b2c3d4",
                "Specialbefore a1 g1 b1b2 c1c2 d1d2",
            ),
            (
                "Aftereven a1a2 b1b2 c1c2 d1d2",
                "Specialbefore e1 g1 d2d3 c3c4 b4b5 of b4c3d2e1",
                "Specialbefore e1 g1 b1b2 c1c2 d1d2",
            ),
        ],
    )
    def test_constraint_3_forbids_squares_that_are_neither_disjoint_nor_equal_in_a_column(
        self, one: str, refused: str, allowed: str
    ) -> None:
        assert not combine(one, refused)
        assert combine(one, allowed)

    def test_constraint_3_lets_two_afterevens_share_a_claimeven(self) -> None:
        assert combine("Aftereven a1a2 b1b2 c1c2 d1d2", "Aftereven b1b2 c1c2 d1d2 e1e2")

    def test_constraint_3_never_lets_a_specialbefore_share_its_playable_squares(self) -> None:
        one = "Specialbefore b1 g1 c1c2 d1d2 e1e2"
        assert not combine(one, "Specialbefore b1 f1 a1a2 c1c2 d1d2")  # p and p
        assert not combine(one, "Specialbefore a1 g1 b1b2 c1c2 d1d2")  # x and x
        assert combine(one, "Specialbefore f1 a1 c1c2 d1d2 e1e2")  # equal parts only

    @pytest.mark.parametrize(
        ("one", "refused", "allowed"),
        [
            ("Lowinverse a2a3 b2b3", "Lowinverse a2a3 b4b5", "Lowinverse a4a5 b4b5"),  # squares
            ("Lowinverse a2a3 b2b3", "Lowinverse b4b5 c4c5", "Lowinverse c4c5 d4d5"),  # columns
            ("Lowinverse a2a3 b2b3", "Highinverse b4b5b6 c4c5c6", "Highinverse a4a5a6 b4b5b6"),
            ("Lowinverse a2a3 b2b3", "Highinverse a2a3a4 b2b3b4", "Highinverse c2c3c4 d2d3d4"),
            ("Highinverse a2a3a4 b2b3b4", "Highinverse a2a3a4 c2c3c4", "Highinverse c4c5c6 d4d5d6"),
            ("Highinverse a2a3a4 b2b3b4", "Highinverse b4b5b6 c4c5c6", "Highinverse c4c5c6 d4d5d6"),
            ("Highinverse a2a3a4 b2b3b4", "Highinverse a4a5a6 b4b5b6", "Highinverse c2c3c4 d4d5d6"),
        ],
    )
    def test_constraint_4_forbids_inverses_with_a_shared_square_or_one_shared_column(
        self, one: str, refused: str, allowed: str
    ) -> None:
        assert not combine(one, refused)
        assert combine(one, allowed)


def dead_groups(moves: str, condition: dict[str, Any]) -> set[str]:
    """The groups of Black's that White's win condition kills, by name."""
    position = at(moves)
    proof = certificate_from_json(position, {"win_condition": condition, "solutions": []})
    alive = set(problems_of(proof))
    groups = [tuple(bits(group)) for group in position.board.groups if not group & position.white]
    return {"".join(position.board.names(group)) for group in groups if group not in alive}


def is_dead(moves: str, condition: dict[str, Any], group: str) -> bool:
    """Whether the win condition kills this group, which must be one that Black could complete."""
    board = at(moves).board
    squares = sum(1 << board.find_square(name) for name in squares_in(group))
    assert squares in board.groups
    assert not squares & at(moves).white
    return group in dead_groups(moves, condition)


class TestOddThreat:
    @pytest.mark.parametrize(
        ("moves", "condition", "reason"),
        [
            ("17273", odd_threat("a1b1c1d1", "d1"), "d1 is playable"),
            ("5112233", odd_threat("a2b2c2d2", "d2"), "d2 is not odd"),
            ("444433351225255", odd_threat("a3b3c3d3", "b3"), "b3 is not empty"),
            ("444433351225255", odd_threat("a3b3c3d3", "a5"), "a5 is not in the group a3 b3 c3 d3"),
            ("444433351225255", odd_threat("a3b3c3d3e3", "a3"), "a3 b3 c3 d3 e3 is not a line of 4 squares"),
            ("444433351225255", odd_threat("a3b3c3", "a3"), "a3 b3 c3 is not a line of 4 squares"),
            ("444433351225255", odd_threat("a3a4a5a6", "a3"), "there is no White stone on a4"),
            ("444433351225255", odd_threat("a3b4c5d6", "a3"), "there is no White stone on b4"),
        ],
    )
    def test_is_none(self, moves: str, condition: dict[str, Any], reason: str) -> None:
        with pytest.raises(CertificateError, match=reason):
            check_certificate(certificate(moves, "", win_condition=condition))

    def test_three_stones_are_two_when_three_in_a_line_win(self) -> None:
        check_certificate(SAMPLES["three in a line"])

    @pytest.mark.parametrize(
        ("group", "dead"),
        [
            ("d5e5f5g5", True),  # t itself
            ("d6e6f6g6", True),  # above t
            ("d1e2f3g4", True),  # an odd square below t
            ("d2e2f2g2", False),  # even squares below t
            ("d2e3f4g5", False),
            ("a1a2a3a4", False),  # another column
        ],
    )
    def test_kills_what_needs_its_column_except_for_even_squares_below(self, group: str, dead: bool) -> None:
        assert is_dead("553554344", odd_threat("c2d3e4f5", "f5"), group) == dead

    def test_does_not_kill_what_needs_an_odd_playable_square(self) -> None:
        assert not is_dead("244626366", odd_threat("c1d2e3f4", "e3"), "d1e1f1g1")


class TestThreatCombination:
    ABOVE = threat_combination("c3d3e3f3", "c1d2e3f4", "e3", "f3", "f4")
    BELOW = threat_combination("b3c3d3e3", "b1c2d3e4", "d3", "c3", "c2")
    ABOVE_LEFT = threat_combination("b3c3d3e3", "b4c3d2e1", "c3", "b3", "b4")

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"crossing": "f3", "odd": "e3"}, "f3 is not in the group c1 d2 e3 f4"),
            ({"odd": "e3"}, "the crossing square e3 and e3 are in one column"),
            ({"odd": "f4"}, "f4 is not in the group c3 d3 e3 f3"),
            ({"even": "f3"}, "f3 is not in the group c1 d2 e3 f4"),
            ({"crossing": "c3"}, "c3 is not empty"),
            ({"even_group": ["c4", "d4", "e4", "f4"], "crossing": "e4"}, "e4 is not in the group c3 d3 e3 f3"),
            ({"odd_group": ["d3", "e3", "f3", "g3"]}, "there is no White stone on g3"),
            ({"even_group": ["c1", "d2", "e3"]}, "c1 d2 e3 is not a line of 4 squares"),
            (
                {
                    "odd_group": ["c1", "d2", "e3", "f4"],
                    "odd": "f4",
                    "even_group": ["c3", "d3", "e3", "f3"],
                    "even": "f3",
                },
                "f4 is not odd",
            ),
        ],
    )
    def test_is_none(self, change: dict[str, Any], reason: str) -> None:
        with pytest.raises(CertificateError, match=reason):
            check_certificate(certificate("3443443", "", win_condition={**self.ABOVE, **change}))

    def test_the_crossing_square_is_not_playable(self) -> None:
        # As in the combination that kills, but e1 and e2 are taken.
        with pytest.raises(CertificateError, match="the crossing square e3 is playable"):
            check_certificate(certificate("344344355", "", win_condition=self.ABOVE))

    @pytest.mark.parametrize(
        ("claim", "moves", "condition", "dead", "alive"),
        [
            ("1, an odd square of the crossing column", "3443443", ABOVE, "b5c5d5e5", "b4c4d4e4"),
            ("1, but not the playable one", "262525565", BELOW, "d5e5f5g5", "d1e1f1g1"),
            ("2, above both", "3443443", ABOVE, "d4e4f4g4", "b6c6d6e6"),
            ("3, the successor and o", "3443443", ABOVE, "c6d5e4f3", "d1e2f3g4"),
            ("4, above the successor", "524542534", ABOVE_LEFT, "c6d6e6f6", "c4d4e4f4"),
            ("5, both playable squares", "3443443", ABOVE, "d1e1f1g1", "d1e2f3g4"),
            ("5, also with v below", "262525565", BELOW, "c1d1e1f1", "c2d2e2f2"),
            ("6, two adjacent squares up to o", "745342455", ABOVE_LEFT, "b2b3b4b5", "b3b4b5b6"),
            ("6, also with v below", "262525565", BELOW, "c2c3c4c5", "c3c4c5c6"),
        ],
    )
    def test_kills_by_claim(self, claim: str, moves: str, condition: dict[str, Any], dead: str, alive: str) -> None:
        assert is_dead(moves, condition, dead)
        assert not is_dead(moves, condition, alive)

    def test_claim_3_is_not_for_v_below_o(self) -> None:
        assert not is_dead("262525565", self.BELOW, "c3d4e5f6")

    def test_claim_4_is_only_for_a_playable_o(self) -> None:
        assert not is_dead("745342455", self.ABOVE_LEFT, "c6d6e6f6")

    def test_claim_5_is_only_for_an_odd_playable_square_of_the_crossing_column(self) -> None:
        condition = threat_combination("b3c3d3e3", "b1c2d3e4", "d3", "e3", "e4")
        assert not is_dead("232425323", condition, "d2e2f2g2")

    def test_claim_6_starts_one_square_higher_where_claim_5_holds(self) -> None:
        assert not is_dead("5554424", self.ABOVE_LEFT, "b2b3b4b5")

    def test_a_playable_v_below_o_kills_by_claims_1_and_2_only(self) -> None:
        assert is_dead("555322225", self.BELOW, "d5e5f5g5")
        assert is_dead("555322225", self.BELOW, "c6d6e6f6")
        assert not is_dead("555322225", self.BELOW, "c2c3c4c5")
        right = threat_combination("b3c3d3e3", "b5c4d3e2", "d3", "e3", "e2")
        assert not is_dead("22352336322", right, "d1e2f3g4")
