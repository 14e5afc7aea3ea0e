"""What the search asks the rules: with fewer solutions, never more than the rules say, and hardly ever less."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.position import Position
from claimeven.solver.proof.chosen_set import OUT_OF_BUDGET
from claimeven.solver.proof.evaluation import (
    BLACK,
    IS_LEAN,
    NOT_WHITE,
    PROBLEMS,
    UNKNOWN,
    Scratch,
    evaluate,
    make_scratch,
)
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.rules.solution_table import CLAIMEVENS, RULE, SOLVES, SQUARES
from claimeven.solver.word import WORD
from tests.positions import random_positions

BOARDS = {"7x6": 1500, "6x6": 1000, "8x4": 1000, "4x6": 500, "9x4": 600, "6x6x5": 300}
BUDGET = 100_000


def scratches(position: Position) -> list[Scratch]:
    """What an evaluation with all solutions writes to, and one without those that are hardly ever needed."""
    full, lean = (make_scratch(board_geometry(position.board), 8192) for _ in range(2))
    lean.counters[IS_LEAN] = 1
    return [full, lean]


def solutions(work: Scratch) -> set[tuple[int, ...]]:
    words = -(-int(work.counters[PROBLEMS]) // WORD)
    rows = [RULE, SQUARES, CLAIMEVENS, *range(SOLVES, SOLVES + words)]
    return {tuple(column) for column in work.table[rows, : work.starts[-1]].T.tolist()}


@pytest.mark.parametrize("board", BOARDS)
def test_it_proves_the_same_with_some_of_the_solutions(board: str) -> None:
    positions = list(random_positions(board, BOARDS[board], seed=3, least_ply=6))
    works = scratches(positions[0])
    geometry = board_geometry(positions[0].board)
    proofs = lost = kept = listed = 0
    for position in positions:
        white, black = np.uint64(position.white), np.uint64(position.black)
        full, lean = (evaluate(geometry, work, white, black, BUDGET) for work in works)
        assert OUT_OF_BUDGET not in (full, lean)
        assert lean in (full, UNKNOWN) or (full, lean) == (BLACK, NOT_WHITE), str(position)
        proofs += full != UNKNOWN
        lost += full != lean
        if position.ply % 2 == 0:
            some, every = (solutions(work) for work in reversed(works))
            assert some <= every
            kept, listed = kept + len(some), listed + len(every)
    assert kept < listed
    assert lost * 100 <= proofs > 10
