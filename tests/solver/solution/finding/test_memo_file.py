"""What an oracle knows, kept in a file: what is read back is what was said, and a file of no use counts as none."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position
from claimeven.solver.solution.finding.memo_file import LEAST_EMPTY, count_stones, load_memo, save_memo
from claimeven.solver.solution.finding.oracle import Oracle, OracleThread

MEMORY = 1 << 22
BOARD = Board(5, 5)


def fill(oracle: Oracle) -> None:
    """Ask about random positions of the first plies and of later ones."""
    rng = random.Random(4)
    thread = OracleThread(oracle)
    for _ in range(100):
        position = Position.start(BOARD)
        while position.ply < rng.randrange(3, 9) and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if position.is_over:
            continue
        own = position.stones(position.to_move)
        for square in bits(position.occupied + BOARD.bottom & BOARD.squares):
            thread.keeps(own, position.occupied ^ own, 1 << square)


def entries(oracle: Oracle) -> set[tuple[int, int]]:
    """The positions that a memo has, by key, and what it knows of them."""
    rows = oracle.memo.reshape(-1, 2)
    return {(int(key ^ known), int(known)) for key, known in rows[np.flatnonzero(rows[:, 1])]}


def test_what_is_read_back_is_what_was_said_of_early_positions(tmp_path: Path) -> None:
    oracle, path = Oracle(BOARD, False, MEMORY), tmp_path / "x.memo"
    fill(oracle)
    save_memo(oracle, path)
    other = Oracle(BOARD, False, MEMORY)
    count = load_memo(other, path)
    kept = entries(other)
    assert count == len(kept)
    early = {
        each
        for each in entries(oracle)
        if count_stones(BOARD, np.array([each[0]], np.uint64))[0] <= BOARD.cells - LEAST_EMPTY
    }
    assert kept == early
    assert 0 < len(kept) < len(entries(oracle))
    # It lies where the kernels look for it.
    key, known = min(kept)
    place = np.flatnonzero(other.memo.reshape(-1, 2)[:, 0] == key ^ known)[0]
    assert oracle.memo.reshape(-1, 2)[place, 0] == key ^ known


@pytest.mark.parametrize("board", [Board(7, 6), Board(4, 12), Board(12, 4), Board(5, 4, 3)])
def test_stones_are_counted_by_keys(board: Board) -> None:
    rng = random.Random(2)
    position = Position.start(board)
    while not position.is_over:
        own = position.stones(position.to_move)
        key = np.array([own | position.occupied + board.bottom], np.uint64)
        assert count_stones(board, key)[0] == position.ply
        position = position.play(rng.choice(position.legal_columns))


def test_a_file_of_no_use_counts_as_none(tmp_path: Path) -> None:
    oracle, path = Oracle(BOARD, False, MEMORY), tmp_path / "x.memo"
    assert load_memo(oracle, path) == 0
    save_memo(oracle, path)  # knows nothing
    assert not path.exists()
    fill(oracle)
    save_memo(oracle, path)
    whole = path.read_bytes()
    for another in (Oracle(BOARD, True, MEMORY), Oracle(Board(5, 4), False, MEMORY)):
        assert load_memo(another, path) == 0
        assert not another.memo.any()
    rng = random.Random(3)
    for _ in range(40):
        place = rng.randrange(len(whole))
        spoiled = (
            whole[:place] if rng.random() < 0.5 else whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        )
        path.write_bytes(spoiled)
        fresh = Oracle(BOARD, False, MEMORY)
        load_memo(fresh, path)
        assert entries(fresh) <= entries(oracle)
