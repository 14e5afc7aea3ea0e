"""All positions of a ply: as many as published."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies, enumerate_ply, successors
from claimeven.solver.position import Position
from claimeven.solver.positions import (
    as_keys,
    count_images,
)
from tests.positions import at

ROOT = Path(__file__).parents[2]

UNFINISHED = [1, 4, 25, 121, 568, 2144, 8231, 27109, 91295]
ALL_IMAGES = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]  # OEIS A212693


def test_unfinished_positions_by_ply() -> None:
    assert [len(keys) for _, keys in enumerate_plies(Board(7, 6), 8)] == UNFINISHED


def test_all_positions_by_ply() -> None:
    board = Board(7, 6)
    assert [count_images(board, keys) for _, keys in enumerate_plies(board, 9, finished=True)] == ALL_IMAGES


@pytest.mark.parametrize(("text", "total"), [("4x4", 161_029), ("5x4", 3_945_711), ("4x5", 1_706_255)])
def test_all_positions_of_small_boards(text: str, total: int) -> None:
    board = Board.parse(text)
    assert sum(count_images(board, keys) for _, keys in enumerate_plies(board, board.cells, finished=True)) == total


@pytest.mark.slow
@pytest.mark.parametrize(("text", "total"), [("4x6", 15_835_683), ("5x5", 69_763_700)])
def test_all_positions_of_larger_boards(text: str, total: int) -> None:
    board = Board.parse(text)
    assert sum(count_images(board, keys) for _, keys in enumerate_plies(board, board.cells, finished=True)) == total


@pytest.mark.slow
def test_ply_12() -> None:
    assert sum(len(keys) for keys in enumerate_ply(Board(7, 6), 12)) == 5_832_236


@pytest.mark.parametrize("text", ["3x3x3", "2x4x3", "4x2x3", "1x5x3"])
def test_every_ply_is_what_playing_every_move_gives(text: str) -> None:
    board = Board.parse(text)
    layer = {Position.start(board)}
    for ply, keys in enumerate_plies(board, board.cells, finished=True):
        assert keys.tolist() == sorted({position.canonical_key for position in layer})
        unfinished = {position for position in layer if not position.is_over}
        chunks = list(enumerate_ply(board, ply, chunk=7))
        assert all(len(chunk) <= 7 for chunk in chunks)
        streamed = [key for chunk in chunks for key in chunk.tolist()]
        assert streamed == sorted({position.canonical_key for position in unfinished})
        layer = {position.play(column) for position in unfinished for column in position.legal_columns}
    assert not layer


def test_a_ply_that_no_game_reaches_is_empty() -> None:
    assert list(enumerate_ply(Board(3, 3, 3), 10)) == []
    assert [ply for ply, _ in enumerate_plies(Board(1, 3, 3), 10)] == [0, 1, 2]
    assert [ply for ply, _ in enumerate_plies(Board(1, 3, 3), 10, finished=True)] == [0, 1, 2, 3]


def test_successors_of_a_set() -> None:
    given_ = [at("4455"), at("12121"), at("121212"), at("1212121")]  # the last one is over, in the others a win is next
    expected = {
        child.canonical_key
        for position in given_
        for column in position.legal_columns
        if not (child := position.play(column)).is_over
    }
    finished = {
        child.canonical_key
        for position in given_
        for column in position.legal_columns
        if (child := position.play(column)).is_over
    }
    keys = as_keys([position.key for position in given_])
    assert finished
    assert successors(Board(7, 6), keys).tolist() == sorted(expected)
    assert successors(Board(7, 6), keys, finished=True).tolist() == sorted(expected | finished)


def test_importing_it_compiles_nothing() -> None:
    probe = "import sys, claimeven.solver.enumeration; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], cwd=ROOT, check=False).returncode == 0
