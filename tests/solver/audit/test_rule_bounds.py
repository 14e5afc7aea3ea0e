"""The rules on arrays of positions say what the prover, and what looking ahead, proves one by one."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.audit import rule_bounds
from claimeven.solver.audit.kernels import (
    COMBINATIONS_ABOVE,
    COMBINATIONS_BELOW,
    COMBINATIONS_BELOW_PLAYABLE,
    ODD_THREATS,
)
from claimeven.solver.audit.positions import PositionSource, make_chunk
from claimeven.solver.audit.rule_bounds import PARTS, NineRules, bound
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import as_keys
from claimeven.solver.proof.certificate import OddThreat, ThreatCombination
from claimeven.solver.proof.graph import ProofGraph, find_set_on_graph
from claimeven.solver.proof.listing import list_solutions, list_win_conditions
from claimeven.solver.proof.look_ahead import look_ahead
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import UNDECIDED, Value
from tests.positions import at, random_positions
from tests.solver.proof.certificates import SAMPLES

BOARDS = {"4x4": 0, "6x4": 0, "5x6": 8, "6x6": 12, "7x6": 12, "6x8": 16, "5x4x3": 4, "6x6x5": 10}


def parts_of(bits: np.uint64) -> set[str]:
    return {name for bit, name in PARTS.items() if int(bits) >> bit & 1}


@pytest.mark.parametrize("board", BOARDS)
def test_the_bounds_are_those_of_the_prover(board: str) -> None:
    positions = list(random_positions(board, 150, seed=31, least_ply=BOARDS[board]))
    bounds = bound(Board.parse(board), as_keys([position.key for position in positions]))
    proved = 0
    for place, position in enumerate(positions):
        value = prove(position).bounds
        assert bounds.at(place) == (value,)
        assert bool(bounds.proved[place]) == bool(bounds.here[place]) == (value != UNDECIDED)
        proved += value != UNDECIDED
    assert proved


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("board", ["4x4", "6x4", "7x6", "5x4x3"])
def test_looking_ahead_says_what_is_proved_one_by_one(board: str, plies: int) -> None:
    least_ply = 20 if board == "7x6" else 2
    positions = list(random_positions(board, 60, seed=32, least_ply=least_ply))
    bounds = bound(Board.parse(board), as_keys([position.key for position in positions]), plies)
    for place, position in enumerate(positions):
        ahead = look_ahead(position, plies)
        assert bounds.at(place) == (UNDECIDED if ahead is None else ahead.bounds,)
        assert bool(bounds.here[place]) == (prove(position).certificate is not None)
    assert bounds.proved.sum() > bounds.here.sum()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_parts_of_a_proof(name: str) -> None:
    """What is counted belongs to a proof that the readable search finds too."""
    position = SAMPLES[name].position
    bounds = bound(position.board, as_keys([position.key]))
    found = parts_of(bounds.parts[0])
    assert bounds.here[0]
    if position.to_move is Side.WHITE:
        certificate = prove(position).certificate
        assert certificate is not None
        # The certificate leaves out what turned out to be needless.
        assert {str(instance.rule) for instance in certificate.instances} <= found
        assert not found & {name for name in PARTS.values() if "threat" in name}
        return
    expected = set()
    for condition in list_win_conditions(position):
        if find_set_on_graph(ProofGraph(list_solutions(position, condition))) is not None:
            match condition:
                case OddThreat():
                    expected.add("odd threat")
                case ThreatCombination(odd=odd, even=even):
                    below = " and playable" if position.playable >> even & 1 else ""
                    side = "above" if even > odd else f"below{below}"
                    expected.add(f"threat combination, even square {side}")
    assert found & {name for name in PARTS.values() if "threat" in name} == expected != set()


def test_every_condition_is_tried_although_the_first_proves() -> None:
    """The prover stops at an odd threat; a threat combination that proves the same is counted too."""
    keys = make_chunk(PositionSource("7x6", "cautious", 33, 25, 41), 0, 20_000, solve=lambda positions: [])
    parts = bound(Board(), keys).parts
    odd = np.uint64(1 << ODD_THREATS)
    combinations = np.uint64(1 << COMBINATIONS_ABOVE | 1 << COMBINATIONS_BELOW | 1 << COMBINATIONS_BELOW_PLAYABLE)
    assert np.count_nonzero((parts & odd != 0) & (parts & combinations != 0)) > 5


def test_threads_and_slices_do_not_matter() -> None:
    keys = as_keys([position.key for position in random_positions("6x4", 5_000, seed=34)])
    board = Board(6, 4)
    alone, together = NineRules(1, 1).bound_all(board, keys), NineRules(3, 1).bound_all(board, keys)
    for field in ("least", "greatest", "here", "parts"):
        assert np.array_equal(getattr(alone, field), getattr(together, field))


def test_no_positions() -> None:
    assert len(NineRules(2).bound_all(Board(), as_keys([])).proved) == 0


def test_what_is_allowed() -> None:
    bounds = bound(Board(), as_keys([at("12").key, at("4445333551").key, at("444433351225255").key, at("43").key]))
    allowed = [{str(value) for value in Value if bounds.allow(place, value)} for place in range(4)]
    assert allowed == [{"black", "draw"}, {"black"}, {"white"}, {"black", "draw", "white"}]


def test_a_proof_without_solutions_is_a_proof() -> None:
    """With every group of White's dead the chosen set is empty."""
    position = next(
        position
        for position in random_positions("4x4", 5000, seed=35, least_ply=8)
        if (certificate := prove(position).certificate) is not None and not certificate.instances
    )
    bounds = bound(Board(4, 4), as_keys([position.key]))
    assert (bounds.here[0], bounds.parts[0]) == (True, 0)


def test_a_list_of_solutions_that_is_too_long_for_the_table() -> None:
    key = as_keys([Position.start(Board(6, 6)).key])
    assert rule_bounds._bound_here(Board(6, 6), key, capacity=64).here[0]
