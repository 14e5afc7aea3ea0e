"""Wrong verdicts that look as if they had been written: for tests of what finds them all the same."""

from __future__ import annotations

from sqlalchemy import select, update

from claimeven.db.engine import writing
from claimeven.db.store import Store
from claimeven.db.tables.layout import from_signed
from claimeven.db.tables.models import PositionRow
from claimeven.db.tables.seal import digest_of, seal_of


def reseal(store: Store) -> None:
    """Give every verdict the seal of what it says now."""
    row = PositionRow
    with writing(store.engine, store.location) as connection:
        for board in store.boards():
            of_board = row.board_id == store.find_board_id(board)
            columns = (row.ply, row.key, row.least, row.greatest, row.score, row.source)
            for ply, key, least, greatest, score, source in connection.execute(select(*columns).where(of_board)).all():
                score = -128 if score is None else score
                seal = seal_of(digest_of(board, from_signed(key), least, greatest, score, source))
                where = (of_board, row.ply == ply, row.key == key)
                connection.execute(update(row).where(*where).values(seal=seal))
