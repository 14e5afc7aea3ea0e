"""New suites: random positions, scored by exact search and sorted by how early they are and how far the end is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from claimeven.reports.bench.suites import SuitePosition
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.score import last_stone
from claimeven.solver.search.searcher import Searcher

BATCH = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of suite: how many stones are played, and how many plies best play then takes to the end."""

    name: str
    stones: range
    distance: range

    def holds(self, entry: SuitePosition) -> bool:
        return entry.position.ply in self.stones and plies_to_end(entry.position, entry.score) in self.distance


KINDS = (
    Kind("begin-easy", range(8, 15), range(1, 15)),
    Kind("begin-medium", range(8, 15), range(15, 29)),
    Kind("begin-hard", range(8, 15), range(29, 43)),
    Kind("middle-easy", range(15, 29), range(1, 15)),
    Kind("middle-medium", range(15, 29), range(15, 29)),
    Kind("end-easy", range(29, 42), range(1, 15)),
)


def make_suites(kinds: Sequence[Kind], size: int, seed: int, searcher: Searcher) -> Iterator[tuple[str, SuitePosition]]:
    """Positions with the names of their suites, `size` for each, all different and none a mirror image of another.

    The same seed gives the same suites. The searcher must be for 7x6.
    """
    for stones in dict.fromkeys(kind.stones for kind in kinds):
        chance = random.Random(f"{stones} {seed}")
        seen: set[int] = set()
        missing = {kind: size for kind in kinds if kind.stones == stones}
        while missing:
            games = list(islice(_random_games(chance, stones, seen), min(BATCH, 4 * max(missing.values()))))
            scores = searcher.scores([position for _, position in games])
            for (moves, position), score in zip(games, scores, strict=True):
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


def _random_games(chance: random.Random, stones: range, seen: set[int]) -> Iterator[tuple[str, Position]]:
    """Unfinished games of uniformly random moves, each position once."""
    while True:
        moves, position = "", Position.start(Board())
        for _ in range(chance.choice(stones)):
            column = chance.choice(position.legal_columns)
            moves, position = moves + str(column + 1), position.play(column)
            if position.is_over:
                break
        if not position.is_over and position.canonical_key not in seen:
            seen.add(position.canonical_key)
            yield moves, position
