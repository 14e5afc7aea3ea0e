"""How a store of an older version becomes one of the next: a step a version, all in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, inspect, select, text

from claimeven.db.errors import RowError
from claimeven.db.tables import layout
from claimeven.db.tables.boards import list_boards
from claimeven.db.tables.claim_runs import sum_plies
from claimeven.db.tables.efforts import read_efforts, sum_efforts
from claimeven.db.tables.games import sum_all_games
from claimeven.db.tables.ledger import Sum, note, read_ledger, replace
from claimeven.db.tables.models import Base, BoardRow, CertificateRow, ClaimRow, PositionRow, SchemaRow
from claimeven.db.tables.rows import NO_SCORE, check_rows, check_text, describe_place, digests_of, numbers_of_rows
from claimeven.db.tables.runs import sum_runs
from claimeven.db.tables.seal import digest_of_text, seal_of
from claimeven.db.tables.verdicts import AnyVerdictRow, write_verdicts
from claimeven.solver.board import Board
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch

CHUNK = 50_000
OLD = "old_"


def add_efforts_and_games(connection: Connection) -> None:
    """Version 2: what positions cost, and the games of arenas."""
    tables = [Base.metadata.tables[name] for name in (layout.EFFORT_TABLE, layout.GAME_TABLE)]
    Base.metadata.create_all(connection, tables=tables)


def seal_all_rows(connection: Connection) -> None:
    """Version 3: strict tables with checks, a seal in every verdict, and a ledger; every row is read and checked.

    Raises RowError for a row that cannot be.
    """
    names = [name for name in Base.metadata.tables if name in inspect(connection).get_table_names()]
    for name in names:
        connection.execute(text(f"ALTER TABLE {name} RENAME TO {OLD}{name}"))
    Base.metadata.create_all(connection)
    connection.execute(insert(SchemaRow).values(id=1, version=2))
    for name in (layout.BOARD_TABLE, layout.RUN_TABLE, layout.EFFORT_TABLE, layout.GAME_TABLE):
        _copy(connection, name)
    for board_id, board in _numbered_boards(connection):
        for run in _runs_of_claims(connection, board_id):
            _copy_verdicts(connection, ClaimRow, board_id, board, run)
        _copy_verdicts(connection, PositionRow, board_id, board, None)
        _copy_certificates(connection, board_id, board)
        replace(connection, layout.EFFORT_TABLE, board_id, 0, sum_efforts(read_efforts(connection, board_id, board)))
    replace(connection, layout.RUN_TABLE, 0, 0, sum_runs(connection))
    replace(connection, layout.GAME_TABLE, 0, 0, sum_all_games(connection))
    for name in (layout.POSITION_TABLE, layout.CLAIM_TABLE, layout.CERTIFICATE_TABLE, layout.EFFORT_TABLE):
        lost = _count(connection, OLD + name) - _count(connection, name)
        if lost:
            raise RowError(f"{lost} rows of the table {name} are of no board, or of no run")
    for name in sorted(names, key=[table.name for table in Base.metadata.sorted_tables].index, reverse=True):
        connection.execute(text(f"DROP TABLE {OLD}{name}"))


def tell_runs_of_claims(connection: Connection) -> None:
    """Version 4: the ledger tells by which run a claim came; what is damaged stays noted as it was, to be found."""
    noted = read_ledger(connection)
    with suppress(RowError):
        for board_id, board in _numbered_boards(connection):
            for ply, without_runs, with_runs in sum_plies(connection, board_id, board):
                if noted.get((layout.CLAIM_TABLE, board_id, ply)) == without_runs:
                    replace(connection, layout.CLAIM_TABLE, board_id, ply, with_runs)


def add_findings(connection: Connection) -> None:
    """Version 5: what searches that were stopped had found on their way."""
    Base.metadata.create_all(connection, tables=[Base.metadata.tables[layout.FINDING_TABLE]])


STEPS: dict[int, Callable[[Connection], None]] = {
    1: add_efforts_and_games,
    2: seal_all_rows,
    3: tell_runs_of_claims,
    4: add_findings,
}
"""For each older version, what makes the next one of it."""


def _copy(connection: Connection, name: str) -> None:
    """Take over all rows of a small table, with their numbers."""
    columns = ", ".join(f'"{column.name}"' for column in Base.metadata.tables[name].columns)
    connection.execute(text(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {OLD}{name}"))
    if connection.dialect.name == "postgresql" and name in (layout.BOARD_TABLE, layout.RUN_TABLE):
        sequence = f"pg_get_serial_sequence('{name}', 'id')"
        connection.execute(text(f"SELECT setval({sequence}, (SELECT coalesce(max(id), 0) + 1 FROM {name}), false)"))


def _count(connection: Connection, name: str) -> int:
    return int(connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one())


def _numbered_boards(connection: Connection) -> list[tuple[int, Board]]:
    numbers = connection.execute(select(BoardRow.id).order_by(BoardRow.id)).scalars().all()
    return list(zip(numbers, list_boards(connection), strict=True))


def _runs_of_claims(connection: Connection, board_id: int) -> list[int]:
    statement = text(f"SELECT DISTINCT run_id FROM {OLD}{layout.CLAIM_TABLE} WHERE board_id = :board")
    return list(connection.execute(statement, {"board": board_id}).scalars())


def _copy_verdicts(connection: Connection, model: AnyVerdictRow, board_id: int, board: Board, run: int | None) -> None:
    table = model.__tablename__
    source = "source" if model is PositionRow else str(SOURCE_CODES[Source.IMPORT])
    columns = f'"key", least, greatest, coalesce(score, {NO_SCORE}), {source}, 0'
    for ply, rows in _chunks(connection, table, columns, board_id, run):
        numbers = numbers_of_rows(table, rows)
        keys = np.ascontiguousarray(numbers[:, 0]).view(np.uint64)
        small = [np.ascontiguousarray(numbers[:, place]).astype(np.int8) for place in range(1, 5)]
        numbers[:, 5] = seal_of(digests_of(board, VerdictBatch(keys, *small)))
        batch = check_rows(table, board, ply, numbers, keys_too=True)
        write_verdicts(connection, model, board_id, board, batch, VerdictBatch.unknown(keys), run)


def _copy_certificates(connection: Connection, board_id: int, board: Board) -> None:
    table = layout.CERTIFICATE_TABLE
    for ply, rows in _chunks(connection, table, '"key", proof', board_id, None):
        change, values = Sum(), []
        for key, proof in rows:
            check_text(table, describe_place(board, ply, key), proof)
            change += Sum(1, digest_of_text(layout.from_signed(key), proof))
            values.append({"board_id": board_id, "ply": ply, "key": key, "proof": proof})
        connection.execute(insert(CertificateRow), values)
        note(connection, table, board_id, ply, change)


def _chunks(
    connection: Connection, table: str, columns: str, board_id: int, run: int | None
) -> Iterator[tuple[int, list[Any]]]:
    """The rows of an old table, ply by ply, in the order of their keys; the key must be the first of the columns."""
    of_board = "board_id = :board" if run is None else "board_id = :board AND run_id = :run"
    values = {"board": board_id} | ({} if run is None else {"run": run})
    plies = connection.execute(text(f"SELECT DISTINCT ply FROM {OLD}{table} WHERE {of_board}"), values).scalars()
    for ply in sorted(plies.all()):
        statement = text(
            f'SELECT {columns} FROM {OLD}{table} WHERE {of_board} AND ply = :ply AND "key" > :after '
            f'ORDER BY "key" LIMIT {CHUNK}'
        )
        after = -(1 << 63)
        while rows := connection.execute(statement, values | {"ply": ply, "after": after}).all():
            yield ply, list(rows)
            after = rows[-1][0]
