"""Games of arenas, in and out of their table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select

from claimeven.db.tables.layout import GAME_TABLE
from claimeven.db.tables.ledger import Sum, note
from claimeven.db.tables.models import GameRow
from claimeven.db.tables.rows import check_fields, check_number, check_text, refuse_row
from claimeven.db.tables.seal import digest_of_text
from claimeven.solver.players.match import FULL, LINE

_COLUMNS = tuple(GameRow.__table__.columns)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of an arena, all of it as text: `opening` is part of `moves`.

    `winner` is 1 for the one who began, 2 for the other, None for a draw; `details` are what the moves cost.
    """

    number: int
    first: str
    second: str
    game: str
    opening: str
    moves: str
    winner: int | None
    ending: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def is_forfeit(self) -> bool:
        """Whether it was lost by a crash, an illegal move or the clock, which `ending` then names."""
        return self.ending not in (LINE, FULL)


def insert_games(connection: Connection, run: int, games: Iterable[StoredGame]) -> None:
    """Store games of a run, in which no two have the same number."""
    rows = [{"run_id": run, **asdict(game)} for game in games]
    if rows:
        connection.execute(insert(GameRow), rows)
        note(connection, GAME_TABLE, 0, 0, sum_games(tuple(row.values()) for row in rows))


def select_games(connection: Connection, run: int) -> list[StoredGame]:
    """The games of a run by their numbers."""
    statement = select(*_COLUMNS).where(GameRow.run_id == run).order_by(GameRow.number)
    return [_game_of(*row) for row in connection.execute(statement)]


def sum_all_games(connection: Connection) -> Sum:
    """What the ledger should say of all games."""
    return sum_games(tuple(row) for row in connection.execute(select(*_COLUMNS)))


def sum_games(rows: Iterable[tuple[Any, ...]]) -> Sum:
    """What the ledger should say of rows, all columns of which are given in their order."""
    total = Sum()
    for row in rows:
        total += Sum(1, digest_of_text(*(json.dumps(value, sort_keys=True) for value in row)))
    return total


def _game_of(run: Any, number: Any, *others: Any) -> StoredGame:
    place = f"run {run}, game {number}"
    first, second, game, opening, moves, winner, ending, details = others
    texts = {"first": first, "second": second, "game": game, "opening": opening, "moves": moves, "ending": ending}
    if winner not in (None, 1, 2):
        refuse_row(GAME_TABLE, place, f"nobody is player {winner!r}")
    return StoredGame(
        number=int(check_number(GAME_TABLE, place, number)),
        winner=winner,
        details=check_fields(GAME_TABLE, place, details),
        **{name: check_text(GAME_TABLE, place, text) for name, text in texts.items()},
    )
