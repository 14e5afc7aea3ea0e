"""The kernels find exactly the win conditions that the checker accepts, and these kill what the definitions say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from claimeven.solver.board import Bitboard, bits
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import CertificateError, OddThreat, ThreatCombination, WinCondition
from claimeven.solver.proof.checker import check_certificate, dead_patterns
from claimeven.solver.proof.definitions import Situation, fits
from claimeven.solver.proof.evaluation import make_scratch
from claimeven.solver.proof.listing import board_geometry, list_win_conditions, read_condition, write_condition
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.win_condition import (
    MAX_PATTERNS,
    find_odd_threats,
    find_threat_combinations,
    is_dead,
    list_dead_patterns,
)
from tests.positions import at, random_positions
from tests.solver.rules.test_generator import THREAT_COMBINATIONS

TWO_IN_ONE_COLUMN = ("5447621223411522445566641", "61633752267716275332225", "7437724714462676611623424")

POSITIONS = [
    *(at(moves) for moves in (*THREAT_COMBINATIONS.values(), *TWO_IN_ONE_COLUMN)),
    *(position for position in random_positions("7x6", 150, seed=31, least_ply=17) if position.to_move is Side.BLACK),
    *(position for position in random_positions("6x4", 60, seed=31, least_ply=9) if position.to_move is Side.BLACK),
    *(position for position in random_positions("5x6x3", 30, seed=31) if position.to_move is Side.BLACK),
]


def candidates(position: Position) -> Iterator[WinCondition]:
    """White's groups that lack a square or two, in every role."""
    lacking: list[tuple[Bitboard, list[int]]] = [
        (group, list(bits(group & position.empty))) for group in position.board.groups if not group & position.black
    ]
    for group, (*rest, square) in ((group, squares) for group, squares in lacking if squares):
        if not rest:
            yield OddThreat(tuple(bits(group)), square)
    pairs = [(group, squares) for group, squares in lacking if len(squares) == 2]
    for (one, squares1), (two, squares2) in product(pairs, repeat=2):
        for (crossing, odd), (also, even) in product((squares1, squares1[::-1]), (squares2, squares2[::-1])):
            if crossing == also and even != odd:
                yield ThreatCombination(tuple(bits(one)), tuple(bits(two)), crossing, odd, even)


def accepted(position: Position) -> set[WinCondition]:
    situation = Situation.of(position, Side.WHITE)
    conditions = set()
    for condition in candidates(position):
        try:
            dead_patterns(situation, condition)
        except CertificateError:
            continue
        conditions.add(condition)
    return conditions


def test_the_conditions_found_are_those_that_the_checker_accepts() -> None:
    columns_with_two = 0
    kinds = set()
    for position in POSITIONS:
        column_of = position.board.column_of
        expected, found = accepted(position), list_win_conditions(position)
        assert len(found) == len(set(found))
        assert {each for each in found if isinstance(each, ThreatCombination)} == {
            each for each in expected if isinstance(each, ThreatCombination)
        }
        threats = {each.square for each in expected if isinstance(each, OddThreat)}
        lowest = {min(t for t in threats if column_of(t) == column) for column in map(column_of, threats)}
        assert sorted(each.square for each in found if isinstance(each, OddThreat)) == sorted(lowest)
        assert {each for each in found if isinstance(each, OddThreat)} <= expected
        columns_with_two += len(threats) > len(lowest)
        kinds |= {type(each) for each in found}
    assert kinds == {OddThreat, ThreatCombination}
    assert columns_with_two >= len(TWO_IN_ONE_COLUMN)


def test_a_condition_kills_what_the_definitions_say() -> None:
    """The patterns are asked about every square and every pair of squares of the columns, be they in a group or not."""
    killed, spared = Counter[str](), Counter[str]()
    for position in POSITIONS:
        board, geometry = position.board, board_geometry(position.board)
        situation = Situation.of(position, Side.WHITE)
        found = np.zeros((MAX_PATTERNS, 2), np.uint64)
        for condition in list_win_conditions(position):
            columns, patterns = dead_patterns(situation, condition)
            row = write_condition(board, condition)
            count = list_dead_patterns(row, np.uint64(position.playable), geometry.odd, geometry.stride, found)
            squares = [square for square in bits(position.empty) if board.column_of(square) in columns]
            for pair in combinations_with_replacement(squares, 2):
                dead = is_dead(np.uint64(1 << pair[0] | 1 << pair[1]), found, count)
                assert dead == fits(frozenset(situation.points(set(pair))), patterns), (str(position), condition, pair)
                (killed if dead else spared)[type(condition).__name__] += 1
    assert min(*killed.values(), *spared.values()) > 40


def test_a_condition_keeps_the_columns_of_its_empty_squares_from_the_rules() -> None:
    for position in POSITIONS:
        geometry = board_geometry(position.board)
        rows = make_scratch(geometry).conditions
        stones = (np.uint64(position.white), np.uint64(position.empty), np.uint64(position.playable))
        count = find_odd_threats(geometry, *stones, rows)
        count = find_threat_combinations(geometry, *stones, rows, count)
        spare = position.board.top << 1
        for row in rows[:count]:
            again = write_condition(position.board, read_condition(row))
            again[-1] |= row[-1] & np.uint64(spare)  # the spare bit of a column is no square
            assert list(row) == list(again)


@pytest.mark.parametrize("moves", ["3141367336477533261161164", "34654745224752532134152", "662713662663742742473"])
def test_a_later_condition_may_prove_what_the_first_one_does_not(moves: str) -> None:
    certificate = prove(at(moves)).certificate
    assert certificate is not None
    check_certificate(certificate)
    assert certificate.win_condition in list_win_conditions(at(moves))[1:]
