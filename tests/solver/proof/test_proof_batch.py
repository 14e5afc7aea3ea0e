"""Proofs on arrays are, position by position, what `prove` says: bounds, nodes and the certificate to the letter."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof import proof_batch
from claimeven.solver.proof.certificate_kernel import longest_text
from claimeven.solver.proof.certificate_text import RULE_CODES, write_certificate
from claimeven.solver.proof.evaluation import make_scratch
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.proof.proof_batch import ProofBatch, prove_many
from claimeven.solver.proof.prover import RulesNotApplicableError, prove
from tests.positions import at, random_positions
from tests.solver.proof.certificates import SAMPLES

BOARDS = {
    "7x6": 500,
    "6x6": 300,
    "8x6": 150,
    "6x8": 150,
    "7x4": 300,
    "4x6": 400,
    "5x4": 400,
    "5x4x3": 400,
    "6x6x5": 300,
    "2x20x3": 200,
}


def stones(positions: Sequence[Position]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    white, black = ([position.white for position in positions], [position.black for position in positions])
    return np.array(white, np.uint64), np.array(black, np.uint64)


def assert_same_as_prove(batch: ProofBatch, positions: Sequence[Position]) -> None:
    assert len(batch) == len(positions)
    for number, position in enumerate(positions):
        attempt = prove(position)
        bounds = batch.least[number], batch.greatest[number]
        assert bounds == (attempt.bounds.least.rank, attempt.bounds.greatest.rank)
        assert batch.nodes[number] == attempt.nodes
        text = None if attempt.certificate is None else write_certificate(attempt.certificate)
        assert batch.certificate_text(number) == text
        assert batch.certificate(number) == attempt.certificate
        assert bytes(batch.text[batch.offsets[number] : batch.offsets[number + 1]]).decode() == (text or "")
        assert batch.is_proved[number] == (text is not None)


@pytest.mark.parametrize("board", BOARDS)
def test_equal_to_prove(board: str) -> None:
    positions = [
        *random_positions(board, BOARDS[board], seed=1),
        *random_positions(board, BOARDS[board], seed=2, least_ply=Board.parse(board).cells // 2),
    ]
    batch = prove_many(Board.parse(board), *stones(positions), threads=2)
    assert_same_as_prove(batch, positions)
    assert 0 < batch.is_proved.sum() < len(batch)


def test_every_rule_and_condition_is_written() -> None:
    texts = []
    for sample in SAMPLES.values():
        batch = prove_many(sample.position.board, *stones([sample.position]))
        assert_same_as_prove(batch, [sample.position])
        texts.append(batch.certificate_text(0) or "")
    for board in ("7x6", "7x4"):
        positions = list(random_positions(board, 800, seed=3, least_ply=11))
        texts.append(prove_many(Board.parse(board), *stones(positions)).text.tobytes().decode())
    assert set(re.findall("[A-Z]{2}", " ".join(texts))) == {*RULE_CODES.values(), "OT", "TC"}


def test_verdicts_alone_are_the_same() -> None:
    positions = list(random_positions("7x6", 300, seed=4, least_ply=20))
    whole = prove_many(Board(), *stones(positions))
    alone = prove_many(Board(), *stones(positions), certificates=False)
    for name in ("least", "greatest", "nodes"):
        assert np.array_equal(getattr(alone, name), getattr(whole, name))
    assert len(alone.text) == 0
    with pytest.raises(ValueError, match="without certificates"):
        alone.certificate_text(0)


def test_a_budget_that_does_not_suffice_proves_nothing() -> None:
    position = at("", "6x6")
    nodes = prove(position).nodes
    for budget, greatest in ((nodes, 0), (nodes // 2, 1)):
        batch = prove_many(position.board, *stones([position]), budget=budget)
        assert (batch.least[0], batch.greatest[0], batch.nodes[0]) == (-1, greatest, budget)


def test_scratch_that_is_too_small_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(6, 6)
    small = make_scratch(board_geometry(board), 64)
    monkeypatch.setattr(proof_batch, "_idle", {board: [small]})
    positions = list(random_positions("6x6", 60, seed=5))
    assert_same_as_prove(prove_many(board, *stones(positions)), positions)
    (grown,) = proof_batch._idle[board]
    assert grown.table.shape[1] > small.table.shape[1]


def test_text_that_does_not_fit_takes_another_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_batch, "TYPICAL_TEXT", 0)
    positions = list(random_positions("6x6", 100, seed=6, least_ply=12))
    batch = prove_many(Board(6, 6), *stones(positions))
    assert_same_as_prove(batch, positions)
    assert batch.is_proved.sum() > 2


@pytest.mark.parametrize("board", ["7x6", "6x6", "2x20x3", "5x4x3", "6x6x5"])
def test_no_certificate_is_longer_than_the_longest(board: str) -> None:
    positions = list(random_positions(board, 300, seed=7))
    batch = prove_many(Board.parse(board), *stones(positions))
    assert np.diff(batch.offsets).max() < longest_text(len(Board.parse(board).groups), Board.parse(board).connect)


def test_where_no_group_is_left_the_certificate_is_empty() -> None:
    position = at("", "4x2x5")
    batch = prove_many(position.board, *stones([position]))
    assert batch.is_proved[0]
    assert batch.certificate_text(0) == ""
    assert_same_as_prove(batch, [position])


def test_no_positions() -> None:
    batch = prove_many(Board(), *stones([]))
    assert (len(batch), list(batch.offsets), len(batch.text)) == (0, [0], 0)


def test_what_cannot_be_proved_is_refused() -> None:
    with pytest.raises(RulesNotApplicableError, match="even number of rows"):
        prove_many(Board(6, 5), *stones([]))
    with pytest.raises(RulesNotApplicableError, match="White has won"):
        prove_many(Board(), *stones([at("12"), at("1212121")]))
    full = at("12211221", "2x4x5")
    with pytest.raises(RulesNotApplicableError, match="the board is full"):
        prove_many(full.board, *stones([full]))
    white, black = stones([at("12"), at("1")])
    with pytest.raises(ValueError, match="as many positions"):
        prove_many(Board(), white, black[:1])
