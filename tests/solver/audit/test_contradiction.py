"""A false proof is found, made small, and can be read back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from claimeven.solver.audit.contradiction import (
    Contradiction,
    ContradictionFileError,
    contradiction_from_json,
    contradiction_to_json,
    find_contradiction,
    find_smallest_set,
    minimise,
)
from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.audit.rule_bounds import NineRules, RuleBook, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys
from claimeven.solver.proof import checker
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.listing import list_solutions
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from claimeven.solver.verdict import AT_MOST_DRAW, Value
from tests.positions import at, random_positions
from tests.solver.audit.loose_rules import LooseRules
from tests.solver.proof.certificates import EMPTY_4X4
from tests.solver.rules.test_loosened_conditions import (
    AFTEREVEN_ANY_COLUMN,
    BEFORE_ONE_SUCCESSOR,
    CONSTRAINT_2_DROPPED,
    CONSTRAINT_3_DROPPED,
    any_of,
    loosen_first_pattern,
    with_constraint,
)

SEARCH = ExactSearch(threads=1, memory_bytes=1 << 24)

BROKEN = {
    AFTEREVEN_ANY_COLUMN: LooseRules(loosen_first_pattern(Rule.AFTEREVEN, any_of)),
    BEFORE_ONE_SUCCESSOR: LooseRules(loosen_first_pattern(Rule.BEFORE, any_of)),
    CONSTRAINT_2_DROPPED: LooseRules(combinable=with_constraint(checker._claimevens_above_inverse, None)),
    CONSTRAINT_3_DROPPED: LooseRules(combinable=with_constraint(checker._columns_disjoint_or_equal, None)),
}


def contradiction_at(rules: RuleBook, moves: str) -> Contradiction:
    found = find_contradiction(rules, SEARCH.value, at(moves))
    assert found is not None
    return found


@pytest.mark.parametrize("moves", BROKEN)
def test_a_broken_rule_is_found_out_and_made_small(moves: str) -> None:
    rules = BROKEN[moves]
    found = contradiction_at(rules, moves)
    assert (found.position, found.said, found.value) == (at(moves), (AT_MOST_DRAW,), Value.WHITE)
    smallest = minimise(rules, SEARCH.value, found)
    position = smallest.position
    assert position.board.cells - position.ply <= found.position.board.cells - found.position.ply
    assert position.board.cells <= found.position.board.cells
    # It is still one, and nothing simpler is: neither later nor on a smaller board.
    assert find_contradiction(rules, SEARCH.value, position) is not None
    assert Value.of_score(minimax_score(position), position.to_move) is smallest.value is Value.WHITE
    for column in position.legal_columns:
        assert find_contradiction(rules, SEARCH.value, position.play(column)) is None
    assert smallest.certificate is not None
    assert found.certificate is not None
    assert len(smallest.certificate.instances) <= len(found.certificate.instances)
    # Taking any of the solutions away leaves a problem.
    solutions = rules.list_solutions(position, None)
    assert find_smallest_set(solutions, len(smallest.certificate.instances) - 1) is None


@pytest.mark.parametrize("moves", BROKEN)
def test_the_faithful_rules_are_not_accused(moves: str) -> None:
    assert find_contradiction(NineRules(), SEARCH.value, at(moves)) is None


def test_what_is_too_dear_to_search_is_no_contradiction() -> None:
    assert find_contradiction(BROKEN[AFTEREVEN_ANY_COLUMN], lambda position: None, at(AFTEREVEN_ANY_COLUMN)) is None


class Accuser(LooseRules):
    """Says that White wins nothing, without a proof."""

    def prove(self, position: Position) -> Certificate | None:
        return None

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        number = len(keys)
        ranks = np.full(number, -1, np.int8), np.zeros(number, np.int8)
        return RuleBounds(*ranks, np.ones(number, np.bool_), np.zeros(number, np.uint64))


@pytest.mark.parametrize(
    ("board", "moves", "smaller"),
    [
        ("5x4", "1111", "4x4"),
        ("5x4", "5555", "4x4"),
        ("6x4", "66661111", "4x4"),
        ("4x6", "", "4x4"),
        ("4x6", "12341234", "4x4"),
        # What must not be cut off: a column that would change the side to move, rows with some squares empty.
        ("5x4", "1", "5x4"),
        ("4x6", "123412", "4x6"),
    ],
)
def test_a_part_of_the_board_is_cut_off(board: str, moves: str, smaller: str) -> None:
    """White is said to win at the start, and on any board of columns that are empty or full."""
    start = at(moves, board)

    def search(position: Position) -> Value:
        columns = [position.board.column_squares(column) for column in range(position.board.columns)]
        calm = all(position.occupied & column in (0, column) for column in columns)
        return (
            Value.WHITE
            if position == start or (calm and min(position.board.columns, position.board.rows) >= 4)
            else Value.DRAW
        )

    smallest = minimise(Accuser(), search, Contradiction(start, (AT_MOST_DRAW,), Value.WHITE, None))
    assert smallest.position.board == Board.parse(smaller)
    assert smallest.position == start or smallest.position.board != start.board


def test_the_smallest_set_is_a_chosen_set_and_none_is_smaller() -> None:
    solutions = list_solutions(EMPTY_4X4.position)
    smallest = find_smallest_set(solutions, 10)
    assert smallest is not None
    assert frozenset().union(*(solutions.solves[number] for number in smallest)) == set(range(len(solutions.problems)))
    assert not any(other in solutions.conflicts_of(number) for number in smallest for other in smallest)
    assert len(smallest) <= len(EMPTY_4X4.instances)
    assert find_smallest_set(solutions, len(smallest) - 1) is None


def test_the_smallest_set_with_an_aftereven() -> None:
    position = at("4445333551")
    solutions = list_solutions(position)
    smallest = find_smallest_set(solutions, 6, needs_aftereven=True)
    assert smallest is not None
    assert any(solutions.instances[number].rule is Rule.AFTEREVEN for number in smallest)
    assert find_smallest_set(solutions, 1, needs_aftereven=True) is None


def test_a_contradiction_goes_through_json_and_back() -> None:
    for position in random_positions("7x6", 300, seed=3, least_ply=20):
        certificate = prove(position).certificate
        if certificate is not None:
            found = Contradiction(position, (certificate.bounds,), Value.DRAW, certificate)
            assert contradiction_from_json(json.loads(json.dumps(contradiction_to_json(found)))) == found


def test_what_the_checker_says_is_written_too() -> None:
    found = contradiction_at(BROKEN[CONSTRAINT_3_DROPPED], CONSTRAINT_3_DROPPED)
    data = contradiction_to_json(found)
    assert data["moves"] is not None
    assert any("do not combine" in flaw for flaw in data["flaws"])


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"board": "7x6"},
        {"board": "7y6", "stones": []},
        {"board": "7x6", "stones": ["x"], "claim": "black", "value": "white"},
        {"board": "4x4", "stones": ["...."] * 4, "claim": "black", "value": "grey", "proof": None},
        {"board": "4x4", "stones": ["...."] * 4, "claim": "black", "value": "white", "proof": {}},
    ],
)
def test_another_object_is_refused(data: object) -> None:
    with pytest.raises(ContradictionFileError):
        contradiction_from_json(data)
