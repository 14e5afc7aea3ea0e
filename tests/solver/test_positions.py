"""Positions by the array: the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.position import has_line
from claimeven.solver.positions import (
    are_over,
    as_keys,
    canonical_keys,
    count_plies,
    join_stones,
    mirror_keys,
    play_column,
    sort_keys,
    split_keys,
    winning_squares,
)
from tests.solver.games import BOARDS, positions


@settings(max_examples=20)
@pytest.mark.parametrize("board", BOARDS, ids=str)
@given(data=st.data())
def test_an_array_says_what_positions_say(board: Board, data: st.DataObject) -> None:
    games = data.draw(st.lists(positions((board,)), min_size=1, max_size=8))
    keys = as_keys([position.key for position in games])
    stones = split_keys(board, keys)
    assert stones.white.tolist() == [position.white for position in games]
    assert stones.black.tolist() == [position.black for position in games]
    assert count_plies(board, keys).tolist() == [position.ply for position in games]
    assert join_stones(board, stones.white, stones.black).tolist() == keys.tolist()
    assert mirror_keys(board, keys).tolist() == [position.mirror().key for position in games]
    assert canonical_keys(board, keys).tolist() == [position.canonical_key for position in games]
    assert are_over(board, keys).tolist() == [position.is_over for position in games]
    assert sort_keys(keys).tolist() == sorted({position.key for position in games})


@settings(max_examples=20)
@pytest.mark.parametrize("board", BOARDS, ids=str)
@given(data=st.data())
def test_moves_of_an_array_are_moves_of_positions(board: Board, data: st.DataObject) -> None:
    games = [each for each in data.draw(st.lists(positions((board,)), max_size=8)) if not each.is_over]
    stones = split_keys(board, as_keys([position.key for position in games]))
    winning = winning_squares(board, stones.black, stones.guards & np.uint64(board.squares))
    for column in range(board.columns):
        move = play_column(board, stones, column)
        for place, position in enumerate(games):
            assert move.legal[place] == (column in position.legal_columns)
            if move.legal[place]:
                child = position.play(column)
                assert int(move.keys[place]) == child.key
                assert move.wins[place] == (child.winner is not None)
                square = position.playable & board.column_squares(column)
                assert bool(int(winning[place]) & square) == has_line(board, position.black | square)
