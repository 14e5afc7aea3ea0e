"""The tables, as SQLAlchemy models; their rows never leave this package.

A position is a board, a ply and a canonical key (`layout.to_signed`). The ply follows from the key, but with it in the
primary key a ply lies in one piece, so that reading a ply needs no further index. Rows have no number of their own in
SQLite (`WITHOUT ROWID`): the primary key is the table.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Float, ForeignKey, SmallInteger, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from claimeven.db.tables import layout


class Base(DeclarativeBase):
    """The registry of the tables."""


class SchemaRow(Base):
    """The one row that says which version of the tables these are."""

    __tablename__ = layout.SCHEMA_TABLE

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]


class BoardRow(Base):
    """A board on which something is known."""

    __tablename__ = layout.BOARD_TABLE
    __table_args__ = (UniqueConstraint("columns", "rows", "connect"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    columns: Mapped[int] = mapped_column(SmallInteger)
    rows: Mapped[int] = mapped_column(SmallInteger)
    connect: Mapped[int] = mapped_column(SmallInteger)


class PositionColumns:
    """What names a position. It comes first in every table: SQLite 3.40 takes other orders for damage."""

    board_id: Mapped[int] = mapped_column(
        SmallInteger, ForeignKey(f"{layout.BOARD_TABLE}.id"), primary_key=True, autoincrement=False, sort_order=-3
    )
    ply: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False, sort_order=-3)
    key: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, sort_order=-3)


class VerdictColumns(PositionColumns):
    """A position and bounds on its value, as ranks of `Value`; the score is the side to move's."""

    least: Mapped[int] = mapped_column(SmallInteger, sort_order=-2)
    greatest: Mapped[int] = mapped_column(SmallInteger, sort_order=-2)
    score: Mapped[int | None] = mapped_column(SmallInteger, sort_order=-2)


class PositionRow(VerdictColumns, Base):
    """A verdict that this program reached."""

    __tablename__ = layout.POSITION_TABLE
    __table_args__ = (CheckConstraint("least <= greatest"), {"sqlite_with_rowid": False})

    source: Mapped[int] = mapped_column(SmallInteger)


class ClaimRow(VerdictColumns, Base):
    """A verdict that an imported file claims. No verdict is ever derived from it."""

    __tablename__ = layout.CLAIM_TABLE
    __table_args__ = (CheckConstraint("least <= greatest"), {"sqlite_with_rowid": False})

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{layout.RUN_TABLE}.id"))


class CertificateRow(PositionColumns, Base):
    """The certificate of a rule proof, as `certificate_text` writes it."""

    __tablename__ = layout.CERTIFICATE_TABLE
    __table_args__ = ({"sqlite_with_rowid": False},)

    proof: Mapped[str] = mapped_column(Text)


class EffortRow(PositionColumns, Base):
    """What deciding a position cost; only the dearest of a board are kept."""

    __tablename__ = layout.EFFORT_TABLE
    __table_args__ = ({"sqlite_with_rowid": False},)

    nodes: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[float] = mapped_column(Float)


class GameRow(Base):
    """A game of an arena: who played, the moves, and how it ended."""

    __tablename__ = layout.GAME_TABLE

    run_id: Mapped[int] = mapped_column(ForeignKey(f"{layout.RUN_TABLE}.id"), primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    first: Mapped[str] = mapped_column(Text)
    second: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    opening: Mapped[str] = mapped_column(Text)
    moves: Mapped[str] = mapped_column(Text)
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    ending: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class RunRow(Base):
    """A run that wrote into the store: what was asked, with which versions, from when to when, with what result."""

    __tablename__ = layout.RUN_TABLE

    id: Mapped[int] = mapped_column(primary_key=True)
    command: Mapped[str] = mapped_column(Text)
    arguments: Mapped[dict[str, Any]] = mapped_column(JSON)
    versions: Mapped[dict[str, str]] = mapped_column(JSON)
    started: Mapped[str] = mapped_column(Text)
    ended: Mapped[str | None] = mapped_column(Text)
    counts: Mapped[dict[str, Any] | None] = mapped_column(JSON)
