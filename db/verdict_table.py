"""Verdicts in and out of a table, thousands a statement; the table is that of the positions or that of the claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, and_, bindparam, func, insert, literal, select, update
from sqlalchemy.engine import Row

from db.layout import SOURCE_CODES
from db.models import CertificateRow, ClaimRow, PositionRow
from db.verdict_batch import NO_SCORE, VerdictBatch
from solver.board import Board
from solver.enumeration import Keys, count_plies, sort_keys
from solver.verdict import Source

AnyVerdictRow: TypeAlias = type[PositionRow] | type[ClaimRow]

KEYS_A_STATEMENT = 10_000
"""Below what SQLite (32,766) and PostgreSQL (65,535) allow as parameters of one statement."""


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
        rows = _parameters(model, batch.select(is_new), plies[is_new], run_id)
        connection.execute(insert(table).values(board_id=board_id), rows)
    if not is_new.all():
        rows = _parameters(model, batch.select(~is_new), plies[~is_new], run_id)
        names = [name for name in rows[0] if name not in ("ply", "key")]
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


def _select(model: AnyVerdictRow, board_id: int, ply: int) -> Any:
    source = model.source if model is PositionRow else literal(SOURCE_CODES[Source.IMPORT])
    return select(model.key, model.least, model.greatest, model.score, source).where(
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
    wanted = sort_keys(keys).view(np.int64).tolist()
    rows = connection.execute(_select(model, board_id, ply).where(model.key.in_(wanted))).all()
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


def _batch_of_rows(rows: Sequence[Row[Any]]) -> VerdictBatch:
    keys, least, greatest, scores, sources = zip(*rows, strict=True)
    small = np.int8
    return VerdictBatch(
        np.array(keys, dtype=np.int64).view(np.uint64),
        np.array(least, dtype=small),
        np.array(greatest, dtype=small),
        np.array([NO_SCORE if score is None else score for score in scores], dtype=small),
        np.array(sources, dtype=small),
    )


def _parameters(
    model: AnyVerdictRow, batch: VerdictBatch, plies: NDArray[np.uint8], run_id: int | None
) -> list[dict[str, Any]]:
    # Plain Python numbers in the order of the keys: rows that lie side by side are written side by side.
    order = np.lexsort((batch.keys.view(np.int64), plies))
    batch = batch.select(order)
    fields = zip(
        plies[order].tolist(),
        batch.keys.view(np.int64).tolist(),
        batch.least.tolist(),
        batch.greatest.tolist(),
        [None if score == NO_SCORE else score for score in batch.scores.tolist()],
        batch.sources.tolist() if model is PositionRow else [run_id] * len(batch),
        strict=True,
    )
    names = ("ply", "key", "least", "greatest", "score", "source" if model is PositionRow else "run_id")
    return [dict(zip(names, values, strict=True)) for values in fields]
