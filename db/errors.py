"""What can be wrong with a store, in one sentence each that names the place and, where there is one, the remedy."""

from __future__ import annotations

from claimeven.db.tables.errors import RowError, SchemaError, StoreError

__all__ = [
    "LostServerError",
    "MissingStoreError",
    "RowError",
    "SchemaError",
    "StoreBusyError",
    "StoreError",
    "describe_failure",
    "store_failure",
]


class MissingStoreError(StoreError, FileNotFoundError):
    """There is no store at that place."""

    @classmethod
    def at(cls, place: object) -> MissingStoreError:
        """The error with what to say and do."""
        return cls(f"{place}: there is no store; make one with: claimeven book build --ply 2")


class StoreBusyError(StoreError, TimeoutError):
    """Another process holds the store, and was waited for long enough."""


class LostServerError(StoreError, ConnectionError):
    """The server of a database does not answer, or has just ended what was asked."""


# What SQLite says, and what that means to the user.
_FAILURES = (
    ("database is locked", "another process is using it; try again when that has ended"),
    ("database table is locked", "another process is using it; try again when that has ended"),
    ("disk is full", "the disk is full; what was stored before is kept"),
    ("disk i/o error", "the disk cannot be written, it may be full; what was stored before is kept"),
    ("readonly database", "it cannot be written: the file or its directory is read-only"),
    ("unable to open database file", "it cannot be opened: the directory is missing or may not be written"),
    ("malformed", "the file is damaged; restore it from a copy, or delete it and build it again"),
    ("not a database", "it is not a claimeven store"),
)


def store_failure(place: str, text: str) -> StoreError:
    """The error to raise for what a database driver complained about."""
    kind = StoreBusyError if "is locked" in text.lower() else StoreError
    return kind(describe_failure(place, text))


def describe_failure(place: str, text: str) -> str:
    """What a database driver complained about, in words of use to the user.

    >>> describe_failure("book.db", "database is locked")
    'book.db: another process is using it; try again when that has ended'
    """
    reason = " ".join(text.split())
    for pattern, words in _FAILURES:
        if pattern in reason.lower():
            return f"{place}: {words}"
    return f"{place}: {reason}"
