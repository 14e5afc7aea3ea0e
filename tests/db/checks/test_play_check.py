"""Stored proofs played out: what was covered is counted, and what cannot be played or loses is a flaw."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from claimeven.db.checks.play_check import PlayCheck
from claimeven.db.checks.verification import Step
from claimeven.db.engine import writing
from claimeven.db.store import Store
from claimeven.db.tables.models import CertificateRow
from claimeven.solver.board import Board
from claimeven.solver.proof.playout import PlayOut
from claimeven.solver.proof.prover import prove
from tests.positions import at, random_positions

BOARD = Board(5, 4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as opened:
        attempts = [prove(position) for position in random_positions("5x4", 60, seed=2)]
        opened.write_proofs([each.certificate for each in attempts if each.certificate is not None])
        opened.write_proofs([each for each in [prove(at("", "5x4")).certificate] if each is not None])
        yield opened


def play(store: Store, nodes: int = 1 << 16, games: int = 50) -> tuple[PlayCheck, list[Step]]:
    check = PlayCheck(nodes, games)
    return check, list(check(store, BOARD, 1.0, random.Random(1)))


def test_every_proof_survives_every_opposition(store: Store) -> None:
    check, steps = play(store)
    number = sum(store.count_proofs(BOARD).values())
    assert number > 10
    assert steps == [Step(1)] * number
    assert (check.counts.exhaustive, check.counts.partial, check.counts.games) == (number, 0, 0)
    assert check.counts.positions >= number


def test_large_trees_are_left_to_random_oppositions(store: Store) -> None:
    check, steps = play(store, nodes=5)
    assert steps == [Step(1)] * len(steps)
    assert check.counts.partial > 0
    assert check.counts.exhaustive + check.counts.partial == len(steps)
    assert check.counts.games == 50 * check.counts.partial
    assert check.counts.partial_positions == 5 * check.counts.partial


def test_a_certificate_that_does_not_hold_is_not_played(store: Store) -> None:
    with writing(store.engine, store.location) as connection:
        connection.execute(update(CertificateRow).where(CertificateRow.ply == 0).values(proof="CLa3a4"))
    _, steps = play(store)
    (flaw,) = [flaw for step in steps for flaw in step.flaws]
    assert flaw == "the empty board (5x4, ply 0): the certificate does not hold, so it cannot be played"


def test_a_certificate_that_cannot_be_read(store: Store) -> None:
    with writing(store.engine, store.location) as connection:
        connection.execute(update(CertificateRow).where(CertificateRow.ply == 0).values(proof="nonsense"))
    assert "cannot be read" in play(store)[1][0].flaws[0]


def test_a_lost_game_is_shown_with_its_moves(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = PlayOut(3, True, "the controller loses", (0, 1, 4))
    monkeypatch.setattr("claimeven.db.checks.play_check.play_out", lambda certificate, nodes: lost)
    check, steps = play(store)
    assert steps[0].flaws == ("the empty board (5x4, ply 0): played out, the controller loses after 125",)
    assert check.counts.exhaustive == 0


def test_a_game_lost_against_a_random_opposition(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = PlayOut(7, False, "the controller loses", (0,))
    monkeypatch.setattr("claimeven.db.checks.play_check.play_random", lambda certificate, games, seed: lost)
    check, steps = play(store, nodes=1)
    assert steps[0].flaws
    assert check.counts.games == 7 * check.counts.partial
