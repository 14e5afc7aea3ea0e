"""The runs that wrote into a store: what was asked, with which versions, and what came of it."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from sqlalchemy import Connection, insert, select, update

from claimeven.db.tables.models import RunRow


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
    return number


def finish_run(connection: Connection, number: int, counts: dict[str, Any]) -> None:
    """Note the end of a run and what it counted."""
    connection.execute(update(RunRow).where(RunRow.id == number).values(ended=_now(), counts=counts))


def select_runs(connection: Connection) -> list[RunRecord]:
    """All runs, the first one first."""
    columns = (
        RunRow.id,
        RunRow.command,
        RunRow.arguments,
        RunRow.versions,
        RunRow.started,
        RunRow.ended,
        RunRow.counts,
    )
    return [
        RunRecord(
            row.id,
            row.command,
            row.arguments,
            row.versions,
            datetime.fromisoformat(row.started),
            None if row.ended is None else datetime.fromisoformat(row.ended),
            row.counts,
        )
        for row in connection.execute(select(*columns).order_by(RunRow.id))
    ]


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
