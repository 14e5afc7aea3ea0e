"""A SQLite file before it is trusted: is it there, is it whole, is it a store, and of which schema version?

Looking changes nothing in the file: it is opened for reading only. But where a transaction was cut short, SQLite takes
back what it left before the file is judged.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
from pathlib import Path
from urllib.parse import quote

from claimeven.db.errors import StoreError, store_failure
from claimeven.db.tables.layout import SCHEMA_TABLE, SCHEMA_VERSION
from claimeven.db.tables.shape import check_objects, check_shape

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100


def connect_for_reading(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection that does not write; works in a read-only directory too, when nobody is writing."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        # With the right to write, SQLite can take away the two files beside the store when it closes the last one.
        connection = _connect(path, "mode=rw", timeout)
        connection.execute("PRAGMA query_only = ON")
        return connection
    return _connect(path, _looking_only(path), timeout)


def connect_for_writing(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection that makes the file if it is not there."""
    return sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)


def read_schema_version(path: Path, timeout: float) -> int | None:
    """The schema version of the store in this file; None if there is no file, or an empty one.

    Raises StoreError for anything that is not a whole store.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a directory" if path.is_dir() else "not a file"
            raise StoreError(f"{path}: it is {what}, and a store is a file")
        if _has_hot_journal(path):
            _roll_back(path, timeout)
        header, size = _read_header(path)
    except StoreError:
        raise
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    if size == 0:
        return None
    if not header.startswith(_MAGIC):
        raise StoreError(f"{path}: it is not a claimeven store, nor a SQLite database at all")
    if size < _expected_size(header) and not _wal(path).exists():
        raise StoreError(
            f"{path}: the file is cut off, {size:,} of {_expected_size(header):,} bytes are there; "
            "restore it from a copy, or delete it and build it again"
        )
    try:
        connection = _connect(path, _looking_only(path), timeout)
        try:
            check_objects(str(path), connection)
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            if not rows:
                return None
            if (SCHEMA_TABLE,) not in rows:
                raise StoreError(f"{path}: it is a SQLite database, but not a claimeven store")
            versions = connection.execute(f"SELECT version FROM {SCHEMA_TABLE}").fetchall()
            if versions == [(SCHEMA_VERSION,)]:
                check_shape(str(path), connection)
        finally:
            connection.close()
    except UnicodeDecodeError as error:  # a sentence of SQLite's about a schema that is no text any more
        raise store_failure(str(path), "malformed") from error
    except sqlite3.Error as error:
        raise store_failure(str(path), str(error)) from error
    if len(versions) != 1 or not isinstance(versions[0][0], int):
        raise StoreError(f"{path}: the file is damaged: it does not say its schema version")
    version: int = versions[0][0]
    return version


def _has_hot_journal(path: Path) -> bool:
    """Whether beside the file is what SQLite needs to take back a transaction that was cut short."""
    try:
        return path.with_name(path.name + "-journal").stat().st_size > 0
    except OSError:
        return False


def _roll_back(path: Path, timeout: float) -> None:
    try:
        connection = _connect(path, "mode=rw", timeout)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise store_failure(str(path), str(error)) from error


def _connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)


def _looking_only(path: Path) -> str:
    """How to open a file without leaving anything beside it: without a log nobody is writing."""
    return "mode=ro" if _wal(path).exists() else "mode=ro&immutable=1"


def _read_header(path: Path) -> tuple[bytes, int]:
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES), os.fstat(file.fileno()).st_size


def _expected_size(header: bytes) -> int:
    """The size that the header of a SQLite file gives, 0 if it gives none (the file format, §1.3)."""
    if len(header) < _HEADER_BYTES:
        return _HEADER_BYTES
    (page_size,) = struct.unpack_from(">H", header, 16)
    change_counter, pages = struct.unpack_from(">II", header, 24)
    (valid_for,) = struct.unpack_from(">I", header, 92)
    return pages * (65536 if page_size == 1 else page_size) if valid_for == change_counter else 0


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")
