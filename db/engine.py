"""The engine that a store works with: how SQLite is set up, who may write, and errors as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import QueuePool, StaticPool

from claimeven.db.errors import LostServerError, RowError, StoreError, describe_failure, store_failure
from claimeven.db.location import StoreLocation
from claimeven.db.secret import hide_in
from claimeven.db.sqlite_file import connect_for_reading, connect_for_writing
from claimeven.db.tables.models import SchemaRow

_WRITES = "claimeven_writes"


def make_engine(location: StoreLocation, *, writable: bool, timeout: float) -> Engine:
    """An engine for the location; nothing is opened yet. `timeout` is how long to wait for another writer."""
    if not location.is_sqlite:
        return _make_server_engine(location)
    engine: Engine
    if location.path is None:
        # One connection, as every connection would have a memory of its own.
        engine = create_engine(
            "sqlite://",
            poolclass=StaticPool,
            connect_args={"check_same_thread": False, "isolation_level": None},
        )
    else:
        path, connect = location.path, connect_for_writing if writable else connect_for_reading
        engine = create_engine("sqlite://", creator=lambda: connect(path, timeout), poolclass=QueuePool)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _make_server_engine(location: StoreLocation) -> Engine:
    try:
        url = make_url(location.url)
        if "@" in (url.host or ""):
            # The rest of the password would be taken for the name of a computer, and asked for in the network.
            raise StoreError(f"{location}: an @ in the password is written %40")
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")  # the one that is tested, and that `bulk` knows
        return create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        reason = hide_in(str(error), location.url)
        raise StoreError(f"{location}: it is neither a path nor a database URL ({reason})") from None
    except ImportError as error:
        remedy = "; for PostgreSQL: pip install 'claimeven[postgresql]'" if "psycopg" in str(error) else ""
        raise StoreError(f"{location}: the driver for this database is not installed ({error}){remedy}") from error


def _set_up(connection: Any, record: object) -> None:
    # Safe against a killed process; a power cut may cost the last batch, never the file.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -65536")
    # Pages that cannot be right are noticed when they are read, and functions in a schema do nothing.
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")


def _begin(connection: Connection) -> None:
    # Taking the write lock at once lets a second writer wait for it; taking it later would make him fail.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def reading(engine: Engine, location: StoreLocation) -> Iterator[Connection]:
    """A connection in a transaction that sees one state of the store."""
    with translated(location), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine, location: StoreLocation) -> Iterator[Connection]:
    """A connection in a transaction that nobody else writes beside; all of it is kept, or nothing."""
    with (
        translated(location),
        engine.connect().execution_options(**{_WRITES: True}) as connection,
        connection.begin(),
    ):
        if engine.dialect.name != "sqlite":
            connection.execute(select(SchemaRow.version).with_for_update())
        yield connection


def enter_wal(connection: Connection) -> None:
    """Let readers of a SQLite file go on while somebody writes, from now on."""
    _set_journal(connection, "WAL")


def leave_wal(connection: Connection) -> None:
    """Undo `enter_wal`."""
    _set_journal(connection, "DELETE")


def _set_journal(connection: Connection, mode: str) -> None:
    # Outside of a transaction, where alone it can be changed.
    connection.exec_driver_sql("COMMIT")
    connection.exec_driver_sql(f"PRAGMA journal_mode = {mode}")
    connection.exec_driver_sql("BEGIN")


@contextmanager
def translated(location: StoreLocation) -> Iterator[None]:
    """Turn what the database complains about into a StoreError."""
    try:
        yield
    except RowError as error:
        raise RowError(f"{location}: {error}") from None
    except UnicodeDecodeError as error:
        raise store_failure(str(location), "malformed") from error
    except DBAPIError as error:
        if not location.is_sqlite and _is_cut_off(error):
            reason = hide_in(str(error.orig), location.url)
            raise LostServerError(describe_failure(str(location), reason)) from error
        raise store_failure(str(location), hide_in(str(error.orig), location.url)) from error
    except SQLAlchemyError as error:
        raise store_failure(str(location), hide_in(str(error), location.url)) from error


def _is_cut_off(error: DBAPIError) -> bool:
    """Whether a server has gone, is going or is not there yet, and not what was asked is wrong."""
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", None)
    # Without a state it is the way there that failed; 57P01 to 57P03 are a server that stops or starts.
    return isinstance(error, OperationalError | InterfaceError) and (state is None or state in _STOPPING)


_STOPPING = ("57P01", "57P02", "57P03")
