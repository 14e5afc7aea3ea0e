"""Rows in bulk, by the fastest way that each database has: COPY for PostgreSQL, plain tuples for SQLite."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, Connection, Table, any_, func, insert, literal, select
from sqlalchemy.exc import DBAPIError


def insert_rows(connection: Connection, table: Table, board_id: int, columns: dict[str, list[Any]]) -> None:
    """Insert rows of a board, given by columns."""
    columns = {"board_id": [board_id] * len(columns["key"])} | columns
    if connection.dialect.name == "sqlite":
        _insert_tuples(connection, table, columns)
    elif connection.dialect.driver == "psycopg":
        _copy(connection, table, columns)
    else:
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        connection.execute(insert(table), rows)


def _insert_tuples(connection: Connection, table: Table, columns: dict[str, list[Any]]) -> None:
    # Past SQLAlchemy's handling of parameters, which costs more than SQLite does. A number that all rows have, as board
    # and ply mostly are, is part of the statement: handing it over with every row would cost a tenth of the time.
    shared = {name: values[0] for name, values in columns.items() if _is_shared(values)}
    if len(shared) == len(columns):
        shared.popitem()
    places = ", ".join(_literal(shared[name]) if name in shared else "?" for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    rows = list(zip(*(values for name, values in columns.items() if name not in shared), strict=True))
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({places})", rows)


def _is_shared(values: list[Any]) -> bool:
    return isinstance(values[0], int | None) and values.count(values[0]) == len(values)


def _literal(number: int | None) -> str:
    return "NULL" if number is None else str(int(number))


def _copy(connection: Connection, table: Table, columns: dict[str, list[Any]]) -> None:
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f"COPY {table.name} ({names}) FROM STDIN"
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in zip(*columns.values(), strict=True):
                copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as error:
        if driver.closed:
            connection.invalidate(error)
        raise DBAPIError.instance(
            statement, None, error, connection.dialect.loaded_dbapi.Error, connection_invalidated=bool(driver.closed)
        ) from error


def is_named(column: Any, connection: Connection, wanted: NDArray[np.int64]) -> Any:
    """The condition that a column is one of these numbers, as one parameter: much faster than thousands of them."""
    if connection.dialect.name == "sqlite":
        listed = func.json_each(as_json(wanted)).table_valued("value")
        return column.in_(select(listed.c.value))
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import ARRAY  # what only a server needs takes long to import

        return column == any_(literal(wanted.tolist(), ARRAY(BigInteger)))
    return column.in_(wanted.tolist())


def as_json(keys: NDArray[np.int64]) -> str:
    """The numbers as a list of JSON."""
    return f"[{','.join(map(str, keys.tolist()))}]"
