"""The numbers that boards have in a store."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from claimeven.db.tables.models import BoardRow
from claimeven.db.tables.rows import check_board
from claimeven.solver.board import Board


def find_id(connection: Connection, board: Board) -> int | None:
    """The number of a board, if it has one."""
    row = BoardRow
    statement = select(row.id).where(row.columns == board.columns, row.rows == board.rows, row.connect == board.connect)
    return connection.execute(statement).scalar()


def make_id(connection: Connection, board: Board) -> int:
    """The number of a board, a new one if it had none; in a transaction that nobody else writes beside."""
    found = find_id(connection, board)
    if found is not None:
        return found
    values = {"columns": board.columns, "rows": board.rows, "connect": board.connect}
    result = connection.execute(insert(BoardRow).values(**values))
    assert result.inserted_primary_key is not None
    number: int = result.inserted_primary_key[0]
    return number


def list_boards(connection: Connection) -> list[Board]:
    """All boards that have a number."""
    rows = connection.execute(select(BoardRow.columns, BoardRow.rows, BoardRow.connect).order_by(BoardRow.id))
    return [check_board(*row) for row in rows]
