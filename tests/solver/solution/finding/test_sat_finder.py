"""Diagrams by SAT: what is found is valid, and what is said to have none has none."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.diagram import squares_that_complete
from claimeven.solver.solution.finding.finder import FinderThread, Levels
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.finding.sat_finder import NoDiagramError, SatFinder

pytest.importorskip("pysat")
MEMORY = 1 << 22


def random_positions(board: Board, empty: int, number: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < number:
        position = Position.start(board)
        while board.cells - position.ply > empty and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if not position.is_over:
            found.append(position)
    return found


def has_diagram(thread: FinderThread, position: Position) -> bool:
    """Whether any diagram is valid, by trying them all: as many levels as empty squares tell all of them apart."""
    own = position.stones(position.to_move)
    squares = list(bits(position.empty))
    for digits in product(range(len(squares)), repeat=len(squares)):
        levels: Levels = np.zeros(LEVELS, np.uint64)
        for square, digit in zip(squares, digits, strict=True):
            levels[digit] |= np.uint64(1 << square)
        if thread.is_valid(levels, own, position.occupied ^ own):
            return True
    return False


@pytest.mark.parametrize("is_win", [True, False])
def test_it_finds_one_if_and_only_if_there_is_one(is_win: bool) -> None:
    board = Board(4, 4, 3) if is_win else Board(4, 4)
    thread = FinderThread(Oracle(board, is_win, MEMORY))
    seen = set()
    for position in random_positions(board, 5, 120, 1):
        own = position.stones(position.to_move)
        other = position.occupied ^ own
        if squares_that_complete(position, position.to_move.opponent):
            continue  # the claim may be lost by force, and where it is SAT is not asked
        try:
            levels = SatFinder(thread.oracle, own, other).find()
        except NoDiagramError:
            assert not has_diagram(thread, position)
            seen.add(False)
            continue
        assert levels is not None
        assert thread.is_valid(levels, own, other)
        seen.add(True)
    assert seen == {True, False}


def test_it_gives_up_in_time() -> None:
    board = Board()
    thread = FinderThread(Oracle(board, True, MEMORY))
    position = Position("4444443")
    position = position.play(position.legal_columns[0])
    own = position.stones(position.to_move)
    assert SatFinder(thread.oracle, own, position.occupied ^ own).find(most_positions=0) is None
