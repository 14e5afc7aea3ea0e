"""New suites: random positions, scored by exact search and sorted by how early they are and how far the end is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from claimeven.reports.bench.suites import SuitePosition
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.score import last_stone
from claimeven.solver.search.searcher import Searcher

BATCH = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of suite: how many stones are played, how many plies best play then takes to the end, on which board."""

    name: str
    stones: range
    distance: range
    board: Board = field(default_factory=Board)

    def holds(self, entry: SuitePosition) -> bool:
        return entry.position.ply in self.stones and plies_to_end(entry.position, entry.score) in self.distance


def _kinds_of(board: str, stones: range) -> Iterator[Kind]:
    cells = Board.parse(board).cells
    yield Kind(f"{board}-easy", stones, range(1, 15), Board.parse(board))
    yield Kind(f"{board}-hard", stones, range(15, cells + 1), Board.parse(board))


KINDS = (
    Kind("begin-easy", range(8, 15), range(1, 15)),
    Kind("begin-medium", range(8, 15), range(15, 29)),
    Kind("begin-hard", range(8, 15), range(29, 43)),
    Kind("middle-easy", range(15, 29), range(1, 15)),
    Kind("middle-medium", range(15, 29), range(15, 29)),
    Kind("end-easy", range(29, 42), range(1, 15)),
    Kind("every-ply", range(8, 42), range(1, 43)),
    *_kinds_of("6x6", range(8, 15)),
    *_kinds_of("6x7", range(10, 17)),
    *_kinds_of("7x7", range(16, 23)),
    *_kinds_of("8x5", range(8, 15)),
    *_kinds_of("8x7", range(24, 31)),
    *_kinds_of("9x5", range(12, 19)),
)
"""Other boards begin where most positions take less than a second."""


def make_suites(
    kinds: Sequence[Kind], size: int, seed: int, memory_bytes: int, threads: int | None
) -> Iterator[tuple[str, SuitePosition]]:
    """Positions with the names of their suites, `size` for each, all different and none a mirror image of another.

    The same seed gives the same suites.
    """
    for board in dict.fromkeys(kind.board for kind in kinds):
        searcher = Searcher(board, memory_bytes, threads)
        name = "" if board == Board() else f"{board} "
        for stones in dict.fromkeys(kind.stones for kind in kinds if kind.board == board):
            chance = random.Random(f"{name}{stones} {seed}")
            wanted = [kind for kind in kinds if kind.board == board and kind.stones == stones]
            yield from _fill(wanted, size, chance, searcher)


def _fill(
    kinds: Sequence[Kind], size: int, chance: random.Random, searcher: Searcher
) -> Iterator[tuple[str, SuitePosition]]:
    """Positions for kinds of one board and the same stones until there are enough for all of them."""
    seen: set[int] = set()
    missing = dict.fromkeys(kinds, size)
    while missing:
        games = _random_games(searcher.board, chance, kinds[0].stones, seen)
        batch = list(islice(games, min(BATCH, 4 * max(missing.values()))))
        scores = searcher.scores([position for _, position in batch])
        for (moves, position), score in zip(batch, scores, strict=True):
            assert score is not None  # there is no budget
            entry = SuitePosition(moves, position, score)
            for kind in [kind for kind in missing if kind.holds(entry)]:
                yield kind.name, entry
                missing[kind] -= 1
                if not missing[kind]:
                    del missing[kind]


def plies_to_end(position: Position, score: int) -> int:
    """How many more stones are played under best play.

    >>> plies_to_end(Position.from_moves(Board(), [3, 3, 4, 4]), 18)
    3
    """
    return last_stone(position.board.cells, position.ply, score) - position.ply


def _random_games(board: Board, chance: random.Random, stones: range, seen: set[int]) -> Iterator[tuple[str, Position]]:
    """Unfinished games of uniformly random moves, each position once."""
    while True:
        moves, position = "", Position.start(board)
        for _ in range(chance.choice(stones)):
            column = chance.choice(position.legal_columns)
            moves, position = moves + str(column + 1), position.play(column)
            if position.is_over:
                break
        if not position.is_over and position.canonical_key not in seen:
            seen.add(position.canonical_key)
            yield moves, position
