"""Many positions at once: arrays of keys instead of Position objects.

An array of keys holds one `Position.key` an element, as an unsigned 64-bit number; where it says *canonical*, one
`Position.canonical_key`, which stands for the position and its mirror image. Positions of different plies may be mixed.
Everything here is numpy over whole arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.position import Position

Keys: TypeAlias = NDArray[np.uint64]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stones:
    """The stones of many positions: White's, Black's, and the guard that a key has above every column."""

    white: Keys
    black: Keys
    guards: Keys

    @property
    def occupied(self) -> Keys:
        return self.white | self.black

    @property
    def plies(self) -> NDArray[np.uint8]:
        """The number of stones of each position."""
        return np.bitwise_count(self.occupied)


@dataclass(frozen=True, slots=True)
class Move:
    """One column played in many positions; where `legal` is false the other two say nothing."""

    legal: Mask
    keys: Keys
    wins: Mask


def as_keys(numbers: Iterator[int] | list[int]) -> Keys:
    """An array of keys."""
    return np.fromiter(numbers, dtype=np.uint64)


def sort_keys(keys: Keys) -> Keys:
    """The keys in ascending order, each of them once; much faster here than `np.unique`, which hashes them first."""
    ordered = np.sort(keys)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def split_keys(board: Board, keys: Keys) -> Stones:
    """The stones that the keys stand for.

    >>> stones = split_keys(Board(7, 6), as_keys([Position.start().play(3).play(3).key]))
    >>> int(stones.white[0]) == 1 << 21, int(stones.black[0]) == 1 << 22
    (True, True)
    """
    filled = keys
    step = 1
    while step <= board.rows:
        filled = filled | (filled >> np.uint64(step)) & _lowest_rows(board, board.stride - step)
        step *= 2
    occupied = (filled >> np.uint64(1)) & _lowest_rows(board, board.rows)
    guards = filled ^ occupied
    white = keys ^ guards
    return Stones(white, occupied ^ white, guards)


def join_stones(board: Board, white: Keys, black: Keys) -> Keys:
    """The keys of positions with these stones."""
    return white | ((white | black) + board.bottom)


def count_plies(board: Board, keys: Keys) -> NDArray[np.uint8]:
    """The number of stones of each position."""
    return split_keys(board, keys).plies


def mirror_keys(board: Board, keys: Keys) -> Keys:
    """The keys of the mirror images."""
    column = (1 << board.stride) - 1
    mirrored = np.zeros_like(keys)
    for left in range(board.columns // 2):
        right = board.columns - 1 - left
        distance = (right - left) * board.stride
        mirrored |= (keys & (column << left * board.stride)) << distance
        mirrored |= (keys >> distance) & (column << left * board.stride)
    if board.columns % 2:
        mirrored |= keys & (column << board.columns // 2 * board.stride)
    return mirrored


def canonical_keys(board: Board, keys: Keys) -> Keys:
    """The keys that positions share with their mirror images."""
    return np.minimum(keys, mirror_keys(board, keys))


def keys_of(board: Board, positions: Sequence[Position]) -> Keys:
    """The canonical keys of positions of one board; faster than asking each of them for its own.

    >>> int(keys_of(Board(), [Position.start().play(6)])[0]) == Position.start().play(0).canonical_key
    True
    """
    white = as_keys([position.white for position in positions])
    black = as_keys([position.black for position in positions])
    return canonical_keys(board, join_stones(board, white, black))


def count_images(board: Board, keys: Keys) -> int:
    """How many positions an array of canonical keys stands for when both mirror images count."""
    return 2 * len(keys) - int(np.count_nonzero(keys == mirror_keys(board, keys)))


def have_line(board: Board, stones: Keys) -> Mask:
    """Which of the bitboards contain `connect` in a line."""
    found = np.zeros(len(stones), dtype=np.bool_)
    for step in (1, board.stride, board.stride + 1, board.stride - 1):
        run = stones
        for _ in range(board.connect - 1):
            run = run & (run >> np.uint64(step))
        found |= run != 0
    return found


def are_over(board: Board, keys: Keys) -> Mask:
    """Which positions are finished: a full board, or a line of the side that moved last."""
    stones = split_keys(board, keys)
    last = np.where(stones.plies % 2 == 1, stones.white, stones.black)
    full: Mask = stones.plies == board.cells
    return have_line(board, last) | full


def play_column(board: Board, stones: Stones, column: int) -> Move:
    """The side to move drops a stone into one column of every position; none of them may be finished."""
    square = stones.guards & board.column_squares(column)
    legal = square != 0
    white_moves = stones.plies % 2 == 0
    movers = np.where(white_moves, stones.white, stones.black) | square
    keys = (stones.white | stones.guards) + np.where(white_moves, square << 1, square)
    return Move(legal, keys, have_line(board, movers) & legal)


def winning_squares(board: Board, stones: Keys, playable: Keys) -> Keys:
    """The playable squares that would complete a line of these stones."""
    winning = np.zeros_like(stones)
    for column in range(board.columns):
        square = playable & np.uint64(board.column_squares(column))
        winning |= np.where(have_line(board, stones | square), square, 0)
    return winning


def _lowest_rows(board: Board, rows: int) -> np.uint64:
    """The lowest rows of all columns; `rows + 1` of them are the whole bitboard, spare bits included."""
    return np.uint64(board.bottom * ((1 << rows) - 1))
