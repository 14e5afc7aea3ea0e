"""Boards of many shapes and random games on them, for tests that hold for every game."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.position import Position

Game: TypeAlias = tuple[Board, tuple[int, ...]]

BOARDS = tuple(
    Board.parse(text) for text in ("7x6", "4x4", "8x7", "6x8", "10x5", "12x4", "30x1", "1x6", "5x4x3", "7x7x5")
)


@st.composite
def games(draw: st.DrawFn, boards: tuple[Board, ...] = BOARDS) -> Game:
    """A board and the columns of a legal game on it, finished or not."""
    board = draw(st.sampled_from(boards))
    length = draw(st.integers(0, board.cells))
    position = Position.start(board)
    columns: list[int] = []
    while len(columns) < length and position.legal_columns:
        columns.append(draw(st.sampled_from(position.legal_columns)))
        position = position.play(columns[-1])
    return board, tuple(columns)


@st.composite
def positions(draw: st.DrawFn, boards: tuple[Board, ...] = BOARDS) -> Position:
    """A position that a legal game leads to."""
    return Position.from_moves(*draw(games(boards)))
