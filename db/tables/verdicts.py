"""Verdicts in and out of a table, thousands a statement; the table is that of the positions or that of the claims."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, and_, bindparam, func, literal, select, update
from sqlalchemy.engine import Row

from claimeven.db.tables.bulk import as_json, insert_rows, is_named
from claimeven.db.tables.claim_runs import read_runs
from claimeven.db.tables.ledger import note_plies
from claimeven.db.tables.models import CertificateRow, ClaimRow, PositionRow
from claimeven.db.tables.rows import (
    check_ply,
    check_rows,
    check_verdicts,
    digests_of,
    find_impossible,
    numbers_of_rows,
)
from claimeven.db.tables.seal import of_run, seal_of
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, count_plies, sort_keys
from claimeven.solver.verdict import ContradictionError, Source
from claimeven.solver.verdict_code import SOURCE_CODES, describe_verdict
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch, describe_position

AnyVerdictRow: TypeAlias = type[PositionRow] | type[ClaimRow]

KEYS_A_STATEMENT = 10_000
"""Below what SQLite (32,766) and PostgreSQL (65,535) allow as parameters of one statement."""

DAMAGED = -1
"""Stands for numbers that no verdict has; the rows are read again then, one by one."""

_PACKED = (
    "(CASE WHEN least BETWEEN -1 AND 1 AND greatest BETWEEN -1 AND 1 AND score BETWEEN -128 AND 127 "
    "AND source BETWEEN 0 AND 127 AND seal BETWEEN 0 AND 32767 "
    "THEN ((((least + 1) * 4 + greatest + 1) * 256 + score + 128) * 128 + source) * 32768 + seal "
    f"ELSE {DAMAGED} END)"
)
IMPORTED = SOURCE_CODES[Source.IMPORT]

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
        for ply in np.flatnonzero(np.bincount(plies[places])):
            _read_some(connection, model, board_id, board, int(ply), places[plies[places] == ply], found)
    return found


def read_ply(
    connection: Connection, model: AnyVerdictRow, board_id: int, board: Board, ply: int, after: int | None, number: int
) -> VerdictBatch:
    """The verdicts of a ply in the order in which they lie in the table, from the one after a key on.

    The order is that of the keys with a sign, `after` is such a key.
    """
    return _Rows(connection, model, board_id, board, ply).after(after, number)


def list_plies(connection: Connection, board_id: int, board: Board) -> list[int]:
    """The plies of which a board has verdicts, in ascending order."""
    plies: list[int] = []
    # From ply to ply through the primary key, instead of through all rows.
    statement = select(func.min(PositionRow.ply)).where(PositionRow.board_id == board_id)
    ply = connection.execute(statement).scalar()
    while ply is not None:
        plies.append(check_ply(PositionRow.__tablename__, board, ply))
        ply = connection.execute(statement.where(PositionRow.ply > ply)).scalar()
    return plies


def count_by_ply(
    connection: Connection, model: AnyVerdictRow | type[CertificateRow], board_id: int, board: Board
) -> dict[int, int]:
    """The number of rows of each ply that a board has any of."""
    statement = select(model.ply, func.count()).where(model.board_id == board_id).group_by(model.ply)
    return {check_ply(model.__tablename__, board, row[0]): row[1] for row in connection.execute(statement)}


def write_verdicts(
    connection: Connection,
    model: AnyVerdictRow,
    board_id: int,
    board: Board,
    batch: VerdictBatch,
    old: VerdictBatch,
    run_id: int | None = None,
) -> None:
    """Insert the verdicts of the positions that are new to the table, replace those of the others.

    `old` is what the table said of the same positions before. Raises ContradictionError for a verdict that cannot be.
    """
    plies = count_plies(board, batch.keys)
    impossible = find_impossible(model.__tablename__, board, batch, plies)
    if impossible.any():
        place = int(np.flatnonzero(impossible)[0])
        raise ContradictionError(
            f"{describe_position(board, int(batch.keys[place]))}: there is no verdict "
            f"{describe_verdict(batch.verdict(place))}"
        )
    is_new = ~old.is_known
    digests = digests_of(board, batch)
    noted, before = digests, np.zeros_like(digests)
    before[~is_new] = digests_of(board, old.select(~is_new))
    if model is ClaimRow:
        noted = of_run(noted, run_id)
        before[~is_new] = of_run(before[~is_new], read_runs(connection, board_id, plies[~is_new], batch.keys[~is_new]))
    note_plies(connection, model.__tablename__, board_id, plies, noted, before, is_new)
    table = model.__table__
    assert isinstance(table, Table)
    if is_new.any():
        columns = _parameters(model, batch.select(is_new), plies[is_new], digests[is_new], run_id)
        insert_rows(connection, table, board_id, columns)
    if not is_new.all():
        columns = _parameters(model, batch.select(~is_new), plies[~is_new], digests[~is_new], run_id)
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


def _as_rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


class _Rows:
    """The verdicts of one ply of a board in one table, read as arrays and checked (`rows`).

    SQLite joins rows to one text of numbers, which takes a third of the time of as many Python objects. Statements for
    it are texts too: SQLAlchemy takes longer to put one together than SQLite to answer it.
    """

    def __init__(self, connection: Connection, model: AnyVerdictRow, board_id: int, board: Board, ply: int) -> None:
        self._connection = connection
        self._model = model
        self._board = board
        self._place = (board_id, ply)
        self._is_sqlite = connection.dialect.name == "sqlite"

    def after(self, key: int | None, number: int) -> VerdictBatch:
        """So many rows in the order of the keys with a sign, from the one after a key on."""
        where, key = ("key > ?", key) if key is not None else ("key >= ?", -(1 << 63))
        if self._is_sqlite:
            return self._read_text(f"{where} ORDER BY key LIMIT ?", key, number, keys_too=True)
        statement = self._statement().where(self._model.key > key if where == "key > ?" else True)
        rows = self._connection.execute(statement.order_by(self._model.key).limit(number)).all()
        return self._batch_of_rows(rows, keys_too=True)

    def between(self, first: int, last: int, most: int) -> VerdictBatch | None:
        """The rows of a range of keys, None if there are more than so many."""
        if self._is_sqlite:
            batch = self._read_text("key BETWEEN ? AND ? LIMIT ?", first, last, most + 1)
        else:
            statement = self._statement().where(self._model.key.between(first, last)).limit(most + 1)
            batch = self._batch_of_rows(self._connection.execute(statement).all())
        return batch if len(batch) <= most else None

    def named(self, keys: NDArray[np.int64]) -> VerdictBatch:
        """The rows of these keys."""
        if self._is_sqlite:
            return self._read_text("key IN (SELECT value FROM json_each(?))", as_json(keys))
        statement = self._statement().where(is_named(self._model.key, self._connection, keys))
        return self._batch_of_rows(self._connection.execute(statement).all())

    def _statement(self) -> Any:
        model = self._model
        source = model.source if model is PositionRow else literal(IMPORTED)
        score = func.coalesce(model.score, NO_SCORE)
        board_id, ply = self._place
        return select(model.key, model.least, model.greatest, score, source, model.seal).where(
            model.board_id == board_id, model.ply == ply
        )

    def _read_text(self, where: str, *parameters: object, keys_too: bool = False) -> VerdictBatch:
        source = "source" if self._model is PositionRow else str(IMPORTED)
        rows = (
            f"SELECT key, least, greatest, coalesce(score, {NO_SCORE}) AS score, {source} AS source, seal "
            f"FROM {self._model.__tablename__} WHERE board_id = ? AND ply = ? AND {where}"
        )
        joined = f"SELECT group_concat(key || ' ' || {_PACKED}, ' ') FROM ({rows})"
        found = self._connection.exec_driver_sql(joined, (*self._place, *parameters)).scalar()
        if found is None:
            return VerdictBatch.join([])
        numbers = _read_numbers(found)
        if numbers is None or (numbers[:, 1] == DAMAGED).any():
            again = self._connection.exec_driver_sql(rows, (*self._place, *parameters)).all()
            return self._batch_of_rows(again, keys_too=keys_too)
        keys, packed = numbers.T
        seals, packed = packed & 32767, packed >> 15
        values = packed >> 15
        batch = VerdictBatch(
            np.ascontiguousarray(keys).view(np.uint64),
            ((values >> 2) - 1).astype(np.int8),
            ((values & 3) - 1).astype(np.int8),
            ((packed >> 7 & 255) - 128).astype(np.int8),
            (packed & 127).astype(np.int8),
        )
        table, ply = self._model.__tablename__, self._place[1]
        return check_verdicts(table, self._board, ply, batch, seals, keys_too=keys_too)

    def _batch_of_rows(self, rows: Sequence[Row[Any]], *, keys_too: bool = False) -> VerdictBatch:
        if not rows:
            return VerdictBatch.join([])
        table, ply = self._model.__tablename__, self._place[1]
        return check_rows(table, self._board, ply, numbers_of_rows(table, rows), keys_too=keys_too)


def _read_numbers(found: object) -> NDArray[np.int64] | None:
    """Pairs of numbers in a text; None if there is anything else in it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns of what it cannot read
            return np.fromstring(str(found), dtype=np.int64, sep=" ").reshape(-1, 2)
    except (ValueError, DeprecationWarning):
        return None


def _read_some(
    connection: Connection,
    model: AnyVerdictRow,
    board_id: int,
    board: Board,
    ply: int,
    places: NDArray[np.intp],
    found: VerdictBatch,
) -> None:
    keys = found.keys[places]
    wanted = np.sort(sort_keys(keys).view(np.int64))
    read = _read_wanted(_Rows(connection, model, board_id, board, ply), wanted)
    if not len(read):
        return
    read = read.select(np.argsort(read.keys))
    at = np.minimum(np.searchsorted(read.keys, keys), len(read) - 1)
    present = read.keys[at] == keys
    found.put(places[present], read.select(at[present]))


def _read_wanted(rows: _Rows, wanted: NDArray[np.int64]) -> VerdictBatch:
    """The verdicts of these keys, which are in ascending order; there may be others among them."""
    first, last = int(wanted[0]), int(wanted[-1])
    # A few keys first: where the table is much denser than what is wanted, little has been read in vain.
    if len(wanted) <= PROBED or rows.between(first, int(wanted[PROBED]), DENSE * PROBED) is not None:
        batch = rows.between(first, last, DENSE * len(wanted))
        if batch is not None:
            return batch
    return rows.named(wanted)


def _parameters(
    model: AnyVerdictRow,
    batch: VerdictBatch,
    plies: NDArray[np.uint8],
    digests: NDArray[np.uint64],
    run_id: int | None,
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
        "seal": seal_of(digests[order]).tolist(),
    }
    if model is PositionRow:
        return columns | {"source": batch.sources.tolist()}
    return columns | {"run_id": [run_id] * len(batch)}
