"""The versions of the tables: a new store gets them, an older one is brought up to date, a newer one is refused."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable

from sqlalchemy import Connection, Engine, func, insert, inspect, select, update

from claimeven.db import server_shape
from claimeven.db.engine import enter_wal, reading, writing
from claimeven.db.errors import MissingStoreError, SchemaError, StoreBusyError, StoreError
from claimeven.db.location import StoreLocation
from claimeven.db.migration import STEPS
from claimeven.db.sqlite_file import read_schema_version
from claimeven.db.tables import layout
from claimeven.db.tables.models import Base, SchemaRow

WAIT_SECONDS = 0.02

MAKING = 0x636C61696D6576
"""The number of the advisory lock of PostgreSQL that whoever makes or migrates a store holds."""


MIGRATIONS: dict[int, Callable[[Connection], None]] = dict(STEPS)
"""For each older version, what makes the next one of it."""


def find_version(location: StoreLocation, engine: Engine, timeout: float) -> int | None:
    """The schema version of what is at the location, None if nothing is; a file is looked at before it is opened."""
    if location.path is not None:
        return read_schema_version(location.path, timeout)
    with reading(engine, location) as connection:
        is_server = connection.dialect.name == "postgresql"
        if is_server:
            server_shape.check_objects(str(location), connection)
        tables = set(inspect(connection).get_table_names())
        if layout.SCHEMA_TABLE in tables:
            versions = connection.execute(select(SchemaRow.version)).scalars().all()
            if len(versions) != 1:
                raise StoreError(f"{location}: the database is damaged: it does not say its schema version")
            if is_server and versions[0] == layout.SCHEMA_VERSION:
                server_shape.check_columns(str(location), connection)
            return versions[0]
        if tables & set(Base.metadata.tables):
            raise StoreError(f"{location}: the database has tables of the names that a claimeven store uses")
        return None


def prepare(location: StoreLocation, engine: Engine, *, writable: bool, timeout: float) -> None:
    """Make sure that the store can be used: make it or bring it up to date if it may be written."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            return _prepare(location, engine, writable=writable, timeout=timeout)
        except StoreBusyError:
            # SQLite waits for those who read and write by itself, but not for one who is making the same file just now.
            if time.monotonic() >= deadline:
                raise
            time.sleep(WAIT_SECONDS)


def _prepare(location: StoreLocation, engine: Engine, *, writable: bool, timeout: float) -> None:
    version = find_version(location, engine, timeout)
    if version is None and not writable and not location.is_memory:
        raise MissingStoreError.at(location)
    check_version(location, layout.SCHEMA_VERSION if version is None else version, writable=writable)
    if writable and location.path is not None:
        _make_directory(location)
        with reading(engine, location) as connection:
            enter_wal(connection)
    if version == layout.SCHEMA_VERSION:
        return
    if location.is_sqlite:
        with writing(engine, location) as connection:
            _create_or_migrate(connection)
    else:
        with reading(engine, location) as connection:
            _create_or_migrate(connection)


def check_version(location: StoreLocation, version: int, *, writable: bool) -> None:
    """Raise SchemaError for a newer store, and for an older one that cannot be brought up to date, or not now."""
    if version > layout.SCHEMA_VERSION:
        raise SchemaError(
            f"{location}: a newer claimeven made this store (schema {version}, this one knows "
            f"{layout.SCHEMA_VERSION}); upgrade with: pip install --upgrade claimeven"
        )
    if any(step not in MIGRATIONS for step in range(version, layout.SCHEMA_VERSION)):
        raise SchemaError(
            f"{location}: this store is too old to be brought up to date (schema {version}, needed is "
            f"{layout.SCHEMA_VERSION}); build a new one with: claimeven book build --db NEW"
        )
    if version < layout.SCHEMA_VERSION and not writable:
        raise SchemaError(
            f"{location}: an older claimeven made this store; bring it up to date with: "
            f"claimeven book upgrade --db {shlex.quote(str(location))}"
        )


def _create_or_migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Until the end of the transaction. There is no table yet whose row could be the lock.
        connection.execute(select(func.pg_advisory_xact_lock(MAKING)))
    # Looked at again inside the transaction: another process may have been faster.
    if layout.SCHEMA_TABLE not in inspect(connection).get_table_names():
        Base.metadata.create_all(connection)
        connection.execute(insert(SchemaRow).values(id=1, version=layout.SCHEMA_VERSION))
        return
    version = connection.execute(select(SchemaRow.version)).scalar_one()
    for step in range(version, layout.SCHEMA_VERSION):
        MIGRATIONS[step](connection)
    connection.execute(update(SchemaRow).values(version=layout.SCHEMA_VERSION))


def _make_directory(location: StoreLocation) -> None:
    assert location.path is not None
    try:
        location.path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{location}: its directory cannot be made ({error.strerror})") from error
