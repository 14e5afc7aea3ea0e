"""The store that a command works with: --db and its environment variable, in the same words for every command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from claimeven.db.errors import StoreError
from claimeven.db.location import VARIABLE, StoreLocation
from claimeven.scripts.errors import InputError
from claimeven.solver.verdict import ContradictionError

if TYPE_CHECKING:
    from claimeven.db.quick_reader import Reader
    from claimeven.db.store import Store
    from claimeven.solver.board import Board

Command = TypeVar("Command", bound=Callable[..., Any])

db_option = click.option(
    "--db",
    metavar="PATH|URL",
    help=f"The store: a file, or a database URL; others can see a password here, but not in {VARIABLE}.  "
    f"[default: {VARIABLE}, or a file in your data directory]",
)
no_book_option = click.option("--no-book", is_flag=True, help="Do without the book that comes with the program.")
no_cache_option = click.option("--no-cache", is_flag=True, help="Neither read nor write the store.")


@contextmanager
def store_errors() -> Iterator[None]:
    """End the command with one clear line and status 1 if the store cannot be used or contradicts itself."""
    try:
        yield
    except (StoreError, ContradictionError) as error:
        raise click.ClickException(str(error)) from error


def choose_boards(store: Store, wanted: list[Board]) -> list[Board]:
    """The boards that the user asked for, or all of the store; raises InputError for one that it knows nothing of."""
    known = store.boards()
    for board in wanted:
        if board not in known:
            names = ", ".join(map(str, known)) or "no board"
            raise InputError(f"--board: the store knows nothing of {board}; it knows {names}")
    return wanted or known


@contextmanager
def open_known(
    db: str | None, *, uses_store: bool = True, uses_book: bool = True, needs_store: bool = False
) -> Iterator[Reader | None]:
    """What is known of single positions: by the store that the user chose, and by the book; None without both.

    A store that the user did not name need not be there, unless `needs_store` says so. Errors end the command as
    `store_errors` says.
    """
    with store_errors(), ExitStack() as stack:
        from claimeven.db.books.reader import ReaderWithBook
        from claimeven.db.errors import MissingStoreError
        from claimeven.db.quick_reader import open_reader

        reader: Reader | None = None
        if uses_store:
            try:
                reader = stack.enter_context(open_reader(StoreLocation.find(db)))
            except MissingStoreError:
                if db is not None or needs_store:
                    raise
        yield ReaderWithBook(reader) if uses_book else reader


@contextmanager
def open_store(db: str | None, *, writable: bool, or_read_only: bool = False) -> Iterator[Store]:
    """The store that the user chose, closed afterwards; errors end the command as `store_errors` says.

    With `or_read_only` one that cannot be written is opened for reading, and the user is told.
    """
    with store_errors():
        from claimeven.db.store import Store

        location = StoreLocation.find(db)
        if or_read_only and location.is_read_only:
            writable = False
            click.echo(f"{location}: it is read-only, so what is found is not kept", err=True)
        with Store.open(location, writable=writable) as store:
            yield store
