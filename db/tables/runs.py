"""The runs that wrote into a store: what was asked, with which versions, and what came of it."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from claimeven.db.tables.layout import RUN_TABLE
from claimeven.db.tables.ledger import Sum, note
from claimeven.db.tables.models import RunRow
from claimeven.db.tables.rows import check_date, check_fields, check_text, refuse_row
from claimeven.db.tables.seal import digest_of_text
from claimeven.solver.board import Board, BoardError

_COLUMNS = (
    RunRow.id,
    RunRow.command,
    RunRow.arguments,
    RunRow.versions,
    RunRow.started,
    RunRow.ended,
    RunRow.counts,
)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run; `ended` and `counts` are None if it did not come to its end."""

    number: int
    command: str
    arguments: dict[str, Any]
    versions: dict[str, str]
    started: datetime
    ended: datetime | None
    counts: dict[str, Any] | None


def insert_run(connection: Connection, command: str, arguments: dict[str, Any]) -> int:
    """Note the beginning of a run; gives its number."""
    result = connection.execute(
        insert(RunRow).values(command=command, arguments=arguments, versions=_versions(), started=_now())
    )
    assert result.inserted_primary_key is not None
    number: int = result.inserted_primary_key[0]
    note(connection, RUN_TABLE, 0, 0, _sum_of(connection, number))
    return number


def finish_run(connection: Connection, number: int, counts: dict[str, Any]) -> None:
    """Note the end of a run and what it counted."""
    before = _sum_of(connection, number)
    connection.execute(update(RunRow).where(RunRow.id == number).values(ended=_now(), counts=counts))
    note(connection, RUN_TABLE, 0, 0, _sum_of(connection, number) - before)


def select_runs(connection: Connection) -> list[RunRecord]:
    """All runs, the first one first."""
    return [_record_of(row) for row in connection.execute(select(*_COLUMNS).order_by(RunRow.id))]


def sum_runs(connection: Connection) -> Sum:
    """What the ledger should say of all runs."""
    total = Sum()
    for row in connection.execute(select(*_COLUMNS)):
        total += Sum(1, _digest(row))
    return total


def _is_board(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(Board.parse(value)) == value
    except BoardError:
        return False


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


_ASKED: dict[str, dict[str, Callable[[Any], bool]]] = {
    "book build": {"board": _is_board, "ply": _is_count},
    "arena": {
        "players": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
        "game": lambda value: isinstance(value, str),
        "seed": lambda value: isinstance(value, int),
        "seconds": lambda value: value is None or isinstance(value, int | float),
    },
}
"""Of the runs that others go by: what their arguments must hold, and what can be it."""


def _record_of(row: Row[Any]) -> RunRecord:
    place = f"number {row.id}"
    command = check_text(RUN_TABLE, place, row.command)
    arguments = check_fields(RUN_TABLE, place, row.arguments)
    for name, may_be in _ASKED.get(command, {}).items():
        if name not in arguments or not may_be(arguments[name]):
            refuse_row(RUN_TABLE, place, f"its {name} is none")
    return RunRecord(
        row.id,
        command,
        arguments,
        check_fields(RUN_TABLE, place, row.versions),
        check_date(RUN_TABLE, place, row.started),
        None if row.ended is None else check_date(RUN_TABLE, place, row.ended),
        None if row.counts is None else check_fields(RUN_TABLE, place, row.counts),
    )


def _sum_of(connection: Connection, number: int) -> Sum:
    row = connection.execute(select(*_COLUMNS).where(RunRow.id == number)).one()
    return Sum(1, _digest(row))


def _digest(row: Row[Any]) -> int:
    return digest_of_text(*(json.dumps(value, sort_keys=True) for value in row))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in ("claimeven", "numba", "numpy", "sqlalchemy"):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions
