"""Scores: how soon a game is won, as one number for the side to move.

A draw scores 0. A win with stone number e of the game, on a board of C cells, scores (C + 2 - e) // 2 for the winner:
one more than the stones that he has left, so that a quicker win scores more. The loser's score is the negative. A score
is worth as much whether White or Black has it, which is why it leaves the last stone's number open by one; whose stone
it is decides that.

All functions take numbers or arrays of them. The kernels of the search have the same arithmetic inline, as functions of
words; tests hold them against plain minimax, which counts stones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from claimeven.solver.board import Board

    Number = TypeVar("Number", int, NDArray[np.int64])


def winner_score(cells: int, stone: Number) -> Number:
    """The winner's score if this stone of the game, counted from 1, completes a line.

    >>> winner_score(42, 7), winner_score(42, 41), winner_score(42, 42)
    (18, 1, 1)
    """
    return (cells + 2 - stone) // 2


def greatest_score(cells: int, ply: Number) -> Number:
    """The greatest score after so many stones: the side to move wins with the next one."""
    return winner_score(cells, ply + 1)


def least_score(cells: int, ply: Number) -> Number:
    """The least score after so many stones, of a game that goes on: the other side wins with its next stone.

    >>> least_score(42, 0), greatest_score(42, 0)
    (-21, 21)
    """
    return -winner_score(cells, ply + 2)


def least_score_of_board(board: Board) -> int:
    """The least score that any game on a board can have: Black wins with as many stones as make a line.

    >>> from claimeven.solver.board import Board
    >>> least_score_of_board(Board(7, 6))
    -18
    """
    return -winner_score(board.cells, 2 * board.connect)


def last_stone(cells: int, ply: Number, score: Number) -> Number:
    """The number of the stone that ends a game with this score after so many stones; a draw ends with the last cell.

    >>> last_stone(42, 4, 18), last_stone(42, 11, -15), last_stone(42, 0, 1), last_stone(42, 8, 0)
    (7, 13, 41, 42)
    """
    last = cells + 2 - 2 * abs(score)
    white_wins = (score > 0) == (ply % 2 == 0)
    # White's stones are the odd ones, and the score rounds.
    last = last - (last % 2 != white_wins)
    ended: Number = last + (score == 0) * (cells - last)
    return ended


def moves_to_end(cells: int, ply: int, score: int) -> int:
    """How many stones the winner still plays, the last one included, in a game with this score after so many stones.

    >>> moves_to_end(42, 4, 18), moves_to_end(42, 11, -15), moves_to_end(42, 6, 18)
    (2, 1, 1)
    """
    left = last_stone(cells, ply, score) - ply
    return (left + 1) // 2 if score > 0 else left // 2


def describe_score(cells: int, ply: int, score: int) -> str:
    """What a score means to the side to move after so many stones; its own next move counts as the first.

    >>> describe_score(42, 4, 18), describe_score(42, 0, 0), describe_score(42, 11, -15)
    ('wins in 2', 'draw', 'loses in 1')
    """
    if score == 0:
        return "draw"
    return f"{'wins' if score > 0 else 'loses'} in {moves_to_end(cells, ply, score)}"
