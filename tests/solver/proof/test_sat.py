"""A second opinion on the chosen set: the same question as a SAT instance, answered by a program that knows no rules.

A variable is a solution. Every problem is a clause, "one of its solutions is chosen"; every pair that does not combine
is a clause, "not both". The kernel must find a set exactly when the clauses can be satisfied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from pysat.solvers import Cadical153

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import WinCondition
from claimeven.solver.proof.checker import find_task
from claimeven.solver.proof.definitions import normal_form
from claimeven.solver.proof.listing import list_solutions, list_win_conditions
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.positions import at, random_positions
from tests.solver.rules.exhaustive import all_instances, all_solutions, reference_is_combinable

Clauses = list[list[int]]
BUDGET = 10**7  # no position here needs as much: a kernel that gives up does not count as an answer

DEFAULT = {
    "4x4": 400,
    "5x4": 200,
    "6x4": 80,
    "4x6": 80,
    "7x4": 25,
    "6x6": 20,
    "7x6": 20,
    "4x4x3": 100,
    "6x6x5": 15,
}
OPENINGS = [("", "4x4"), ("", "6x4"), ("12", "7x4"), ("4445333551", "7x6"), ("44353333", "7x6"), ("34444443", "7x6")]


def conditions_of(position: Position) -> list[WinCondition | None]:
    """What White may base a proof on, one after the other; Black needs nothing."""
    return [None] if position.to_move is Side.WHITE else [*list_win_conditions(position)]


def clauses_of_kernels(position: Position, condition: WinCondition | None) -> tuple[Clauses, list[RuleInstance]]:
    """The instance as the kernels see it: their solutions, what these solve, and their conflicts."""
    solutions = list_solutions(position, condition)
    clauses: Clauses = [
        [number + 1 for number, solves in enumerate(solutions.solves) if problem in solves]
        for problem in range(len(solutions.problems))
    ]
    for number in range(len(solutions.instances)):
        clauses += [[-number - 1, -other - 1] for other in solutions.conflicts_of(number) if other > number]
    return clauses, list(solutions.instances)


def clauses_of_definitions(position: Position, condition: WinCondition | None) -> tuple[Clauses, list[RuleInstance]]:
    """The same from the definitions alone, without a kernel."""
    controller = position.to_move.opponent
    situation, problems = find_task(position, controller, condition)
    solved = {
        instance: frozenset[tuple[int, ...]]() for instance in _afterevens(position, controller, situation.barred)
    } | all_solutions(position, controller, condition)
    instances = sorted(solved, key=repr)
    clauses: Clauses = [
        [number + 1 for number, instance in enumerate(instances) if situation.squares(problem) in solved[instance]]
        for problem in problems
    ]
    for one, other in combinations(range(len(instances)), 2):
        if not reference_is_combinable(position, controller, instances[one], instances[other], situation.barred):
            clauses.append([-one - 1, -other - 1])
    return clauses, instances


def _afterevens(position: Position, controller: Side, barred: Iterable[int]) -> list[RuleInstance]:
    """All of them, as one that solves nothing still makes a draw a win."""
    return [found for found in all_instances(position, controller, set(barred)) if found.rule is Rule.AFTEREVEN]


def value_by_sat(position: Position, *, definitions: bool = False) -> str:
    """What the rules prove, as far as it is a question of satisfying clauses."""
    build = clauses_of_definitions if definitions else clauses_of_kernels
    for condition in conditions_of(position):
        clauses, instances = build(position, condition)
        with Cadical153(bootstrap_with=clauses) as solver:
            if not solver.solve():
                continue
            if condition is not None:
                return "white"
            afterevens = [number for number, found in enumerate(instances, start=1) if found.rule is Rule.AFTEREVEN]
            solver.add_clause(afterevens)
            return "black" if afterevens and solver.solve() else "not-white"
    return "unknown"


def value_by_kernel(position: Position) -> str:
    attempt = prove(position, BUDGET)
    assert not attempt.exhausted_budget
    return str(attempt.bounds)


def compare(positions: Iterable[Position], *, definitions: bool = False) -> set[str]:
    """The values that both found, after checking that they are the same everywhere."""
    values = set()
    for position in positions:
        value = value_by_kernel(position)
        assert value_by_sat(position, definitions=definitions) == value, str(position)
        values.add(value)
    return values


@pytest.mark.parametrize("board", DEFAULT)
def test_the_kernel_finds_a_set_exactly_when_sat_says_there_is_one(board: str) -> None:
    values = compare(random_positions(board, DEFAULT[board], seed=21))
    assert len(values) >= 2


@pytest.mark.parametrize(("moves", "board"), OPENINGS)
def test_sat_agrees_on_openings(moves: str, board: str) -> None:
    compare([at(moves, board)])


@pytest.mark.parametrize(("moves", "board"), [("", "7x4"), ("4435335353", "7x6"), ("444453333555777776", "7x6")])
def test_sat_agrees_that_the_rules_find_nothing(moves: str, board: str) -> None:
    assert compare([at(moves, board)]) == {"unknown"}


@pytest.mark.parametrize(
    ("moves", "board"),
    [
        pytest.param("12131231", "4x8", id="two Highinverses on top of each other"),
        pytest.param("1234", "4x8", id="more of them"),
        pytest.param(
            "1467437515245162657145762", "7x6", id="an odd threat with an odd square between it and the stones"
        ),
    ],
)
def test_kernels_and_definitions_give_the_same_clauses(moves: str, board: str) -> None:
    """What the boards and positions of other tests are too low or too full for."""

    def named(clauses: Clauses, instances: list[RuleInstance]) -> set[tuple[bool, frozenset[RuleInstance]]]:
        normal = [normal_form(instance) for instance in instances]
        return {(clause[0] < 0, frozenset(normal[abs(each) - 1] for each in clause)) for clause in clauses if clause}

    position = at(moves, board)
    for condition in conditions_of(position):
        found, expected = (build(position, condition) for build in (clauses_of_kernels, clauses_of_definitions))
        assert named(*found) == named(*expected)
        assert found[0].count([]) == expected[0].count([])


def test_sat_on_the_definitions_alone_agrees() -> None:
    def sample() -> Iterator[Position]:
        yield from random_positions("4x4", 60, seed=22)
        yield from random_positions("5x4", 15, seed=22, least_ply=6)
        yield from random_positions("7x6", 20, seed=22, least_ply=30)

    assert {"unknown", "not-white", "black"} <= compare(sample(), definitions=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "count"), [("4x4", 4000), ("5x4", 3000), ("6x4", 1500), ("4x6", 1500), ("6x6", 500), ("7x6", 1500)]
)
def test_the_kernel_and_sat_agree_on_thousands_of_positions(board: str, count: int) -> None:
    assert len(compare(random_positions(board, count, seed=23))) == 4
