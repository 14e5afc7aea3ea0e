"""Positions whose answer is known: from the thesis, or by exact search."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import OddThreat
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.proof.graph import ProofGraph, find_set_on_graph
from claimeven.solver.proof.listing import Solutions, list_solutions
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from claimeven.solver.verdict import UNDECIDED
from tests.positions import at


def proved(position: Position) -> str:
    """The verdict, its certificate checked."""
    attempt = prove(position)
    if attempt.certificate is not None:
        check_certificate(attempt.certificate)
        assert attempt.certificate.bounds == attempt.bounds
    return str(attempt.bounds)


def has_chosen_set(solutions: Solutions, rules: Iterable[Rule]) -> bool:
    """Whether these rules alone solve all problems."""
    others = frozenset(Rule) - frozenset(rules)
    return find_set_on_graph(ProofGraph(solutions), without=others) is not None


@pytest.mark.parametrize("board", ["4x4", "5x4", "6x4", "4x6", "5x6", "6x6"])
def test_black_at_least_draws_on_the_empty_board(board: str) -> None:
    assert proved(at("", board)) == "not-white"


@pytest.mark.parametrize("rows", [2, 4, 6, 8])
def test_black_at_least_draws_on_six_columns_and_any_even_number_of_rows(rows: int) -> None:
    assert proved(at("", f"6x{rows}")) == "not-white"


@pytest.mark.parametrize("moves", ["12", "23", "34"])
@pytest.mark.parametrize("rows", [4, 6, 8])
def test_black_at_least_draws_on_seven_columns_unless_white_opens_in_the_middle(moves: str, rows: int) -> None:
    assert proved(at(moves, f"7x{rows}")) in ("not-white", "black")


@pytest.mark.parametrize("moves", ["34444443", "34444445"])
def test_black_at_least_draws(moves: str) -> None:
    assert proved(at(moves)) == "not-white"


def test_claimevens_alone_hold_a_column_filled_first() -> None:
    assert has_chosen_set(list_solutions(at("34444445")), [Rule.CLAIMEVEN])


@pytest.mark.parametrize("moves", ["444545443331313351115155", "444545443331", "4445333551"])
def test_black_wins_by_an_aftereven(moves: str) -> None:
    assert proved(at(moves)) == "black"


def test_claimevens_and_one_baseinverse() -> None:
    position = at("44443445333337777775")
    assert proved(position) in ("not-white", "black")
    solutions = list_solutions(position)
    assert has_chosen_set(solutions, [Rule.CLAIMEVEN, Rule.BASEINVERSE])
    assert not has_chosen_set(solutions, [Rule.CLAIMEVEN])


def test_an_aftereven_where_claimeven_baseinverse_and_vertical_fail() -> None:
    solutions = list_solutions(at("4445333551"))
    assert not has_chosen_set(solutions, [Rule.CLAIMEVEN, Rule.BASEINVERSE, Rule.VERTICAL])


def test_a_specialbefore_where_the_other_eight_fail() -> None:
    position = at("44353333")
    assert proved(position) in ("not-white", "black")
    assert not has_chosen_set(list_solutions(position), set(Rule) - {Rule.SPECIALBEFORE})


def test_a_before_where_all_others_fail() -> None:
    position = at("43443444536335525626636567777772")
    assert proved(position) in ("not-white", "black")
    assert not has_chosen_set(list_solutions(position), set(Rule) - {Rule.BEFORE})


@pytest.mark.parametrize("moves", ["444433351225255", "444433357225255", "4444443335122525532"])
def test_white_wins_with_an_odd_threat(moves: str) -> None:
    attempt = prove(at(moves))
    assert proved(at(moves)) == "white"
    assert attempt.certificate is not None
    assert isinstance(attempt.certificate.win_condition, OddThreat)


@pytest.mark.parametrize("moves", ["444433351225255", "444433357225255"])
def test_white_wins_with_an_odd_threat_claimevens_and_one_baseinverse(moves: str) -> None:
    certificate = prove(at(moves)).certificate
    assert certificate is not None
    solutions = list_solutions(at(moves), certificate.win_condition)
    assert has_chosen_set(solutions, [Rule.CLAIMEVEN, Rule.BASEINVERSE])
    assert not has_chosen_set(solutions, [Rule.CLAIMEVEN])


@pytest.mark.parametrize(
    ("moves", "board"),
    [
        ("", "7x6"),
        ("", "7x4"),
        ("43", "7x6"),
        ("4435335353", "7x6"),
        ("44444167", "7x6"),
        ("444435353355212221", "7x6"),
        ("444453333555777776", "7x6"),
        ("44444565655452222", "7x6"),
    ],
)
def test_the_nine_rules_alone_find_nothing(moves: str, board: str) -> None:
    attempt = prove(at(moves, board))
    assert attempt.bounds == UNDECIDED
    assert not attempt.exhausted_budget


@pytest.mark.parametrize("moves", ["777627122221557755", "751321"])
def test_false_proofs_of_other_programs_are_not_found(moves: str) -> None:
    assert proved(at(moves)) == "unknown"
