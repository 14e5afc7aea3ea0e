"""Rows in bulk: columns that all rows share are written as those that they do not."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import create_engine, select

from claimeven.db.tables.bulk import insert_rows
from claimeven.db.tables.models import Base, PositionRow

NAMES = ("ply", "key", "least", "greatest", "score", "seal", "source")


@pytest.mark.parametrize(
    "rows",
    [
        [(3, 17, 1, 1, None, 5, 2)],
        [(3, 17, 1, 1, None, 5, 2), (3, -18, 1, 1, None, 6, 2)],
        [(3, 17, 1, 1, 4, 5, 2), (3, 18, 1, 1, None, 5, 2)],
        [(3, 17, 1, 1, 4, 5, 2), (4, 18, -1, -1, 4, 7, 3)],
    ],
)
def test_what_is_inserted_is_read(rows: list[tuple[Any, ...]]) -> None:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        table: Any = PositionRow.__table__
        columns = {name: list(values) for name, values in zip(NAMES, zip(*rows, strict=True), strict=True)}
        insert_rows(connection, table, 1, columns)
        read = connection.execute(select(PositionRow.board_id, *(getattr(PositionRow, name) for name in NAMES))).all()
    assert sorted(read) == sorted((1, *row) for row in rows)
