"""The bounds of the rules hold on boards with an even and with an odd number of rows, and say what they should."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_uint64
from functools import cache
from itertools import islice

import numpy as np
import pytest

from claimeven.reports.bench.agreement import random_positions
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.node.bounds import UNKNOWN, greatest_by_follow_up, greatest_by_threat
from claimeven.solver.search.node.lines import threats
from claimeven.solver.search.rule_evaluator import RuleEvaluator
from claimeven.solver.search.workspace import Words, address_of, new_workspace
from tests.positions import at
from tests.solver.search.minimax import Minimax, State

EVALUATOR = CFUNCTYPE(c_int64, c_uint64, c_uint64, c_uint64)


@cache
def workspace_of(board: Board) -> Words:
    return new_workspace(board)


@cache
def evaluator_of(board: Board) -> RuleEvaluator:
    return RuleEvaluator(board)


def cheap_bound(position: Position) -> int:
    """The mover's greatest score."""
    workspace = np.uint64(address_of(workspace_of(position.board)))
    mover = position.stones(position.to_move)
    other = np.uint64(position.occupied ^ mover)
    is_even = position.empty.bit_count() % 2 == 0
    bound = greatest_by_follow_up if is_even else greatest_by_threat
    found = threats(workspace, other, np.uint64(position.empty))
    return int(bound(workspace, np.uint64(mover), other, np.uint64(position.playable), found))


def rule_bound(position: Position) -> int:
    """The mover's greatest score by all nine rules."""
    mover = position.stones(position.to_move)
    evaluator = evaluator_of(position.board)
    return int(EVALUATOR(evaluator.address)(evaluator.context, mover, position.occupied ^ mover))


def is_quiet(position: Position) -> bool:
    """Whether nobody wins with the next stone, as the bounds demand."""
    workspace, empty = np.uint64(address_of(workspace_of(position.board))), np.uint64(position.empty)
    return not any(
        int(threats(workspace, np.uint64(stones), empty)) & position.playable
        for stones in (position.white, position.black)
    )


BOARDS = {"5x4": 11, "6x4": 11, "4x6": 11, "6x6": 10, "4x5": 11, "5x5": 10, "6x5": 10, "7x7": 10, "9x5": 10, "8x7": 10}
"""How many squares may be empty to keep minimax in seconds."""


@pytest.mark.parametrize("board", BOARDS)
def test_no_bound_excludes_the_exact_score(board: str) -> None:
    cells = Board.parse(board).cells
    is_small = cells <= 36  # on others random games seldom last so long
    kinds = set()
    for position in islice(random_positions(board, 3, least_ply=cells - BOARDS[board]), 400):
        if not is_quiet(position):
            continue
        cheap, by_rules = cheap_bound(position), rule_bound(position)
        if min(cheap, by_rules) == UNKNOWN:
            continue
        kinds.add((position.empty.bit_count() % 2, cheap))
        assert minimax_score(position) <= min(cheap, by_rules), position
    assert kinds
    if is_small:
        assert {0, 1} == {parity for parity, bound in kinds if bound != UNKNOWN}
        assert (0, 0) in kinds


def quiet_positions(board: Board, minimax: Minimax) -> list[tuple[Position, State]]:
    """All quiet positions of a board, each once, with what minimax calls them."""
    found, layer = [], {Position.start(board).key: (Position.start(board), minimax.start())}
    while layer:
        found += [(position, state) for position, state in layer.values() if is_quiet(position)]
        after = {}
        for position, state in layer.values():
            for column in position.legal_columns:
                child = position.play(column)
                if not child.is_over:
                    after[child.key] = child, minimax.play(state, column)
        layer = after
    return found


SMALL = ["3x3x3", "4x3x3", "3x5x3", "4x4x3"]
LARGE = ["5x3x3", "6x3x3", "3x7x3", "4x5x3", "4x3", "5x3", "6x3", "4x4", "4x5"]


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_no_bound_excludes_any_score_of_a_small_board(name: str) -> None:
    board = Board.parse(name)
    minimax = Minimax(board.columns, board.rows, board.connect)
    bounded = 0
    for position, state in quiet_positions(board, minimax):
        cheap, by_rules = cheap_bound(position), rule_bound(position)
        if min(cheap, by_rules) != UNKNOWN:
            bounded += 1
            assert minimax.score(state) <= min(cheap, by_rules), position
    assert bounded


def test_nothing_is_said_where_white_still_has_a_line() -> None:
    assert cheap_bound(at("")) == UNKNOWN


def test_white_gets_nothing_above_an_even_threat_of_black() -> None:
    # Black waits for e2, so that White never gets e5 for d5-e5-f5-g5, all that Claimevens leave him. Four squares lie
    # above e2: Black's stone there is number 38 of 42 at the latest, and scores 3.
    position = at("12332112463473731642344664")
    assert cheap_bound(position) == -3
