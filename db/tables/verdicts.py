"""Verdicts in and out of a table, thousands a statement; the table is that of the positions or that of the claims."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, and_, bindparam, func, insert, literal, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Row
from sqlalchemy.sql.compiler import SQLCompiler

from claimeven.db.tables.models import CertificateRow, ClaimRow, PositionRow
from claimeven.solver.board import Board
from claimeven.solver.enumeration import Keys, count_plies, sort_keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

AnyVerdictRow: TypeAlias = type[PositionRow] | type[ClaimRow]

KEYS_A_STATEMENT = 10_000
"""Below what SQLite (32,766) and PostgreSQL (65,535) allow as parameters of one statement."""

PROBED = 64
DENSE = 4
"""Up to so many rows a wanted key, reading the whole range that the keys lie in is faster than naming each of them."""


def read_verdicts(
    connection: Connection, model: AnyVerdictRow, board_id: int, board: Board, keys: Keys
) -> VerdictBatch:
    """What the table says of each canonical key, in the order of the keys; they may repeat and be of any ply."""
    found = VerdictBatch.unknown(keys)
    plies = count_plies(board, keys)
    order = np.lexsort((keys, plies))
    for start in range(0, len(order), KEYS_A_STATEMENT):
        places = order[start : start + KEYS_A_STATEMENT]
        for ply in np.unique(plies[places]):
            _read_some(connection, model, board_id, int(ply), places[plies[places] == ply], found)
    return found


def read_ply(
    connection: Connection, model: AnyVerdictRow, board_id: int, ply: int, after: int | None, number: int
) -> VerdictBatch:
    """The verdicts of a ply in the order in which they lie in the table, from the one after a key on.

    The order is that of the keys with a sign, `after` is such a key.
    """
    statement = _select(model, board_id, ply).order_by(model.key).limit(number)
    rows = connection.execute(statement if after is None else statement.where(model.key > after)).all()
    return _batch_of_rows(rows) if rows else VerdictBatch.join([])


def list_plies(connection: Connection, board_id: int) -> list[int]:
    """The plies of which a board has verdicts, in ascending order."""
    plies: list[int] = []
    # From ply to ply through the primary key, instead of through all rows.
    statement = select(func.min(PositionRow.ply)).where(PositionRow.board_id == board_id)
    ply = connection.execute(statement).scalar()
    while ply is not None:
        plies.append(ply)
        ply = connection.execute(statement.where(PositionRow.ply > ply)).scalar()
    return plies


def count_by_ply(connection: Connection, model: AnyVerdictRow | type[CertificateRow], board_id: int) -> dict[int, int]:
    """The number of rows of each ply that a board has any of."""
    statement = select(model.ply, func.count()).where(model.board_id == board_id).group_by(model.ply)
    return {row[0]: row[1] for row in connection.execute(statement)}


def write_verdicts(
    connection: Connection,
    model: AnyVerdictRow,
    board_id: int,
    board: Board,
    batch: VerdictBatch,
    is_new: NDArray[np.bool_],
    run_id: int | None = None,
) -> None:
    """Insert the verdicts of the positions that are new to the table, replace those of the others."""
    plies = count_plies(board, batch.keys)
    table = model.__table__
    assert isinstance(table, Table)
    if is_new.any():
        _insert(connection, table, board_id, _parameters(model, batch.select(is_new), plies[is_new], run_id))
    if not is_new.all():
        columns = _parameters(model, batch.select(~is_new), plies[~is_new], run_id)
        rows = _as_rows(columns)
        names = [name for name in columns if name not in ("ply", "key")]
        statement = (
            update(table)
            .where(
                and_(
                    table.c.board_id == board_id,
                    table.c.ply == bindparam("at_ply"),
                    table.c.key == bindparam("at_key"),
                )
            )
            .values({name: bindparam(f"new_{name}") for name in names})
        )
        connection.execute(
            statement,
            [
                {"at_ply": row["ply"], "at_key": row["key"]} | {f"new_{name}": row[name] for name in names}
                for row in rows
            ],
        )


def _insert(connection: Connection, table: Table, board_id: int, columns: dict[str, list[Any]]) -> None:
    if connection.dialect.name != "sqlite":
        connection.execute(insert(table).values(board_id=board_id), _as_rows(columns))
        return
    # Past SQLAlchemy's handling of parameters, which costs more than SQLite does.
    columns = {"board_id": [board_id] * len(columns["key"])} | columns
    statement = insert(table).compile(dialect=sqlite.dialect(), column_keys=list(columns))
    assert isinstance(statement, SQLCompiler)
    assert statement.positiontup is not None
    rows = list(zip(*(columns[name] for name in statement.positiontup), strict=True))
    connection.exec_driver_sql(str(statement), rows)


def _as_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _select(model: AnyVerdictRow, board_id: int, ply: int) -> Any:
    source = model.source if model is PositionRow else literal(SOURCE_CODES[Source.IMPORT])
    score = func.coalesce(model.score, NO_SCORE)
    return select(model.key, model.least, model.greatest, score, source).where(
        model.board_id == board_id, model.ply == ply
    )


def _read_some(
    connection: Connection,
    model: AnyVerdictRow,
    board_id: int,
    ply: int,
    places: NDArray[np.intp],
    found: VerdictBatch,
) -> None:
    keys = found.keys[places]
    rows = _read_rows(connection, model, _select(model, board_id, ply), np.sort(sort_keys(keys).view(np.int64)))
    if not rows:
        return
    read = _batch_of_rows(rows)
    read = read.select(np.argsort(read.keys))
    at = np.minimum(np.searchsorted(read.keys, keys), len(read) - 1)
    present = read.keys[at] == keys
    places, at = places[present], at[present]
    found.least[places] = read.least[at]
    found.greatest[places] = read.greatest[at]
    found.scores[places] = read.scores[at]
    found.sources[places] = read.sources[at]


def _read_rows(
    connection: Connection, model: AnyVerdictRow, statement: Any, wanted: NDArray[np.int64]
) -> Sequence[Row[Any]]:
    """The rows of these keys, which are in ascending order; there may be others among them."""

    def read_range(first: int, last: int, most: int) -> Sequence[Row[Any]] | None:
        between = statement.where(model.key.between(first, last)).limit(most + 1)
        rows = connection.execute(between).all()
        return rows if len(rows) <= most else None

    first, last = int(wanted[0]), int(wanted[-1])
    # A few keys first: where the table is much denser than what is wanted, little has been read in vain.
    if len(wanted) <= PROBED or read_range(first, int(wanted[PROBED]), DENSE * PROBED) is not None:
        rows = read_range(first, last, DENSE * len(wanted))
        if rows is not None:
            return rows
    named: Sequence[Row[Any]] = connection.execute(statement.where(model.key.in_(_named(connection, wanted)))).all()
    return named


def _named(connection: Connection, wanted: NDArray[np.int64]) -> Any:
    """The keys as the right side of an IN; for SQLite as one parameter, which is much faster than thousands of them."""
    if connection.dialect.name != "sqlite":
        return wanted.tolist()
    listed = func.json_each(f"[{','.join(map(str, wanted.tolist()))}]").table_valued("value")
    return select(listed.c.value)


def _batch_of_rows(rows: Sequence[Row[Any]]) -> VerdictBatch:
    numbers = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=5 * len(rows)).reshape(len(rows), 5)
    small = np.ascontiguousarray(numbers[:, 1:].T).astype(np.int8)
    return VerdictBatch(np.ascontiguousarray(numbers[:, 0]).view(np.uint64), small[0], small[1], small[2], small[3])


def _parameters(
    model: AnyVerdictRow, batch: VerdictBatch, plies: NDArray[np.uint8], run_id: int | None
) -> dict[str, list[Any]]:
    """The columns of the rows, by name."""
    # Plain Python numbers in the order of the keys: rows that lie side by side are written side by side.
    order = np.lexsort((batch.keys.view(np.int64), plies))
    batch = batch.select(order)
    columns: dict[str, list[Any]] = {
        "ply": plies[order].tolist(),
        "key": batch.keys.view(np.int64).tolist(),
        "least": batch.least.tolist(),
        "greatest": batch.greatest.tolist(),
        "score": [None if score == NO_SCORE else score for score in batch.scores.tolist()],
    }
    if model is PositionRow:
        return columns | {"source": batch.sources.tolist()}
    return columns | {"run_id": [run_id] * len(batch)}
