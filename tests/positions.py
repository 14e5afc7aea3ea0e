"""Positions for tests: from a move string, and at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

from claimeven.solver.board import Board
from claimeven.solver.position import Position


def at(moves: str, board: str = "7x6") -> Position:
    """The position after a string of columns, counted from 1."""
    return Position.from_moves(Board.parse(board), [int(column) - 1 for column in moves])


def random_positions(board: str, count: int, seed: int, *, least_ply: int = 0) -> Iterator[Position]:
    """Unfinished positions of random games, at a random ply each."""
    chance = random.Random(f"{board} {seed}")
    empty = Position.start(Board.parse(board))
    made = 0
    while made < count:
        position = empty
        for _ in range(chance.randint(least_ply, empty.board.cells - 1)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over and position.ply >= least_ply:
            made += 1
            yield position
