"""Games of arenas, in and out of their table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select

from claimeven.db.tables.models import GameRow
from claimeven.solver.players.match import FULL, LINE


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


def select_games(connection: Connection, run: int) -> list[StoredGame]:
    """The games of a run by their numbers."""
    table = GameRow.__table__
    columns = [column for column in table.columns if column.name != "run_id"]
    statement = select(*columns).where(GameRow.run_id == run).order_by(GameRow.number)
    return [StoredGame(**row._mapping) for row in connection.execute(statement)]
