"""Plain minimax, obviously correct: every move is tried to the end of the game and nothing is clever."""

from __future__ import annotations

from functools import cache

from solver.position import Position


@cache
def minimax_score(position: Position) -> int:
    """The score for the side to move: who wins, and with how many stones to spare."""
    if position.winner is not None:
        return -((position.board.cells + 2 - position.ply) // 2)
    if not position.empty:
        return 0
    return max(-minimax_score(position.play(column)) for column in position.legal_columns)
