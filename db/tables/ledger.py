"""The ledger: of every part of a table the number of rows and the sum of their digests (`models.LedgerRow`).

Whoever writes rows notes here, in the same transaction, what came and what went. So a row that was changed, lost or
added by anybody else is found by reading the table once, without searching anything again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, update

from claimeven.db.tables.layout import LEDGER_TABLE, from_signed, to_signed
from claimeven.db.tables.models import LedgerRow
from claimeven.db.tables.rows import refuse_row
from claimeven.db.tables.seal import MASK


@dataclass(frozen=True, slots=True)
class Sum:
    """How many rows, and the sum of their digests modulo 2^64."""

    number: int = 0
    digest: int = 0

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.number + other.number, (self.digest + other.digest) & MASK)

    def __sub__(self, other: Sum) -> Sum:
        return Sum(self.number - other.number, (self.digest - other.digest) & MASK)

    @classmethod
    def of(cls, digests: NDArray[np.uint64]) -> Sum:
        """The sum of many digests."""
        return cls(len(digests), int(np.sum(digests, dtype=np.uint64)))


def note(connection: Connection, table: str, board_id: int, ply: int, change: Sum) -> None:
    """Add to what is noted of a part of a table."""
    if change == Sum():
        return
    found = connection.execute(select(LedgerRow.number, LedgerRow.digest).where(_part(table, board_id, ply))).first()
    if found is None:
        values = {"name": table, "board_id": board_id, "ply": ply}
        connection.execute(insert(LedgerRow).values(**values, number=change.number, digest=to_signed(change.digest)))
        return
    new = _read_sum(found[0], found[1]) + change
    connection.execute(
        update(LedgerRow).where(_part(table, board_id, ply)).values(number=new.number, digest=to_signed(new.digest))
    )


def note_plies(
    connection: Connection,
    table: str,
    board_id: int,
    plies: NDArray[np.uint8],
    new: NDArray[np.uint64],
    old: NDArray[np.uint64],
    is_new: NDArray[np.bool_],
) -> None:
    """Add to what is noted of the plies of rows that were written: their digests now and, if not new, before."""
    for ply in np.flatnonzero(np.bincount(plies)).tolist():
        of_ply = plies == ply
        change = Sum.of(new[of_ply]) - Sum.of(old[of_ply & ~is_new])
        note(connection, table, board_id, ply, change)


def replace(connection: Connection, table: str, board_id: int, ply: int, total: Sum) -> None:
    """Note what a part of a table is, whatever was noted before."""
    connection.execute(delete(LedgerRow).where(_part(table, board_id, ply)))
    note(connection, table, board_id, ply, total)


def count_noted(connection: Connection, table: str, board_id: int, ply: int) -> int:
    """How many rows a part of a table has, as it is noted."""
    found = connection.execute(select(LedgerRow.number, LedgerRow.digest).where(_part(table, board_id, ply))).first()
    return 0 if found is None else _read_sum(*found).number


def read_ledger(connection: Connection) -> dict[tuple[str, int, int], Sum]:
    """All that is noted, by table, number of the board and ply; parts without rows are left out."""
    columns = (LedgerRow.name, LedgerRow.board_id, LedgerRow.ply, LedgerRow.number, LedgerRow.digest)
    return {
        (row.name, row.board_id, row.ply): _read_sum(row.number, row.digest)
        for row in connection.execute(select(*columns))
        if row.number != 0 or row.digest != 0
    }


def _read_sum(number: Any, digest: Any) -> Sum:
    if not isinstance(number, int) or not isinstance(digest, int):
        refuse_row(LEDGER_TABLE, f"{number!r}, {digest!r}", "not all of it are numbers")
    return Sum(number, from_signed(digest))


def _part(table: str, board_id: int, ply: int) -> ColumnElement[bool]:
    return and_(LedgerRow.name == table, LedgerRow.board_id == board_id, LedgerRow.ply == ply)
