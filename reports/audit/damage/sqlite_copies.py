"""Copies of a store that is a SQLite file, damaged as bad disks and people do it: bits, pages, rows, proofs, schema."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event

from claimeven.db.tables.shape import SHAPE
from claimeven.reports.audit.damage.rows import spoil_certificate, spoil_row

PAGE = 4096

SCHEMES = (
    ("CREATE TRIGGER t AFTER INSERT ON positions BEGIN UPDATE positions SET least = 1, greatest = 1; END",),
    ("ALTER TABLE positions RENAME TO hidden", "CREATE VIEW positions AS SELECT * FROM hidden"),
    ("ALTER TABLE certificates RENAME TO hidden", "CREATE VIEW certificates AS SELECT * FROM hidden"),
    (
        "ALTER TABLE boards RENAME TO hidden",
        "CREATE VIEW boards AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i, 4, 4, 4 FROM n",
    ),
    ("CREATE INDEX i ON positions (score)",),
    ("CREATE TABLE mine (x)",),
    ("ALTER TABLE positions ADD COLUMN more INTEGER",),
    ("ALTER TABLE positions RENAME COLUMN least TO smallest",),
    ("DROP TABLE efforts",),
    ("DROP TABLE ledger",),
    ("UPDATE claimeven_schema SET version = 9",),
    ("UPDATE claimeven_schema SET version = 2",),
    ("DELETE FROM claimeven_schema",),
    ("UPDATE sqlite_master SET sql = replace(sql, 'least INTEGER', 'least TEXT') WHERE name = 'positions'",),
    ("UPDATE sqlite_master SET rootpage = rootpage + 1 WHERE name = 'claims'",),
)


class SqliteCopies:
    """A sound store in a directory, and a copy of it that is damaged and renewed again and again."""

    name = "sqlite"

    def __init__(self, directory: Path) -> None:
        self.sound = str(directory / "sound.db")
        self._copy = directory / "copy.db"
        self.copy = str(self._copy)
        self._kinds: dict[str, Callable[[random.Random], str]] = {
            "bit": lambda chance: flip_bit(self._copy, chance),
            "page": lambda chance: spoil_page(self._copy, chance),
            "row": lambda chance: self._change(spoil_row, chance),
            "certificate": lambda chance: self._change(spoil_certificate, chance),
            "schema": lambda chance: spoil_schema(self._copy, chance),
        }

    @property
    def kinds(self) -> Mapping[str, Callable[[random.Random], str]]:
        """Ways to damage the copy; each says what it did."""
        return self._kinds

    def renew(self) -> None:
        """Make the copy what the sound store is."""
        for path in self._copy.parent.glob(f"{self._copy.name}*"):
            path.unlink()
        shutil.copy(self.sound, self._copy)

    def contents(self) -> object:
        """All that the copy holds; None if it cannot be read."""
        return read_contents(self._copy)

    def close(self) -> None:
        """There is nothing to give back but the directory, which is not ours."""

    def _change(self, spoil: Callable[[Connection, random.Random], str], chance: random.Random) -> str:
        engine = create_engine(f"sqlite:///{self._copy}")
        event.listen(engine, "connect", _ignore_checks)
        try:
            with engine.begin() as connection:
                return spoil(connection, chance)
        finally:
            engine.dispose()


def flip_bit(path: Path, chance: random.Random) -> str:
    """Change one bit of the file."""
    data = bytearray(path.read_bytes())
    place, bit = chance.randrange(len(data)), chance.randrange(8)
    data[place] ^= 1 << bit
    path.write_bytes(data)
    return f"bit {bit} of byte {place}"


def spoil_page(path: Path, chance: random.Random) -> str:
    """Blank a page, fill it with noise, copy another one over it, or cut the file off in it."""
    data = bytearray(path.read_bytes())
    page = chance.randrange(len(data) // PAGE)
    start = page * PAGE
    how = chance.choice(("blank", "noise", "copy", "half", "cut"))
    if how == "cut":
        path.write_bytes(data[: start + chance.randrange(PAGE)])
        return f"page {page}, {how}"
    other = chance.randrange(len(data) // PAGE) * PAGE
    new = {
        "blank": bytes(PAGE),
        "noise": chance.randbytes(PAGE),
        "copy": bytes(data[other : other + PAGE]),
        "half": bytes(data[start : start + PAGE // 2]) + bytes(PAGE // 2),
    }[how]
    data[start : start + PAGE] = new
    path.write_bytes(data)
    return f"page {page}, {how}"


def spoil_schema(path: Path, chance: random.Random) -> str:
    """Put something into the schema that does not belong there, or take something away."""
    statements = chance.choice(SCHEMES)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return statements[-1]


def read_contents(path: Path) -> list[object] | None:
    """All that a file holds, schema and rows; None if it cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            schema = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 2").fetchall()
            if any(row[0] == "view" for row in schema):  # it may have no end
                return None
            # Capitals and spaces in it mean nothing.
            found: list[object] = [[(kind, name, "".join(str(sql).lower().split())) for kind, name, sql in schema]]
            for name in sorted(SHAPE):
                found.append(sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr))
            return found
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return None


def _ignore_checks(connection: Any, record: object) -> None:
    connection.execute("PRAGMA ignore_check_constraints = ON")
