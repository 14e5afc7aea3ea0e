"""What came of an arena that was just played, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.record import to_stored
from claimeven.reports.arena.standings import make_standings
from claimeven.reports.arena.table import describe_forfeits, format_arena
from claimeven.reports.arena.tournament import ArenaGame, Conditions


def describe_result(
    players: Sequence[str],
    conditions: Conditions,
    played: Sequence[ArenaGame],
    quality: Sequence[MoveQuality] | None,
) -> tuple[str, dict[str, Any]]:
    """The result as tables, and as data that JSON can hold; `quality` is by player, or None if none was judged."""
    standings = make_standings(players, [(game.fixture.first, game.fixture.second, game.winner) for game in played])
    games = [to_stored(players, game) for game in played]
    clock = "" if conditions.seconds is None else f", {conditions.seconds:g} s a move"
    title = f"{len(played)} games of {conditions.game}{clock}, seed {conditions.seed}"
    by_player = None if quality is None else dict(enumerate(quality))
    found = {
        "game": str(conditions.game),
        "seed": conditions.seed,
        "seconds": conditions.seconds,
        "players": list(players),
        "standings": [asdict(each) for each in standings.players],
        "is_bounded": standings.is_bounded,
        "quality": None if quality is None else [asdict(each) for each in quality],
        "games": [asdict(game) for game in games],
    }
    return format_arena(standings, by_player, [title], describe_forfeits(games)), found
