"""Positions for an audit, in chunks that can be made again one by one: random games of three kinds, and whole plies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from claimeven.solver.audit.kernels import play_random_games
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, join_stones, play_column, split_keys
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.verdict import Value

SHARES = {"uniform": 0.45, "cautious": 0.45, "best": 0.1}
"""The kinds of random games, and how much of a mixed audit each has; near best play is dear."""

KINDS = (*SHARES, "ply")
CHUNKS = {"uniform": 50_000, "cautious": 50_000, "best": 10_000, "ply": 5_000}
LINES = 500
"""How many games near best play go on side by side."""
LAPSE = 0.125
"""How often a player near best play takes any move."""

EMPTY_SQUARES = 20
LARGE_BOARD = 40

PATIENCE = 2_000_000
"""How many games in a row may end too soon."""

Solve = Callable[[Sequence[Position]], list[Value]]
"""The exact values of positions; needed for best play."""


class TooLateError(ValueError):
    """Hardly any game has as many stones as are asked for."""


@dataclass(frozen=True, slots=True)
class PositionSource:
    """Where the positions of a campaign come from; equal sources give equal positions.

    `first` and `last` are the plies: of random games the least and the greatest number of stones.
    """

    board: str
    kind: str
    seed: int
    first: int
    last: int

    @property
    def size(self) -> Board:
        return Board.parse(self.board)

    @property
    def chunk(self) -> int:
        """How many positions are made at once."""
        return CHUNKS[self.kind]


def default_least_stones(board: Board) -> int:
    """From how many stones on a search without the rules is a matter of milliseconds.

    >>> default_least_stones(Board()), default_least_stones(Board(6, 6)), default_least_stones(Board(4, 4))
    (26, 16, 0)
    """
    if board.cells >= LARGE_BOARD:
        return -(-board.cells * 3 // 5)
    return max(0, board.cells - EMPTY_SQUARES)


def count_positions(source: PositionSource) -> int:
    """How many positions the plies of a source have, one of each mirror pair."""
    return sum(len(keys) for ply, keys in enumerate_plies(source.size, source.last) if ply >= source.first)


def make_chunks(source: PositionSource, wanted: int, solve: Solve, done: int = 0) -> Iterator[tuple[int, Keys]]:
    """The chunks of a source with their numbers, until `wanted` positions are made; all if it is of whole plies.

    The first `done` positions are left out.
    """
    if source.kind == "ply":
        yield from _enumerate(source, done)
        return
    for number in range(done // source.chunk, -(-wanted // source.chunk)):
        first = number * source.chunk
        keys = make_chunk(source, number, min(source.chunk, wanted - first), solve)
        yield number, keys[max(done - first, 0) :]


def make_chunk(source: PositionSource, number: int, count: int, solve: Solve) -> Keys:
    """One chunk of random positions; a shorter one is the beginning of a longer one.

    Raises TooLateError if hardly any game goes on for so long.
    """
    name = f"{source.board} {source.kind} {source.seed} {source.first} {source.last} {number}"
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    if source.kind == "best":
        return _play_near_best(source, seed, count, solve)
    return _play(source.size, source.kind == "cautious", source.first, source.last, seed, count)


def _play(board: Board, cautious: bool, first: int, last: int, seed: int, count: int) -> Keys:
    whites, blacks = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    state = np.array([seed], np.uint64)
    made = play_random_games(board_geometry(board), cautious, first, last, PATIENCE, state, whites, blacks)
    if made < count:
        raise TooLateError(f"{PATIENCE:,} games in a row on {board} were over before {first} stones; ask for fewer")
    return join_stones(board, whites, blacks)


def _play_near_best(source: PositionSource, seed: int, count: int, solve: Solve) -> Keys:
    """All positions of games that begin cautiously and are continued by moves that keep the value, but for lapses."""
    board = source.size
    chance = np.random.default_rng(seed)
    made: list[Keys] = []
    number = 0
    while number < count:
        start = int(chance.integers(0, 1 << 63))
        lines = _play(board, True, source.first, min(source.first + 1, source.last), start, LINES)
        while len(lines) and number < count:
            made.append(lines)
            number += len(lines)
            lines = _continue(board, lines, chance, solve)
            lines = lines[split_keys(board, lines).plies <= source.last]
    return np.concatenate(made)[:count]


def _continue(board: Board, keys: Keys, chance: np.random.Generator, solve: Solve) -> Keys:
    """The positions after a move each, where the game goes on."""
    stones = split_keys(board, keys)
    sign = np.where(stones.plies % 2 == 0, 1, -1)
    gains = np.full((board.columns, len(keys)), -2)
    after = np.zeros((board.columns, len(keys)), np.uint64)
    for column in range(board.columns):
        move = play_column(board, stones, column)
        ends = move.legal & (move.wins | (stones.plies == board.cells - 1))
        goes_on = move.legal & ~ends
        gains[column, ends] = move.wins[ends]
        positions = [Position.from_key(board, int(key)) for key in move.keys[goes_on]]
        gains[column, goes_on] = sign[goes_on] * np.array([value.rank for value in solve(positions)], np.int64)
        after[column, goes_on] = move.keys[goes_on]
    lapses = chance.random(len(keys)) < LAPSE
    candidates = (gains > -2) & (lapses | (gains == gains.max(axis=0)))
    # The greatest of random numbers is a choice among the candidates, each as likely.
    chosen = np.where(candidates, chance.random(candidates.shape), -1.0).argmax(axis=0)
    reached = after[chosen, np.arange(len(keys))]
    unfinished: Keys = reached[reached != 0]
    return unfinished


def _enumerate(source: PositionSource, done: int) -> Iterator[tuple[int, Keys]]:
    number = first = 0
    for ply, keys in enumerate_plies(source.size, source.last):
        if ply < source.first:
            continue
        for begin in range(0, len(keys), source.chunk):
            chunk = keys[begin : begin + source.chunk]
            if first + len(chunk) > done:
                yield number, chunk[max(done - first, 0) :]
            number += 1
            first += len(chunk)
