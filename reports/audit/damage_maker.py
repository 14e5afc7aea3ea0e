"""Seeded damage to a copy of a SQLite store, as bad disks and people do it: bits, pages, rows, proofs, the schema.

The same seed and number make the same damage to the same file.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from claimeven.db.tables.shape import SHAPE

PAGE = 4096
NUMBERS = (0, 1, -1, 2, 9, 77, -128, 255, 32767, 1 << 40, None, "x", 0.5)

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


def spoil_row(path: Path, chance: random.Random) -> str:
    """Change a value of some row, take a row away, or add one like another."""
    with closing(_connect(path)) as connection:
        tables = [name for name in sorted(SHAPE) if connection.execute(f"SELECT 1 FROM {name}").fetchone()]
        table = chance.choice([name for name in tables if name != "claimeven_schema"])
        columns = [part.split()[0] for part in SHAPE[table].split(", ")]
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        row = chance.choice(rows)
        where = " AND ".join(f'"{column}" IS ?' for column in columns)
        how = chance.choice(("change", "change", "change", "delete", "add"))
        if how == "delete":
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)
            done = f"{table}: a row deleted"
        else:
            place = chance.randrange(len(columns))
            value = chance.choice([*NUMBERS, chance.choice(rows)[place]])
            if isinstance(row[place], int) and chance.random() < 0.5:
                value = row[place] + chance.choice((-2, -1, 1, 2))
            done = f"{table}: {columns[place]} = {value!r} ({how})"
            try:
                if how == "change":
                    connection.execute(f'UPDATE {table} SET "{columns[place]}" = ? WHERE {where}', (value, *row))
                else:
                    new = [value if each == place else old for each, old in enumerate(row)]
                    connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", new)
            except sqlite3.Error as error:
                done += f", refused: {error}"
        connection.commit()
    return done


def spoil_certificate(path: Path, chance: random.Random) -> str:
    """Change the text of a stored proof."""
    with closing(_connect(path)) as connection:
        rows = connection.execute("SELECT board_id, ply, key, proof FROM certificates").fetchall()
        *place, proof = chance.choice(rows)
        tokens = proof.split()
        at = chance.randrange(max(len(proof), 1))
        how = chance.choice(("empty", "drop", "letter", "swap", "cut"))
        new = {
            "empty": "",
            "drop": " ".join(tokens[1:]),
            "letter": proof[:at] + chance.choice("abcdefg123456CLBE /") + proof[at + 1 :],
            "swap": chance.choice(rows)[3],
            "cut": proof[:at],
        }[how]
        statement = "UPDATE certificates SET proof = ? WHERE board_id = ? AND ply = ? AND key = ?"
        connection.execute(statement, (new, *place))
        connection.commit()
    return f"certificate, {how}"


def spoil_schema(path: Path, chance: random.Random) -> str:
    """Put something into the schema that does not belong there, or take something away."""
    statements = chance.choice(SCHEMES)
    with closing(_connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return statements[-1]


KINDS: dict[str, Callable[[Path, random.Random], str]] = {
    "bit": flip_bit,
    "page": spoil_page,
    "row": spoil_row,
    "certificate": spoil_certificate,
    "schema": spoil_schema,
}
"""Ways to damage a store; each says what it did."""


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


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection
