"""All positions of a ply, one per mirror pair, in chunks that fit into the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, are_over, as_keys, canonical_keys, play_column, sort_keys, split_keys

CHUNK = 1 << 15
"""Positions worked on at once: their temporary arrays stay in the cache."""


def successors(board: Board, keys: Keys, *, finished: bool = False) -> Keys:
    """The positions after every legal move in any of the given ones, canonical, sorted, each of them once.

    Finished positions have no successors; finished successors are left out unless asked for.

    >>> len(successors(Board(7, 6), as_keys([Position.start().key])))
    4
    """
    unfinished, over = _expand(board, keys)
    return sort_keys(np.concatenate([unfinished, over])) if finished else unfinished


def enumerate_plies(board: Board, last_ply: int, *, finished: bool = False) -> Iterator[tuple[int, Keys]]:
    """Every ply from 0 to `last_ply` with all its positions: canonical keys, sorted, one per mirror pair.

    Finished positions are left out unless asked for. Ends early after the last ply that has positions.

    >>> [len(keys) for _, keys in enumerate_plies(Board(7, 6), 4)]
    [1, 4, 25, 121, 568]
    """
    unfinished, over = as_keys([Position.start(board).key]), as_keys([])
    for ply in range(min(last_ply, board.cells) + 1):
        keys = sort_keys(np.concatenate([unfinished, over])) if finished else unfinished
        if not len(keys):
            return
        yield ply, keys
        if ply < last_ply:
            unfinished, over = _expand(board, unfinished)


def enumerate_ply(board: Board, ply: int, *, finished: bool = False, chunk: int = 1 << 16) -> Iterator[Keys]:
    """All positions of one ply, in chunks: canonical keys in ascending order, one per mirror pair.

    >>> sum(len(keys) for keys in enumerate_ply(Board(7, 6), 6))
    8231
    """
    for reached, keys in enumerate_plies(board, ply, finished=finished):
        if reached == ply:
            for start in range(0, len(keys), chunk):
                yield keys[start : start + chunk]


def _expand(board: Board, keys: Keys) -> tuple[Keys, Keys]:
    """The unfinished and the finished successors, canonical, sorted, each of them once."""
    unfinished, over = _Gathering(), _Gathering()
    for start in range(0, len(keys), CHUNK):
        part = keys[start : start + CHUNK]
        stones = split_keys(board, part[~are_over(board, part)])
        plies = stones.plies
        for column in range(board.columns):
            move = play_column(board, stones, column)
            reached = canonical_keys(board, move.keys)
            ends = move.wins | (plies == board.cells - 1)
            unfinished.add(reached[move.legal & ~ends])
            over.add(reached[move.legal & ends])
    return unfinished.keys(), over.keys()


class _Gathering:
    """Keys with repetitions in, each of them once out; no more in memory than twice the result and a little."""

    def __init__(self) -> None:
        self._sorted = as_keys([])
        self._waiting: list[Keys] = []
        self._number = 0

    def add(self, keys: Keys) -> None:
        self._waiting.append(keys)
        self._number += len(keys)
        if self._number > max(len(self._sorted), 32 * CHUNK):
            self.keys()

    def keys(self) -> Keys:
        self._sorted = sort_keys(np.concatenate([self._sorted, *self._waiting]))
        self._waiting, self._number = [], 0
        return self._sorted
