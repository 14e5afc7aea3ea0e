"""The keys of a Pons book: the stones in base three, column by column, 1 for the side to move and 2 for the other.

After the stones of each column, from the bottom, comes a 0; of the number read from the left and the one read from the
right the smaller counts, without the 0 at its end.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, Mask, are_over, canonical_keys, join_stones, mirror_keys, split_keys


def encode_keys(board: Board, keys: Keys) -> Keys:
    """The keys in base three of positions.

    >>> from claimeven.solver.position import Position
    >>> positions = [Position.from_moves(Board(7, 6), moves) for moves in ((), (0,), (6,), (3, 3, 4, 4))]
    >>> encode_keys(Board(7, 6), np.array([position.key for position in positions], dtype=np.uint64)).tolist()
    [0, 2, 2, 1260]
    """
    return np.minimum(_read_from_left(board, keys), _read_from_left(board, mirror_keys(board, keys)))


def greatest_key(board: Board, ply: int) -> int:
    """A number that no key of positions with at most `ply` stones exceeds.

    >>> greatest_key(Board(7, 6), 0)
    729
    """
    return int(3 ** (ply + board.columns - 1))


def decode_keys(board: Board, codes: Keys, depth: int) -> tuple[Keys, Mask]:
    """The canonical keys of positions from their keys in base three, and which of those are really that.

    Unfinished positions with at most `depth` stones are; keys of nothing, and of the larger mirror image, are not.
    """
    first, second = np.zeros_like(codes), np.zeros_like(codes)  # of the side to move, and of the other
    column = np.full(len(codes), board.columns - 1)
    height = np.zeros(len(codes), dtype=np.int64)
    rest = codes.copy()
    # The last digit is the top of the rightmost column; how high a column is shows when its 0 comes.
    stack = np.zeros((2, len(codes)), dtype=np.uint64)
    valid = np.ones(len(codes), dtype=np.bool_)
    three = np.uint64(3)
    for _ in range(depth + board.columns):
        rest, digit = np.divmod(rest, three)
        ends = digit == 0
        # A stone goes in at the bottom, below those that were read before it.
        stack[0] = np.where(ends, stack[0], stack[0] << np.uint64(1) | (digit == 1))
        stack[1] = np.where(ends, stack[1], stack[1] << np.uint64(1) | (digit == 2))
        height += ~ends
        valid &= height <= board.rows
        shift = (np.maximum(column, 0) * board.stride).astype(np.uint64)
        closes = ends & (column >= 0)
        first |= np.where(closes, stack[0] << shift, np.uint64(0))
        second |= np.where(closes, stack[1] << shift, np.uint64(0))
        stack[:, closes] = 0
        height[closes] = 0
        column = column - ends
        valid &= ends | (column >= 0)
        valid &= height <= board.rows
        # Shifts of what is wrong already must not overflow.
        stack[:, ~valid] = 0
    valid &= (rest == 0) & (column < 0)
    first, second = np.where(valid, first, np.uint64(0)), np.where(valid, second, np.uint64(0))
    plies = np.bitwise_count(first | second)
    white_moves = plies % 2 == 0
    white, black = np.where(white_moves, first, second), np.where(white_moves, second, first)
    surplus = np.bitwise_count(white).astype(np.int64) - np.bitwise_count(black).astype(np.int64)
    valid &= (plies <= depth) & (surplus == plies % 2)
    keys = join_stones(board, np.where(valid, white, np.uint64(0)), np.where(valid, black, np.uint64(0)))
    valid &= (encode_keys(board, keys) == codes) & ~are_over(board, keys)
    return canonical_keys(board, keys), valid


def _read_from_left(board: Board, keys: Keys) -> Keys:
    stones = split_keys(board, keys)
    white_moves = stones.plies % 2 == 0
    mover = np.where(white_moves, stones.white, stones.black)
    occupied = stones.occupied
    codes = np.zeros_like(keys)
    for column in range(board.columns):
        for row in range(board.rows):
            square = np.uint64(board.square(column, row))
            taken = (occupied >> square) & np.uint64(1)
            digit = np.uint64(2) * taken - ((mover >> square) & np.uint64(1))
            codes = np.where(taken != 0, codes * np.uint64(3) + digit, codes)
        if column < board.columns - 1:
            codes = codes * np.uint64(3)
    return codes
