"""Arenas for tests: played by scripted players and kept in a store."""

from __future__ import annotations

from claimeven.db.store import Store
from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.record import ArenaWriter
from claimeven.reports.arena.tournament import ArenaGame, Conditions, Fixture
from claimeven.solver.players.game import Game
from claimeven.solver.players.match import play_game
from tests.solver.players.scripted import crashes, plays_at_random, plays_leftmost

NAMES = ("left", "chance <&>", "crash")
QUALITY = [MoveQuality(10, 8, 7, 6, 5), MoveQuality(3, 2, 1, 1, 0), MoveQuality()]
"""How good the moves of these players are said to be."""


def store_arena(
    store: Store, quality: list[MoveQuality] | None, conditions: Conditions | None = None
) -> list[ArenaGame]:
    """Play and store two games a pairing, in all of which the last player crashes."""
    conditions = conditions or Conditions(Game(5, 4), seed=7, seconds=2.5)
    writer = ArenaWriter(store, NAMES, conditions, {"games": 2})
    makers = (plays_leftmost, lambda: plays_at_random(3), crashes)
    games = []
    for number, (first, second) in enumerate(((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)), start=1):
        played = play_game(conditions.game, makers[first](), makers[second](), (2,), conditions.seconds)
        games.append(ArenaGame(Fixture(number, first, second, (2,)), played))
        writer.write(games[-1])
    writer.finish(len(games), quality)
    return games
