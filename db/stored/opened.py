"""An open database: its location and engine, the boards it knows, and its end."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from claimeven.db.engine import leave_wal, make_engine, reading
from claimeven.db.location import StoreLocation
from claimeven.db.patience import patiently
from claimeven.db.schema import prepare
from claimeven.db.tables import boards as board_table
from claimeven.solver.board import Board

TIMEOUT = 60.0
"""Seconds to wait for another writer."""


class Opened:
    """What every part of a store shares; use it as a context manager, or call `close`."""

    def __init__(self, location: StoreLocation, *, writable: bool = True, timeout: float = TIMEOUT) -> None:
        self.location = location
        self.is_writable = writable
        self.patience = 0.0  # a server that is not there at the beginning is the wrong one
        self.engine = make_engine(location, writable=writable, timeout=timeout)
        self._board_ids: dict[Board, int] = {}
        try:
            prepare(location, self.engine, writable=writable, timeout=timeout)
        except BaseException:
            self.close()
            raise
        self.patience = 0.0 if location.is_sqlite else timeout

    def close(self) -> None:
        """Close all connections; the last one to close a SQLite file leaves nothing beside it."""
        self.engine.dispose()

    def seal(self) -> None:
        """Make a SQLite file one that is whole without any other file beside it, for being given away."""
        if self.location.path is not None:
            with reading(self.engine, self.location) as connection:
                leave_wal(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @patiently
    def boards(self) -> list[Board]:
        """The boards on which anything was ever stored."""
        with reading(self.engine, self.location) as connection:
            return board_table.list_boards(connection)

    @patiently
    def find_board_id(self, board: Board) -> int | None:
        """The number that the board has in this store, if it has one."""
        if board not in self._board_ids:
            with reading(self.engine, self.location) as connection:
                found = board_table.find_id(connection, board)
            if found is None:
                return None
            self._board_ids[board] = found
        return self._board_ids[board]
