"""Small boards that are solved to the last ply without any search, and what is needed to check the result."""

from __future__ import annotations

from functools import cache

from claimeven.db.retrograde import RetrogradeCounts, tighten_parents
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position

SMALL = Board(4, 3, 3)


def solve_board(store: Store, board: Board) -> dict[int, RetrogradeCounts]:
    """Write every position of a board into a store, from the last ply to the first."""
    layers = dict(enumerate_plies(board, board.cells))
    counts = {ply: tighten_parents(store, board, [layers[ply]]) for ply in sorted(layers, reverse=True)}
    return {ply: counts[ply] for ply in sorted(counts)}


@cache
def score(position: Position) -> int:
    """The score of a position by the plainest search there is."""
    if position.winner is not None:
        return -((position.board.cells + 2 - position.ply) // 2)
    if position.is_over:
        return 0
    return max(-score(position.play(column)) for column in position.legal_columns)


def all_positions(board: Board) -> list[Position]:
    """All unfinished positions of a board, one of each mirror pair."""
    return [Position.from_key(board, int(key)) for _, keys in enumerate_plies(board, board.cells) for key in keys]
