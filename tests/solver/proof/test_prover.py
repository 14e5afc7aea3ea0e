"""What `prove` promises: the same answer as the readable search, proofs that check, symmetry, clear refusals."""

from __future__ import annotations

import pytest

from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.proof.graph import prove_on_graph
from claimeven.solver.proof.prover import RulesNotApplicableError, prove
from claimeven.solver.verdict import UNDECIDED
from tests.positions import at, random_positions

BOARDS = {"4x4": 150, "5x4": 150, "6x4": 100, "7x4": 60, "4x6": 100, "6x6": 60, "7x6": 60, "4x4x3": 80, "6x6x5": 40}


def positions_of(board: str) -> list[Position]:
    return list(random_positions(board, BOARDS[board], seed=7))


@pytest.mark.parametrize("board", BOARDS)
def test_the_kernel_and_the_graph_prove_the_same(board: str) -> None:
    for position in positions_of(board):
        certificate = prove_on_graph(position)
        attempt = prove(position)
        assert not attempt.exhausted_budget
        assert attempt.bounds == (certificate.bounds if certificate else UNDECIDED), str(position)
        if certificate is not None:
            check_certificate(certificate)


@pytest.mark.parametrize("board", BOARDS)
def test_every_proof_is_accepted_by_the_checker_and_needs_each_instance(board: str) -> None:
    for position in positions_of(board):
        certificate = prove(position).certificate
        if certificate is None:
            continue
        check_certificate(certificate)
        for instance in certificate.instances:
            fewer = tuple(other for other in certificate.instances if other != instance)
            smaller = type(certificate)(position, certificate.controller, certificate.win_condition, fewer)
            if smaller.bounds == certificate.bounds:
                with pytest.raises(CertificateError, match="nothing solves"):
                    check_certificate(smaller)


@pytest.mark.parametrize("board", [*BOARDS, "8x6", "6x8", "8x4", "10x4"])
def test_mirror_images_have_mirror_image_verdicts(board: str) -> None:
    for position in random_positions(board, 60, seed=8):
        assert prove(position).bounds == prove(position.mirror()).bounds


@pytest.mark.parametrize("board", ["8x6", "6x8", "8x4", "10x4", "4x4x3", "6x6x5", "8x6x5"])
def test_large_boards_and_other_connect_lengths_have_proofs_that_check(board: str) -> None:
    certificates = [prove(position).certificate for position in random_positions(board, 150, seed=9)]
    found = [certificate for certificate in certificates if certificate is not None]
    assert found
    for certificate in found:
        check_certificate(certificate)


@pytest.mark.parametrize("board", ["7x5", "5x5", "6x7"])
def test_an_odd_number_of_rows_is_refused_with_the_reason(board: str) -> None:
    with pytest.raises(RulesNotApplicableError, match=r"even number of rows and .* has \d: Claimeven"):
        prove(at("", board))


def test_a_finished_game_is_refused_with_the_reason() -> None:
    with pytest.raises(RulesNotApplicableError, match="White has won"):
        prove(at("1212121"))


def test_a_budget_that_is_too_small_says_so_and_claims_nothing() -> None:
    attempt = prove(at("12"), budget=5)
    assert (attempt.bounds, attempt.certificate, attempt.exhausted_budget) == (UNDECIDED, None, True)
    assert attempt.nodes == 5


def test_a_position_without_problems_needs_no_solution() -> None:
    attempt = prove(at("", "3x2"))
    assert attempt.certificate is not None
    assert attempt.certificate.instances == ()
    check_certificate(attempt.certificate)
