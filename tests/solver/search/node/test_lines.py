"""Threats and lines on bitboards against the list of groups."""

import random

import numpy as np
import pytest

from claimeven.solver.board import Board, bits
from claimeven.solver.search.node.lines import has_line, threats
from claimeven.solver.search.workspace import address_of, new_workspace

BOARDS = ["7x6", "8x7", "4x4", "1x63", "32x1", "3x20", "9x6", "6x5x3", "8x7x5", "5x4x3", "12x4x6", "2x31"]


@pytest.mark.parametrize("name", BOARDS)
def test_threats_and_lines_are_those_of_the_groups(name: str) -> None:
    board = Board.parse(name)
    workspace = new_workspace(board)
    address = np.uint64(address_of(workspace))
    generator = random.Random(name)
    for _ in range(200):
        occupied = 0
        for column in range(board.columns):
            occupied |= ((1 << generator.randint(0, board.rows)) - 1) << column * board.stride
        stones = sum(1 << square for square in bits(occupied) if generator.random() < 0.7)
        empty = board.squares & ~occupied
        expected = 0
        for group in board.groups:
            missing = group & ~stones
            if missing.bit_count() == 1 and missing & empty:
                expected |= missing
        assert int(threats(address, np.uint64(stones), np.uint64(empty))) == expected
        assert has_line(address, np.uint64(stones)) == any(group & ~stones == 0 for group in board.groups)
