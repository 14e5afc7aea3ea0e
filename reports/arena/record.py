"""Arenas in a store: games as rows, and what was judged with the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import datetime
from typing import Any

from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.db.tables.games import StoredGame
from claimeven.db.tables.rows import refuse_row
from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.standings import Result, Standings, make_standings
from claimeven.reports.arena.tournament import ArenaGame, Conditions
from claimeven.solver.players.game_text import format_moves

COMMAND = "arena"


@dataclass(frozen=True, slots=True)
class ArenaRecord:
    """A stored arena; `quality` is None where no moves were judged, and by the number of the player otherwise."""

    run: int
    started: datetime
    game: str
    players: tuple[str, ...]
    seconds: float | None
    seed: int
    standings: Standings
    games: tuple[StoredGame, ...]
    quality: Mapping[int, MoveQuality] | None


class ArenaWriter:
    """Writes the games of one arena into a store as they come."""

    def __init__(self, store: Store, players: Sequence[str], conditions: Conditions, arguments: dict[str, Any]) -> None:
        self._store = store
        self._players = players
        self.run = store.start_run(
            COMMAND,
            {
                **arguments,
                "players": list(players),
                "game": str(conditions.game),
                "seed": conditions.seed,
                "seconds": conditions.seconds,
            },
        )

    def write(self, game: ArenaGame) -> None:
        """Keep a game that is over."""
        self._store.write_games(self.run, [to_stored(self._players, game)])

    def finish(self, games: int, quality: Sequence[MoveQuality] | None) -> None:
        """Note that the arena is over, and how good the moves were if they were judged."""
        counts: dict[str, Any] = {"games": games}
        if quality is not None:
            counts["quality"] = [asdict(each) for each in quality]
        self._store.finish_run(self.run, counts)


def to_stored(players: Sequence[str], game: ArenaGame) -> StoredGame:
    """A game as it is stored and shown."""
    played = game.played
    return StoredGame(
        number=game.fixture.number,
        first=players[game.fixture.first],
        second=players[game.fixture.second],
        game=str(played.game),
        opening=format_moves(played.game, played.opening),
        moves=format_moves(played.game, played.moves),
        winner=played.winner,
        ending=played.ending,
        details={
            "seconds": [round(cost.seconds, 4) for cost in played.costs],
            "work": [cost.work for cost in played.costs],
        },
    )


def read_arenas(store: Store) -> list[ArenaRecord]:
    """All arenas of a store that have games, the latest first; raises RowError for one that cannot be."""
    records = []
    for run in store.runs():
        games = store.read_games(run.number) if run.command == COMMAND else []
        if not games:
            continue
        players: tuple[str, ...] = tuple(run.arguments["players"])
        quality = (run.counts or {}).get("quality")
        records.append(
            ArenaRecord(
                run.number,
                run.started,
                run.arguments["game"],
                players,
                run.arguments["seconds"],
                run.arguments["seed"],
                make_standings(players, [_result(run.number, players, game) for game in games]),
                tuple(games),
                None if quality is None else _qualities(run.number, len(players), quality),
            )
        )
    return records[::-1]


def _result(run: int, players: Sequence[str], game: StoredGame) -> Result:
    if game.first not in players or game.second not in players:
        refuse_row(layout.GAME_TABLE, f"{run}, number {game.number}", "nobody of that name took part")
    first, second = players.index(game.first), players.index(game.second)
    return first, second, None if game.winner is None else (first, second)[game.winner - 1]


def _qualities(run: int, players: int, fields: Any) -> dict[int, MoveQuality]:
    try:
        found = {number: MoveQuality(**each) for number, each in enumerate(fields)}
    except TypeError:
        found = {}
    if len(found) != players or not all(isinstance(n, int) and n >= 0 for q in found.values() for n in astuple(q)):
        refuse_row(layout.RUN_TABLE, f"number {run}", "what it says of the moves cannot be")
    return found
