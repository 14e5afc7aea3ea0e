"""Instances one by one and two by two: the kernels of the checker say what the definitions in Python say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from claimeven.solver.board import bits
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.array_check.combinations import are_combinable
from claimeven.solver.proof.array_check.instances import FACTS, is_solved
from claimeven.solver.proof.array_check.kernel import Desk, is_instance, make_desk
from claimeven.solver.proof.array_check.situation import Lines, Situation, make_lines
from claimeven.solver.proof.array_check.token import read_token
from claimeven.solver.proof.certificate import Certificate, CertificateError, WinCondition
from claimeven.solver.proof.certificate_text import write_certificate
from claimeven.solver.proof.checker import find_task, is_combinable
from claimeven.solver.proof.definitions import Situation as Reference
from claimeven.solver.proof.definitions import Solution, solution_of
from claimeven.solver.proof.listing import list_solutions, list_win_conditions
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.positions import at, random_positions

Facts = np.ndarray[tuple[int], np.dtype[np.uint64]]

BOARDS = {"4x4": 12, "5x4": 12, "7x4": 6, "5x6": 4, "7x6": 6, "4x4x3": 12, "6x6x5": 4, "2x20x3": 2}


def cases() -> Iterator[tuple[Position, WinCondition | None]]:
    """Positions with their win conditions, openings among them and late ones, when there are odd threats."""
    positions = [position for board, count in BOARDS.items() for position in random_positions(board, count, seed=5)]
    positions += [at("", "6x4"), at("12", "6x6"), at("44353333"), at("677471161155224146563")]
    positions += random_positions("7x6", 10, seed=6, least_ply=25)
    for position in positions:
        if position.to_move is Side.WHITE:
            yield position, None
        else:
            for condition in list_win_conditions(position)[:3]:
                yield position, condition


CASES = list(cases())


class Kernels:
    """One position under both definitions."""

    def __init__(self, position: Position, condition: WinCondition | None) -> None:
        board = position.board
        self.position = position
        self.controller = position.to_move.opponent
        self.reference, problems = find_task(position, self.controller, condition)
        self.problems = {
            problem: sum(1 << square for square in self.reference.squares(problem)) for problem in problems
        }
        self.lines: Lines = make_lines(board.columns, board.rows, board.connect)
        self.situation = Situation(
            rows=np.uint64(board.rows),
            squares=np.uint64(board.squares),
            odd=np.uint64(board.odd_squares),
            own=np.uint64(position.stones(self.controller)),
            empty=np.uint64(position.empty),
            playable=np.uint64(position.playable),
            barred=np.uint64(sum(board.column_squares(column) for column in self.reference.barred)),
        )
        self.desk: Desk = make_desk(len(self.lines.groups), 1000)

    def read(self, instance: RuleInstance) -> Facts | None:
        """What the kernels make of an instance, None if it is none; its patterns stay on the desk."""
        certificate = Certificate(self.position, self.controller, None, (instance,))
        text = np.frombuffer(write_certificate(certificate).encode(), np.uint8)
        board = self.position.board
        facts = np.zeros(FACTS, np.uint64)
        if not read_token(text, 0, len(text), board.columns, board.rows, self.desk.token):
            return None
        return facts if is_instance(self.lines, self.situation, self.desk, facts) else None


def definition(reference: Reference, instance: RuleInstance) -> Solution | None:
    try:
        return solution_of(reference, instance)
    except CertificateError:
        return None


def assert_same(kernels: Kernels, instance: RuleInstance) -> tuple[Solution, Facts] | None:
    """Both take the instance for one, or neither does, and it solves the same problems."""
    solution, facts = definition(kernels.reference, instance), kernels.read(instance)
    assert (solution is None) == (facts is None), (str(kernels.position), instance)
    if solution is None or facts is None:
        return None
    for problem, squares in kernels.problems.items():
        solved = is_solved(kernels.desk.patterns, np.uint64(squares))
        assert solved == solution.solves(problem), (str(kernels.position), instance, problem)
    return solution, facts


def test_the_groups_are_those_of_the_board() -> None:
    for position, _ in CASES:
        board = position.board
        assert sorted(make_lines(board.columns, board.rows, board.connect).groups) == sorted(board.groups)


def test_valid_instances_and_their_pairs() -> None:
    rules, pairs = set(), set()
    for position, condition in CASES:
        kernels = Kernels(position, condition)
        chance = random.Random(str(position))
        instances = list(list_solutions(position, condition).instances)
        both = [assert_same(kernels, instance) for instance in chance.sample(instances, min(60, len(instances)))]
        found = [each for each in both if each is not None]
        assert len(found) == len(both)
        rules |= {solution.rule for solution, _ in found}
        for (one, our_facts), (other, their_facts) in combinations(found, 2):
            combinable = is_combinable(one, other)
            assert are_combinable(our_facts, their_facts, kernels.lines.rows) == combinable
            assert are_combinable(their_facts, our_facts, kernels.lines.rows) == combinable
            pairs.add((*sorted((one.rule, other.rule)), combinable))
    assert rules == set(Rule)
    assert len(pairs) > 2 * 9 * 10 // 2 - 8


def damage(chance: random.Random, position: Position, instance: RuleInstance) -> RuleInstance:
    """The instance with a square, a part, its rule or its group changed; sometimes it stays one."""
    board, squares = position.board, list(instance.squares)
    place = chance.randrange(len(squares))
    match chance.randrange(8):
        case 0 | 1:
            squares[place] = squares[place] + chance.choice([-1, 1, -2, 2, board.stride, -board.stride])
        case 2:
            squares[place] = board.square(chance.randrange(board.columns), chance.randrange(board.rows))
        case 3:
            step = chance.choice([-2, -1, 1, 2, board.stride, -board.stride])
            squares = [square + step for square in squares]
        case 4:
            chance.shuffle(squares)
        case 5:
            part = place // 2 * 2
            step = chance.choice([-1, 1, -2, 2])
            squares[part : part + 2] = [square + step for square in squares[part : part + 2]]
        case 6:
            return replace(instance, rule=chance.choice(list(Rule)))
        case _:
            groups = list_groups(position, set(squares)) if chance.random() < 0.7 else list(board.groups)
            group = tuple(bits(chance.choice(groups))) if groups and chance.random() < 0.9 else None
            return replace(instance, group=group)
    on_board = [square for square in squares if square >= 0 and board.squares >> square & 1]
    return replace(instance, squares=tuple(on_board))


def invent_simple(chance: random.Random, position: Position) -> RuleInstance:
    """An instance of a rule without a group: stacks anywhere, or playable squares."""
    empty, playable = list(bits(position.empty)), list(bits(position.playable))
    heights = {Rule.CLAIMEVEN: [2], Rule.VERTICAL: [2], Rule.LOWINVERSE: [2, 2], Rule.HIGHINVERSE: [3, 3]}
    rule = chance.choice([*heights, Rule.BASEINVERSE, Rule.BASECLAIM])
    if rule in heights:
        bottoms = [(chance.choice(empty), height) for height in heights[rule]]
        squares = [bottom + step for bottom, height in bottoms for step in range(height)]
    else:
        squares = chance.choices(playable, k=2 if rule is Rule.BASEINVERSE else 3)
        squares += [squares[1] + 1] if rule is Rule.BASECLAIM else []
    return RuleInstance(rule, tuple(square for square in squares if position.board.squares >> square & 1))


def invent(chance: random.Random, position: Position) -> RuleInstance:
    """An instance about a group, its parts above or below the empty squares; now and then the group is no line."""
    board, own = position.board, position.stones(position.to_move.opponent)
    group = list(bits(chance.choice([group for group in board.groups if group & position.empty])))
    gaps = [square for square in group if position.empty >> square & 1]
    rule = chance.choice([Rule.AFTEREVEN, Rule.BEFORE, Rule.SPECIALBEFORE])
    squares: list[int] = []
    if rule is Rule.SPECIALBEFORE:
        playable = list(bits(position.playable))
        squares = [chance.choice(gaps if chance.random() < 0.7 else playable), chance.choice(playable)]
        gaps = [gap for gap in gaps if gap != squares[0]]
    above = 0 if rule is Rule.AFTEREVEN else 0.5
    squares += [square for gap in gaps for square in ((gap, gap + 1) if chance.random() < above else (gap - 1, gap))]
    taken = [place for place, square in enumerate(group) if own >> square & 1]
    if taken and chance.random() < 0.5:
        group[chance.choice(taken)] = chance.choice(list(bits(own)))
    on_board = [square for square in squares if square >= 0 and board.squares >> square & 1]
    return RuleInstance(rule, tuple(on_board), tuple(group))


def list_groups(position: Position, squares: set[int]) -> list[int]:
    return [group for group in position.board.groups if any(group >> square & 1 for square in squares)]


def test_damaged_instances() -> None:
    valid = {rule: [0, 0] for rule in Rule}
    for position, condition in CASES:
        kernels = Kernels(position, condition)
        chance = random.Random(f"damage {position}")
        instances = list(list_solutions(position, condition).instances)
        for instance in chance.choices(instances, k=120) if instances else []:
            changed = damage(chance, position, instance)
            valid[changed.rule][assert_same(kernels, changed) is not None] += 1
        for _ in range(80):
            assert_same(kernels, invent(chance, position))
            assert_same(kernels, invent_simple(chance, position))
    assert all(rejected > 20 and accepted > 5 for rejected, accepted in valid.values()), valid


NO_TOKENS = """
    C cla1a2 CLa0a1 CLa1a01 CLa1a111 CLh1h2 CLa7a8 CLa1a2/ AEa1a2 BEa1a2/a1b1c1d1/a1b1c1d1 OTa3 OTa1b1/a1b1c1d1
    TCa3b3b4/a3b3c3d3 CLaa1a2 CL1a1a2 CLa1a2ÿ CLA1a2 XXa1a2 CL/a1b1c1d1
"""


@pytest.mark.parametrize("text", ["", "CLa1a2 ", *NO_TOKENS.split()])
def test_what_is_no_token(text: str) -> None:
    data = np.frombuffer(text.encode("latin-1"), np.uint8)
    assert not read_token(data, 0, len(data), 7, 6, make_desk(0, 0).token)
