"""The tables, as SQLAlchemy models; their rows never leave this package.

A position is a board, a ply and a canonical key (`layout.to_signed`). The ply follows from the key, but with it in the
primary key a ply lies in one piece, so that reading a ply needs no further index. Rows have no number of their own in
SQLite (`WITHOUT ROWID`): the primary key is the table.

The tables themselves refuse what cannot be: their columns take one type only (`STRICT` in SQLite), and checks say what
numbers are possible. `rows` says the rest, `shape` what a file must look like.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    JSON,
    REAL,
    BigInteger,
    CheckConstraint,
    Dialect,
    Float,
    ForeignKey,
    Integer,
    SmallInteger,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from claimeven.db.tables import layout


class JsonText(TypeDecorator[Any]):
    """JSON in a column of text; what is not JSON comes out as the text that it is, for `rows` to refuse."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        try:
            return None if value is None else json.loads(value)
        except (TypeError, ValueError, RecursionError):
            return value


# A strict table of SQLite knows one type of each kind.
Small = SmallInteger().with_variant(Integer(), "sqlite")
Large = BigInteger().with_variant(Integer(), "sqlite")
Real = Float().with_variant(REAL(), "sqlite")
Fields = JSON().with_variant(JsonText(), "sqlite")

STRICT = {"sqlite_strict": True}
POSITIONS = {"sqlite_strict": True, "sqlite_with_rowid": False}


class Base(DeclarativeBase):
    """The registry of the tables."""


class SchemaRow(Base):
    """The one row that says which version of the tables these are."""

    __tablename__ = layout.SCHEMA_TABLE
    __table_args__ = STRICT

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]


class BoardRow(Base):
    """A board on which something is known."""

    __tablename__ = layout.BOARD_TABLE
    __table_args__ = (
        UniqueConstraint("columns", "rows", "connect"),
        CheckConstraint("columns >= 1 AND rows >= 1 AND connect >= 3 AND columns * (rows + 1) <= 64"),
        STRICT,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    columns: Mapped[int] = mapped_column(Small)
    rows: Mapped[int] = mapped_column(Small)
    connect: Mapped[int] = mapped_column(Small)


class PositionColumns:
    """What names a position. It comes first in every table: SQLite 3.40 takes other orders for damage."""

    board_id: Mapped[int] = mapped_column(
        Small, ForeignKey(f"{layout.BOARD_TABLE}.id"), primary_key=True, autoincrement=False, sort_order=-3
    )
    ply: Mapped[int] = mapped_column(Small, primary_key=True, autoincrement=False, sort_order=-3)
    key: Mapped[int] = mapped_column(Large, primary_key=True, autoincrement=False, sort_order=-3)


class VerdictColumns(PositionColumns):
    """A position and bounds on its value, as ranks of `Value`; the score is the side to move's, the seal `seal`'s."""

    least: Mapped[int] = mapped_column(Small, sort_order=-2)
    greatest: Mapped[int] = mapped_column(Small, sort_order=-2)
    score: Mapped[int | None] = mapped_column(Small, sort_order=-2)
    seal: Mapped[int] = mapped_column(Small)


PLIES = "ply BETWEEN 0 AND 64"
VERDICTS = (
    f"{PLIES} AND least BETWEEN -1 AND 1 AND greatest BETWEEN -1 AND 1 AND least <= greatest "
    "AND (least > -1 OR greatest < 1) AND (score IS NULL OR (least = greatest AND score BETWEEN -32 AND 32)) "
    "AND seal BETWEEN 0 AND 32767"
)


class PositionRow(VerdictColumns, Base):
    """A verdict that this program reached."""

    __tablename__ = layout.POSITION_TABLE
    __table_args__ = (CheckConstraint(f"{VERDICTS} AND source BETWEEN 1 AND 31"), POSITIONS)

    source: Mapped[int] = mapped_column(Small)


class ClaimRow(VerdictColumns, Base):
    """A verdict that an imported file claims. No verdict is ever derived from it."""

    __tablename__ = layout.CLAIM_TABLE
    __table_args__ = (CheckConstraint(VERDICTS), POSITIONS)

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{layout.RUN_TABLE}.id"))


class CertificateRow(PositionColumns, Base):
    """The certificate of a rule proof, as `certificate_text` writes it."""

    __tablename__ = layout.CERTIFICATE_TABLE
    __table_args__ = (CheckConstraint(PLIES), POSITIONS)

    proof: Mapped[str] = mapped_column(Text)


class EffortRow(PositionColumns, Base):
    """What deciding a position cost; only the dearest of a board are kept."""

    __tablename__ = layout.EFFORT_TABLE
    __table_args__ = (CheckConstraint(f"{PLIES} AND nodes >= 0 AND seconds >= 0"), POSITIONS)

    nodes: Mapped[int] = mapped_column(Large)
    seconds: Mapped[float] = mapped_column(Real)


class FindingRow(PositionColumns, Base):
    """Bounds on the score of a position, the side to move's, which a search found on its way to another one, its root.

    It is no verdict: nobody reads it but a search that goes on.
    """

    __tablename__ = layout.FINDING_TABLE
    __table_args__ = (
        CheckConstraint(
            f"{PLIES} AND least BETWEEN -32 AND 32 AND greatest BETWEEN -32 AND 32 AND least <= greatest "
            "AND work BETWEEN 1 AND 63 AND seal BETWEEN 0 AND 32767"
        ),
        POSITIONS,
    )

    least: Mapped[int] = mapped_column(Small)
    greatest: Mapped[int] = mapped_column(Small)
    work: Mapped[int] = mapped_column(Small)
    root: Mapped[int] = mapped_column(Large)
    seal: Mapped[int] = mapped_column(Small)


class GameRow(Base):
    """A game of an arena: who played, the moves, and how it ended."""

    __tablename__ = layout.GAME_TABLE
    __table_args__ = (CheckConstraint("number >= 0 AND winner BETWEEN 1 AND 2"), STRICT)

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{layout.RUN_TABLE}.id"), primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    first: Mapped[str] = mapped_column(Text)
    second: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    opening: Mapped[str] = mapped_column(Text)
    moves: Mapped[str] = mapped_column(Text)
    winner: Mapped[int | None] = mapped_column(Small)
    ending: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(Fields)


class RunRow(Base):
    """A run that wrote into the store: what was asked, with which versions, from when to when, with what result."""

    __tablename__ = layout.RUN_TABLE
    __table_args__ = STRICT

    id: Mapped[int] = mapped_column(primary_key=True)
    command: Mapped[str] = mapped_column(Text)
    arguments: Mapped[dict[str, Any]] = mapped_column(Fields)
    versions: Mapped[dict[str, str]] = mapped_column(Fields)
    started: Mapped[str] = mapped_column(Text)
    ended: Mapped[str | None] = mapped_column(Text)
    counts: Mapped[dict[str, Any] | None] = mapped_column(Fields)


class LedgerRow(Base):
    """How many rows a part of a table has, and the sum of their digests: whatever was changed, lost or added shows.

    A part is a ply of a board or, for tables without boards, all of it (board and ply 0). It is written in the
    transaction that writes the rows.
    """

    __tablename__ = layout.LEDGER_TABLE
    __table_args__ = POSITIONS

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    board_id: Mapped[int] = mapped_column(Small, primary_key=True, autoincrement=False)
    ply: Mapped[int] = mapped_column(Small, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Large)
    digest: Mapped[int] = mapped_column(Large)
