"""The kernels find exactly the instances that the definitions allow, and know what each solves and combines with."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import pytest

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import OddThreat, WinCondition
from claimeven.solver.proof.checker import find_task
from claimeven.solver.proof.definitions import normal_form
from claimeven.solver.proof.listing import Solutions, list_solutions, list_win_conditions
from claimeven.solver.rules.rule import Rule
from tests.positions import at, random_positions
from tests.solver.rules.exhaustive import all_instances, all_solutions, reference_is_combinable

BOARDS = {"4x4": 30, "5x4": 20, "6x4": 10, "4x6": 10, "7x4": 5, "5x6": 2, "7x6": 2, "4x4x3": 15, "6x6x5": 3}

# Enough Black and White positions, openings among them, that every rule is found and combined many times.
OPENINGS = {"6x4": "", "6x6": "12", "7x6": "444433351225255"}

# Threat combinations are rare in random games: here is one of each kind that the claims tell apart: by where v lies and
# which squares are playable.
THREAT_COMBINATIONS = {
    "v above o, o playable, crossing column even": "677471161155224146563",
    "v above o, o playable, crossing column odd": "73326464677",
    "v above o, o not playable, crossing column even": "434644725536343",
    "v above o, o not playable, crossing column odd": "55256161665111643655142",
    "v below o, v playable, crossing column even": "55776361225456227",
    "v below o, v playable, crossing column odd": "126731773536537266756",
    "v below o, v not playable, crossing column even": "733433173564442623462",
    "v below o, v not playable, crossing column odd": "547667115263235617655",
}


def cases() -> list[tuple[Position, WinCondition | None]]:
    positions = [position for board, count in BOARDS.items() for position in random_positions(board, count, seed=1)]
    positions += [at(moves, board) for board, moves in OPENINGS.items()]
    positions += [at(moves) for moves in THREAT_COMBINATIONS.values()]
    positions += random_positions("7x6", 40, seed=4, least_ply=25)  # late, when there are odd threats
    found: list[tuple[Position, WinCondition | None]] = []
    for position in positions:
        if position.to_move is Side.WHITE:
            found.append((position, None))
        else:
            found += [(position, condition) for condition in list_win_conditions(position)]
    return found


CASES = cases()


def banned_columns(position: Position, condition: WinCondition | None) -> set[int]:
    if condition is None:
        return set()
    squares = [condition.square] if isinstance(condition, OddThreat) else [condition.crossing, condition.odd]
    return {position.board.column_of(square) for square in squares}


def solved_groups(solutions: Solutions, number: int) -> frozenset[frozenset[str]]:
    names = solutions.position.board.names
    return frozenset(frozenset(names(solutions.problems[problem])) for problem in solutions.solves[number])


def test_both_kinds_of_win_condition_are_among_the_cases() -> None:
    kinds = [type(condition).__name__ for _, condition in CASES]
    assert min(kinds.count(kind) for kind in ("NoneType", "OddThreat", "ThreatCombination")) >= len(THREAT_COMBINATIONS)


def test_problems_are_those_that_the_win_condition_leaves() -> None:
    for position, condition in CASES:
        solutions = list_solutions(position, condition)
        situation, problems = find_task(position, solutions.controller, condition)
        expected = {sum(1 << square for square in situation.squares(problem)) for problem in problems}
        assert set(solutions.problems) == expected


def test_instances_are_those_of_the_definitions_and_solve_the_same_problems() -> None:
    seen = set()
    for position, condition in CASES:
        solutions = list_solutions(position, condition)
        names = position.board.names
        expected = {
            instance: frozenset(frozenset(names(group)) for group in groups)
            for instance, groups in all_solutions(position, solutions.controller, condition).items()
        }
        # An Aftereven is kept even if it solves nothing: it makes a draw a win.
        for instance in all_instances(position, solutions.controller, banned_columns(position, condition)):
            if instance.rule is Rule.AFTEREVEN:
                expected.setdefault(instance, frozenset())
        found = {
            normal_form(instance): solved_groups(solutions, number)
            for number, instance in enumerate(solutions.instances)
        }
        assert len(found) == len(solutions.instances)
        assert found == expected
        seen |= {instance.rule for instance in found}
    assert seen == set(Rule)


def test_conflicts_are_those_of_the_definitions() -> None:
    pairs_refused: set[tuple[Rule, Rule]] = set()
    pairs_allowed: set[tuple[Rule, Rule]] = set()
    for position, condition in CASES:
        solutions = list_solutions(position, condition)
        if len(solutions.instances) > 250:
            continue
        banned = banned_columns(position, condition)
        conflicts = {(one, other) for one in range(len(solutions.instances)) for other in solutions.conflicts_of(one)}
        for one, other in combinations(range(len(solutions.instances)), 2):
            first, second = solutions.instances[one], solutions.instances[other]
            allowed = reference_is_combinable(position, solutions.controller, first, second, banned)
            assert ((one, other) not in conflicts) == allowed, (first, second)
            assert ((other, one) not in conflicts) == allowed, (second, first)
            (pairs_allowed if allowed else pairs_refused).add((first.rule, second.rule))
    every_pair = set(combinations_with_replacement(Rule, 2))
    assert pairs_allowed == every_pair
    # Two Claimevens, two Verticals or two Afterevens that differ share no column but as wholes.
    alike = {(rule, rule) for rule in (Rule.CLAIMEVEN, Rule.VERTICAL, Rule.AFTEREVEN)}
    assert pairs_refused == every_pair - alike


@pytest.mark.parametrize("board", ["4x4x3", "6x6x5"])
def test_other_connect_lengths_have_instances(board: str) -> None:
    assert any(
        list_solutions(position).instances for position in random_positions(board, 20, seed=2) if position.ply % 2 == 0
    )
