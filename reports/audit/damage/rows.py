"""Seeded damage to the rows of a store on any database: values changed, rows lost or added, proofs spoiled.

The same seed makes the same damage to the same rows.
"""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from claimeven.db.tables import layout
from claimeven.db.tables.models import Base

NUMBERS = (0, 1, -1, 2, 9, 77, -128, 255, 32767, 1 << 40, None, "x", 0.5)

Row = tuple[Any, ...]


def spoil_row(connection: Connection, chance: random.Random) -> str:
    """Change a value of some row, take a row away, or add one like another; says what was done."""
    contents = read_rows(connection)
    table = chance.choice([name for name, rows in contents.items() if rows and name != layout.SCHEMA_TABLE])
    columns, keys = _columns(table), list(Base.metadata.tables[table].primary_key.columns.keys())
    rows = contents[table]
    row = dict(zip(columns, chance.choice(rows), strict=True))
    where = " AND ".join(f'"{key}" = :_{key}' for key in keys)
    place = {f"_{key}": row[key] for key in keys}
    how = chance.choice(("change", "change", "change", "delete", "add"))
    if how == "delete":
        return f"{table}: a row deleted" + _try(connection, f"DELETE FROM {table} WHERE {where}", place)
    column = chance.choice(columns)
    value = chance.choice([*NUMBERS, chance.choice(rows)[columns.index(column)]])
    if isinstance(row[column], int) and chance.random() < 0.5:
        value = row[column] + chance.choice((-2, -1, 1, 2))
    done = f"{table}: {column} = {value!r} ({how})"
    if how == "change":
        statement = f'UPDATE {table} SET "{column}" = :_new WHERE {where}'
        return done + _try(connection, statement, place | {"_new": value})
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{name}' for name in columns)})"
    return done + _try(connection, statement, row | {column: value})


def spoil_certificate(connection: Connection, chance: random.Random) -> str:
    """Change the text of a stored proof; says how."""
    rows = read_rows(connection)[layout.CERTIFICATE_TABLE]
    board, ply, key, proof = chance.choice(rows)
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
    statement = f'UPDATE {layout.CERTIFICATE_TABLE} SET proof = :new WHERE board_id = :b AND ply = :p AND "key" = :k'
    return f"certificate, {how}" + _try(connection, statement, {"new": new, "b": board, "p": ply, "k": key})


def read_rows(connection: Connection) -> dict[str, list[Row]]:
    """All rows of all tables, in an order that depends on nothing else."""
    found = {}
    for name in sorted(Base.metadata.tables):
        columns = ", ".join(f'"{column}"' for column in _columns(name))
        rows = connection.execute(text(f"SELECT {columns} FROM {name}")).all()
        found[name] = sorted((tuple(row) for row in rows), key=repr)
    return found


def _columns(table: str) -> list[str]:
    return list(Base.metadata.tables[table].columns.keys())


def _try(connection: Connection, statement: str, values: dict[str, Any]) -> str:
    """Run a statement; what the database says if it does not let it happen, as the end of a sentence."""
    bound = {name: json.dumps(value) if isinstance(value, dict | list) else value for name, value in values.items()}
    # On a server a statement that fails would end the whole transaction.
    guarded = nullcontext() if connection.dialect.name == "sqlite" else connection.begin_nested()
    try:
        with guarded:
            connection.execute(text(statement), bound)
    except DBAPIError as error:
        return f", refused: {str(error.orig).splitlines()[0]}"
    return ""
