"""Proofs of many positions survive every opposition; what the campaign counts, and that it notices a failure.

    pytest -m slow tests/reports/test_play_outs.py

plays the long campaigns; `claimeven audit play-out` does the same and keeps the counts.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from claimeven.solver.audit import play_outs
from claimeven.solver.audit.play_outs import play_out_board, play_out_random, play_out_thesis_sets, play_outs_from_json
from claimeven.solver.audit.positions import PositionSource
from claimeven.solver.audit.thesis_sets import thesis_sets
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import is_chosen_set
from claimeven.solver.proof.playout import PlayOut
from claimeven.solver.proof.prover import ProofAttempt, prove
from tests.solver.proof.certificates import AFTER_A1_B1, EMPTY_6X6
from tests.solver.proof.opposition import all_positions

MILLION = 1_000_000


def random(board: str, least: int, seed: int = 1) -> PositionSource:
    return PositionSource(board, "uniform", seed, least, Board.parse(board).cells - 1)


def test_every_proof_of_a_board() -> None:
    board = Board(4, 2, connect=3)
    result = play_out_board(board, threads=2)
    unfinished = [position for position in all_positions("4x2x3") if not position.is_over]
    proofs = [attempt for attempt in map(prove, unfinished) if attempt.certificate is not None]
    assert (result.positions, result.proofs) == (len(unfinished), len(proofs))
    assert (result.survived, result.failed, result.unfinished) == (len(proofs), 0, 0)
    assert sum(result.kinds.values()) == len(proofs)


@pytest.mark.parametrize(("board", "least", "proofs"), [("5x4", 0, 300), ("7x6", 24, 300), ("6x8", 30, 100)])
def test_random_proofs(board: str, least: int, proofs: int) -> None:
    result = play_out_random(random(board, least), proofs, threads=2)
    assert (result.proofs, result.survived, result.failures) == (proofs, proofs, ())
    assert result.positions > proofs
    assert result.nodes >= result.proofs
    assert play_out_random(random(board, least), proofs, threads=1) == result
    assert play_outs_from_json(json.loads(json.dumps(asdict(result)))) == result


def test_a_board_with_fewer_proofs_than_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_outs, "PATIENCE", 2)
    every = play_out_board(Board(4, 2, connect=3), threads=1)
    result = play_out_random(random("4x2x3", 0), MILLION, threads=1)
    assert 0 < result.proofs <= every.proofs


def test_a_proof_that_does_not_hold_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove_too_much(position: Position) -> ProofAttempt:
        attempt = prove(position)
        assert attempt.certificate is not None
        return replace(attempt, certificate=replace(attempt.certificate, instances=()))

    monkeypatch.setattr(play_outs, "prove", prove_too_much)
    result = play_out_random(random("6x4", 6), 100, threads=2)
    assert result.failed > 0
    assert result.failures[0].startswith("6x4 ")
    assert "loses" in " ".join(result.failures) or "stuck" in " ".join(result.failures)


def test_a_tree_that_is_too_large_is_not_a_survivor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_outs, "MOST_NODES", 3)
    result = play_out_random(random("5x4", 4), 50, threads=1)
    assert result.unfinished > 0
    assert result.failed == 0
    assert result.survived == 50 - result.unfinished


def test_the_sets_of_the_thesis() -> None:
    sets = thesis_sets()
    assert sets["6x6 empty, printed"] == EMPTY_6X6
    assert sets["7x6 after 12, printed"] == AFTER_A1_B1
    assert all(map(is_chosen_set, sets.values()))
    results = play_out_thesis_sets(games=200, threads=2)
    assert [result.name for result in results] == list(sets)
    assert all((result.survived, result.games, result.failed) == (1, 200, 0) for result in results)


def test_a_lost_random_game_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(certificate: Certificate, games: int) -> PlayOut:
        return PlayOut(3, complete=False, failure="the controller loses", line=(0, 1))

    monkeypatch.setattr(play_outs, "play_random", lose)
    results = play_out_thesis_sets(games=10, threads=1)
    assert all(result.failed == 1 and "the controller loses after a b" in result.failures[0] for result in results)


def test_a_proof_that_loses_both_ways_has_failed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = PlayOut(3, complete=True, failure="the controller loses", line=(0, 1))
    monkeypatch.setattr(play_outs, "play_out", lambda certificate, nodes: lost)
    monkeypatch.setattr(play_outs, "play_random", lambda certificate, games: lost)
    results = play_out_thesis_sets(games=10, threads=1)
    assert all((result.failed, result.survived, len(result.failures)) == (1, 0, 1) for result in results)


@pytest.mark.slow
def test_every_proof_of_4x4() -> None:
    result = play_out_board(Board(4, 4), threads=2)
    assert result.proofs == result.survived > 40_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "least", "proofs"),
    [
        ("5x4", 0, 50_000),
        ("7x6", 24, 20_000),
        *((board, 0, 2_000) for board in ("6x4", "7x4", "8x4", "5x6", "6x6", "7x6", "6x8", "5x4x3", "6x6x5")),
    ],
)
def test_many_random_proofs(board: str, least: int, proofs: int) -> None:
    result = play_out_random(random(board, least, seed=11), proofs, threads=2)
    assert (result.proofs, result.survived) == (proofs, proofs)


@pytest.mark.slow
def test_the_sets_of_the_thesis_against_a_million_games() -> None:
    results = play_out_thesis_sets(games=MILLION, threads=2)
    assert all((result.survived, result.games) == (1, MILLION) for result in results)
