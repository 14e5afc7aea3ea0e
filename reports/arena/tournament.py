"""A round robin between players: which games are played, and playing them on several threads."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from queue import Empty, SimpleQueue

from claimeven.reports.arena.openings import Opening
from claimeven.solver.players.game import FIRST, Game
from claimeven.solver.players.match import FinishedGame, play_game
from claimeven.solver.players.player import Lookup, Player
from claimeven.solver.players.registry import Resources, make_player


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played: the numbers of the players, who starts first, and from where."""

    number: int
    first: int
    second: int
    opening: Opening


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A fixture and the game that came of it."""

    fixture: Fixture
    played: FinishedGame

    @property
    def winner(self) -> int | None:
        """The number of the player who won; None for a draw."""
        if self.played.winner is None:
            return None
        return self.fixture.first if self.played.winner == FIRST else self.fixture.second


@dataclass(frozen=True, slots=True)
class Conditions:
    """What holds for all games of an arena; `seconds` is the time for a move."""

    game: Game
    seed: int = 0
    seconds: float | None = None
    lookup: Lookup | None = None
    threads: int | None = None


def plan(players: int, games: int, openings: Sequence[Opening]) -> list[Fixture]:
    """All games: `games` of every pairing, sides changing with every game and openings with every other.

    The first games of all pairings come first, so that an arena which is stopped has games of everybody.

    >>> [(fixture.first, fixture.second, fixture.opening) for fixture in plan(2, 4, [(3,), (4,)])]
    [(0, 1, (3,)), (1, 0, (3,)), (0, 1, (4,)), (1, 0, (4,))]
    """
    fixtures: list[Fixture] = []
    for turn in range(games):
        for pair in combinations(range(players), 2):
            first, second = pair if turn % 2 == 0 else pair[::-1]
            fixtures.append(Fixture(len(fixtures) + 1, first, second, openings[turn // 2 % len(openings)]))
    return fixtures


def play_fixture(players: Sequence[str], fixture: Fixture, conditions: Conditions) -> ArenaGame:
    """Play one game between players that are made for it, each with a seed of its own."""
    first, second = (
        make_seeded(players[player], conditions, f"{fixture.number} {side}")
        for side, player in enumerate((fixture.first, fixture.second))
    )
    return ArenaGame(fixture, play_game(conditions.game, first, second, fixture.opening, conditions.seconds))


def make_seeded(text: str, conditions: Conditions, place: str) -> Player:
    """A player whose chances hang on the arena's seed and its place in the arena, and on nothing else."""
    seed = random.Random(f"{conditions.seed} {place}").getrandbits(32)
    return make_player(text, Resources(seed, conditions.lookup, conditions.threads))


def play_all(
    players: Sequence[str], fixtures: Sequence[Fixture], conditions: Conditions, jobs: int
) -> Iterator[ArenaGame]:
    """Play games, `jobs` at a time, and give each when it is over; closing this begins no further game."""
    waiting: SimpleQueue[Fixture] = SimpleQueue()
    for fixture in fixtures:
        waiting.put(fixture)
    finished: SimpleQueue[ArenaGame | Exception] = SimpleQueue()
    closing = threading.Event()

    def work() -> None:
        while not closing.is_set():
            try:
                finished.put(play_fixture(players, waiting.get_nowait(), conditions))
            except Empty:
                return
            except Exception as error:
                finished.put(error)
                return

    # Daemons, and not the caller's thread: Ctrl-C must not wait for a player that thinks.
    for place in range(min(jobs, len(fixtures))):
        threading.Thread(target=work, daemon=True, name=f"arena {place}").start()
    try:
        for _ in fixtures:
            game = finished.get()
            if isinstance(game, Exception):
                raise game
            yield game
    finally:
        closing.set()
