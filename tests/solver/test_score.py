"""Scores and stones: one tells the other, as numbers and as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.score import greatest_score, last_stone, least_score, least_score_of_board, winner_score
from tests.positions import at, random_positions


@pytest.mark.parametrize(("moves", "score", "stone"), [("4455", 18, 7), ("44455554221", -15, 13), ("", 1, 41)])
def test_published_scores(moves: str, score: int, stone: int) -> None:
    position = at(moves)
    assert last_stone(42, position.ply, score) == stone
    assert winner_score(42, stone) == abs(score)


def test_the_score_is_one_more_than_the_stones_that_the_winner_has_left() -> None:
    for stone in range(1, 43):
        left = sum(1 for later in range(stone + 1, 43) if later % 2 == stone % 2)
        assert winner_score(42, stone) == left + 1


@pytest.mark.parametrize("board", ["4x4", "5x3x3"])
def test_minimax_stays_within_the_least_and_the_greatest(board: str) -> None:
    reached = set()
    for position in random_positions(board, 80, seed=51, least_ply=6):
        cells, score = position.board.cells, minimax_score(position)
        assert least_score(cells, position.ply) <= score <= greatest_score(cells, position.ply)
        reached |= {score == least_score(cells, position.ply), 2 * (score == greatest_score(cells, position.ply))}
    assert reached == {0, 1, 2}


def test_the_least_score_of_a_board() -> None:
    assert [least_score_of_board(board) for board in (Board(), Board(6, 6), Board(5, 3, 3))] == [-18, -15, -5]


@given(st.integers(1, 64), st.data())
def test_a_score_and_its_last_stone(cells: int, data: st.DataObject) -> None:
    ply = data.draw(st.integers(0, cells - 1))
    greatest = greatest_score(cells, ply)
    score = data.draw(st.integers(least_score(cells, ply), greatest))
    last = last_stone(cells, ply, score)
    if score == 0:
        assert last == cells
    else:
        assert (last % 2 == 1) == ((score > 0) == (ply % 2 == 0))
        assert winner_score(cells, last) == abs(score)
    assert last_stone(cells, np.array([ply]), np.array([score])).tolist() == [last]
    assert winner_score(cells, np.array([last])).tolist() == [winner_score(cells, last)]
