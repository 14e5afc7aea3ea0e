"""What can be wrong with the tables of a store, in one sentence each."""

from __future__ import annotations


class StoreError(OSError):
    """The store cannot be used; the message is one sentence for the user.

    >>> from claimeven import Store
    >>> try:
    ...     Store.open("nowhere/book.db", writable=False)
    ... except StoreError as error:
    ...     print(type(error).__name__, isinstance(error, FileNotFoundError))
    MissingStoreError True
    """


class SchemaError(StoreError):
    """The store was made by another version of claimeven, or changed by something else."""


class RowError(StoreError, ValueError):
    """A row holds what was never written into it."""
