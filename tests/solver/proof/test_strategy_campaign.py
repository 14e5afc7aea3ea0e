"""The long campaign: proofs by the ten thousand, each played out against every opposition.

    pytest -m slow tests/solver/proof/test_strategy_campaign.py -s

prints what it covered: proofs, positions with the opponent to move, and the largest tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from solver.position import Position
from solver.proof.certificate import Certificate
from solver.proof.playout import play_out, play_random
from solver.proof.prover import prove
from tests.positions import at, random_positions
from tests.solver.proof.certificates import AFTER_A1_B1, EMPTY_6X6
from tests.solver.proof.opposition import all_positions, late_positions

POSITIONS_OF_4X4 = 161_029
MILLION = 1_000_000


def play_proofs(title: str, positions: Iterable[Position], wanted: int | None = None) -> int:
    """Play out the proofs of these positions, at most as many as wanted; give their number. None may fail."""
    covered = Counter[str]()
    for position in positions:
        covered["positions"] += 1
        proof = None if position.is_over else prove(position).certificate
        if proof is None:
            continue
        result = play_out(proof, nodes=1 << 23)
        assert (result.failure, result.complete) == (None, True), (str(position), result.describe())
        covered["proofs"] += 1
        covered["nodes"] += result.nodes
        covered["largest tree"] = max(covered["largest tree"], result.nodes)
        kind = "" if proof.win_condition is None else f" by {type(proof.win_condition).__name__}"
        covered[f"proofs of {proof.value}{kind}"] += 1
        if covered["proofs"] == wanted:
            break
    print(f"\n{title}: " + ", ".join(f"{name} {count:,}" for name, count in covered.items()))
    return covered["proofs"]


@pytest.mark.slow
def test_every_proof_of_4x4_survives_every_opposition() -> None:
    positions = list(all_positions("4x4"))
    assert len(positions) == POSITIONS_OF_4X4
    assert play_proofs("4x4, all positions", positions) > 0


@pytest.mark.slow
def test_fifty_thousand_proofs_of_5x4_survive_every_opposition() -> None:
    assert play_proofs("5x4", random_positions("5x4", MILLION, seed=11), wanted=50_000) == 50_000


@pytest.mark.slow
def test_twenty_thousand_proofs_of_7x6_with_24_stones_survive_every_opposition() -> None:
    positions = late_positions("7x6", seed=12, least_ply=24)
    assert play_proofs("7x6, 24 or more stones", positions, wanted=20_000) == 20_000


@pytest.mark.slow
@pytest.mark.parametrize("board", ["6x4", "7x4", "8x4", "5x6", "6x6", "7x6", "6x8", "5x4x3", "6x6x5"])
def test_proofs_of_any_ply_survive_every_opposition(board: str) -> None:
    assert play_proofs(board, random_positions(board, MILLION, seed=13), wanted=2_000) == 2_000


def thesis_sets() -> dict[str, Certificate]:
    """The sets that the thesis prints for the empty 6x6 board and after a1 b1, and those found for three openings."""
    found = {moves: prove(at(moves)).certificate for moves in ("12", "23", "34")}
    return {"empty 6x6": EMPTY_6X6, "after a1 b1": AFTER_A1_B1} | {
        moves: proof for moves, proof in found.items() if proof is not None
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["empty 6x6", "after a1 b1", "12", "23", "34"])
def test_the_opening_proofs_survive_every_opposition_and_a_million_random_ones(name: str) -> None:
    proof = thesis_sets()[name]
    every = play_out(proof)
    assert (every.failure, every.complete) == (None, True)
    games = play_random(proof, games=MILLION)
    assert (games.failure, games.nodes) == (None, MILLION)
    print(f"\n{name}: every opposition, {every.nodes:,} positions; {games.nodes:,} random games")
