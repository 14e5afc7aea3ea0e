"""The cheap bounds of the rules hold, and say what they are meant to say."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.bounds import UNKNOWN, greatest_by_claimevens, least_by_odd_threat
from claimeven.solver.search.lines import threats
from claimeven.solver.search.workspace import Words, address_of, new_workspace
from tests.positions import at, random_positions


@cache
def workspace_of(board: Board) -> Words:
    return new_workspace(board)


def white_bound(position: Position) -> int:
    """White's greatest score with White to move, his least with Black to move."""
    workspace = np.uint64(address_of(workspace_of(position.board)))
    white, black = np.uint64(position.white), np.uint64(position.black)
    holder = black if position.ply % 2 == 0 else white
    bound = greatest_by_claimevens if position.ply % 2 == 0 else least_by_odd_threat
    found = threats(workspace, holder, np.uint64(position.empty))
    return int(bound(workspace, white, black, np.uint64(position.playable), found))


def is_quiet(position: Position) -> bool:
    """Whether nobody wins with the next stone, as the bounds demand."""
    workspace, empty = np.uint64(address_of(workspace_of(position.board))), np.uint64(position.empty)
    return not any(
        int(threats(workspace, np.uint64(stones), empty)) & position.playable
        for stones in (position.white, position.black)
    )


@pytest.mark.parametrize("board", ["5x4", "6x4", "4x6", "5x6", "6x6"])
def test_no_bound_excludes_the_exact_score(board: str) -> None:
    cells = Board.parse(board).cells
    kinds = set()
    for position in random_positions(board, 800, seed=3, least_ply=cells - 12):
        if not is_quiet(position):
            continue
        bound = white_bound(position)
        if abs(bound) == UNKNOWN:
            continue
        kinds.add((position.ply % 2, bound))
        score = minimax_score(position)
        assert score <= bound if position.ply % 2 == 0 else -score >= bound, position
    assert {0, 1} == {parity for parity, _ in kinds}
    assert {0, -1, -2} <= {bound for parity, bound in kinds if parity == 0}


def test_nothing_is_said_where_white_still_has_a_line() -> None:
    assert white_bound(at("")) == UNKNOWN


def test_white_gets_nothing_above_an_even_threat_of_black() -> None:
    # Black waits for e2, so that White never gets e5 for d5-e5-f5-g5, all that Claimevens leave him. Four squares lie
    # above e2: Black's stone there is number 38 of 42 at the latest, and scores 3.
    position = at("12332112463473731642344664")
    assert white_bound(position) == -3
