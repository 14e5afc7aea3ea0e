"""What the tables of a SQLite file must look like: columns and kinds, and nothing beside them that could act.

A view in the place of a table can make a query run for ever, a trigger can change what is written, and a generated
column what is read. So a file with anything but our tables in it is not opened. Needs no SQLAlchemy.
"""

from __future__ import annotations

import sqlite3

from claimeven.db.tables.errors import SchemaError

SHAPE = {
    "boards": "id INTEGER key 1, columns INTEGER, rows INTEGER, connect INTEGER",
    "certificates": "board_id INTEGER key 1, ply INTEGER key 2, key INTEGER key 3, proof TEXT",
    "claimeven_schema": "id INTEGER key 1, version INTEGER",
    "claims": (
        "board_id INTEGER key 1, ply INTEGER key 2, key INTEGER key 3, least INTEGER, greatest INTEGER, "
        "score INTEGER?, run_id INTEGER, seal INTEGER"
    ),
    "efforts": "board_id INTEGER key 1, ply INTEGER key 2, key INTEGER key 3, nodes INTEGER, seconds REAL",
    "findings": (
        "board_id INTEGER key 1, ply INTEGER key 2, key INTEGER key 3, least INTEGER, greatest INTEGER, "
        "work INTEGER, root INTEGER, seal INTEGER"
    ),
    "games": (
        "run_id INTEGER key 1, number INTEGER key 2, first TEXT, second TEXT, game TEXT, opening TEXT, "
        "moves TEXT, winner INTEGER?, ending TEXT, details TEXT"
    ),
    "ledger": "name TEXT key 1, board_id INTEGER key 2, ply INTEGER key 3, number INTEGER, digest INTEGER",
    "positions": (
        "board_id INTEGER key 1, ply INTEGER key 2, key INTEGER key 3, least INTEGER, greatest INTEGER, "
        "score INTEGER?, source INTEGER, seal INTEGER"
    ),
    "runs": "id INTEGER key 1, command TEXT, arguments TEXT, versions TEXT, started TEXT, ended TEXT?, counts TEXT?",
}
"""The columns of each table in their order, with type, `?` where NULL is allowed, and the place in the primary key."""


def check_objects(place: str, connection: sqlite3.Connection) -> None:
    """Raise SchemaError if there is anything but tables and the indexes that they come with.

    This holds for stores of every version.
    """
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind == "table" and isinstance(sql, str) and sql.upper().startswith("CREATE TABLE"):
            continue
        if kind == "index" and sql is None and str(name).startswith("sqlite_autoindex_"):
            continue
        kind = "virtual table" if kind == "table" else kind
        raise SchemaError(f"{place}: it holds the {kind} {name!r}, which no claimeven made; {_remedy()}")


def check_shape(place: str, connection: sqlite3.Connection) -> None:
    """Raise SchemaError if the tables are not those of this version, column by column."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    others = sorted(name for name in names - set(SHAPE) if not str(name).startswith("sqlite_"))
    if others:
        raise SchemaError(f"{place}: it holds the table {others[0]!r}, which no claimeven made; {_remedy()}")
    for name, expected in SHAPE.items():
        if name not in names:
            raise SchemaError(f"{place}: the table {name!r} is missing; {_remedy()}")
        if _describe(connection, name) != expected:
            raise SchemaError(f"{place}: the table {name!r} has other columns than it was made with; {_remedy()}")


def _describe(connection: sqlite3.Connection, name: str) -> str:
    columns = []
    for _, column, type_, not_null, _, key, hidden in connection.execute(f"PRAGMA table_xinfo({name})"):
        optional, part, odd = "" if not_null else "?", f" key {key}" if key else "", " generated" if hidden else ""
        columns.append(f"{column} {type_}{optional}{part}{odd}")
    return ", ".join(columns)


def _remedy() -> str:
    return "restore it from a copy, or build it again with: claimeven book build --db NEW"
