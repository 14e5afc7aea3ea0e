"""A few positions of a SQLite store, read without SQLAlchemy and numpy: importing those takes longer than an answer."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from claimeven.db.errors import MissingStoreError, RowError, SchemaError, store_failure
from claimeven.db.knowledge import Knowledge
from claimeven.db.location import StoreLocation
from claimeven.db.sqlite_file import connect_for_reading, read_schema_version
from claimeven.db.tables import layout
from claimeven.db.tables.rows import check_row, check_text, describe_place
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Source, Verdict
from claimeven.solver.verdict_code import SOURCE_CODES

TIMEOUT = 10.0


class Reader(Protocol):
    """Whatever can tell what is known of a few positions of one board."""

    def read(self, positions: list[Position]) -> list[Knowledge]: ...


@contextmanager
def open_reader(location: StoreLocation) -> Iterator[Reader]:
    """The quickest way to read a few positions of the store at a location; raises StoreError as `Store.open` does."""
    if location.path is not None and _is_current(location):
        try:
            connection = connect_for_reading(location.path, TIMEOUT)
            try:
                yield QuickReader(connection)
            finally:
                connection.close()
        except RowError as error:
            raise RowError(f"{location}: {error}") from None
        except UnicodeDecodeError as error:
            raise store_failure(str(location), "malformed") from error
        except sqlite3.Error as error:
            raise store_failure(str(location), str(error)) from error
        return
    if location.path is not None and not os.path.lexists(location.path):
        raise MissingStoreError.at(location)
    from claimeven.db.store import Store

    with Store.open(location, writable=False, timeout=TIMEOUT) as store:
        yield store


def _is_current(location: StoreLocation) -> bool:
    """Whether the file is a store of this version; what is wrong otherwise `Store` says."""
    assert location.path is not None
    try:
        return read_schema_version(location.path, TIMEOUT) == layout.SCHEMA_VERSION
    except (MissingStoreError, SchemaError):
        return False


class QuickReader:
    """The `read` of a Store, with one small statement a position and table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def read(self, positions: list[Position]) -> list[Knowledge]:
        """All that is known of a few positions of one board."""
        if not positions:
            return []
        board_id = self._find_board_id(positions[0].board)
        if board_id is None:
            return [Knowledge(UNKNOWN, UNKNOWN, None) for _ in positions]
        return [self._read(positions[0].board, board_id, position) for position in positions]

    def _read(self, board: Board, board_id: int, position: Position) -> Knowledge:
        place = (board_id, position.ply, layout.to_signed(position.canonical_key))
        imported = SOURCE_CODES[Source.IMPORT]
        proof = self._row(layout.CERTIFICATE_TABLE, "proof", place)
        return Knowledge(
            self._verdict(layout.POSITION_TABLE, position, "source", place),
            self._verdict(layout.CLAIM_TABLE, position, f"{imported}", place),
            None
            if proof is None
            else check_text(layout.CERTIFICATE_TABLE, describe_place(board, *place[1:]), proof[0]),
        )

    def _verdict(self, table: str, position: Position, source: str, place: tuple[int, int, int]) -> Verdict:
        row = self._row(table, f"least, greatest, score, {source}, seal", place)
        return UNKNOWN if row is None else check_row(table, position.board, position, row)

    def _row(self, table: str, columns: str, place: tuple[int, int, int]) -> Any:
        statement = f"SELECT {columns} FROM {table} WHERE board_id = ? AND ply = ? AND key = ?"
        return self._connection.execute(statement, place).fetchone()

    def _find_board_id(self, board: Board) -> int | None:
        row = self._connection.execute(
            f"SELECT id FROM {layout.BOARD_TABLE} WHERE columns = ? AND rows = ? AND connect = ?",
            (board.columns, board.rows, board.connect),
        ).fetchone()
        return None if row is None else int(row[0])
