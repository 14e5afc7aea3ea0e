"""The store as users have it: opened without ado, asked about positions, and seen as a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimeven._position import as_position
from claimeven.db import store
from claimeven.db.books.book import Book
from claimeven.db.location import StoreLocation
from claimeven.db.position_answer import PositionAnswer, answer
from claimeven.db.stored.opened import TIMEOUT
from claimeven.solver.board import Board
from claimeven.solver.position import Position

if TYPE_CHECKING:
    from os import PathLike


class Store(store.Store):
    """Verdicts and proofs that only ever become tighter, in a SQLite file or any database that SQLAlchemy knows.

    Use it as a context manager, or call `close`. `solve`, `analyze` and `solve_many` take one as `store`.

    >>> from claimeven import solve
    >>> with Store.open(":memory:") as store:
    ...     verdict = solve("44455554221", store=store)
    ...     store.query("44455554221").verdict == verdict, len(store.book())
    (True, 1)
    """

    @classmethod
    def open(
        cls,
        where: StoreLocation | PathLike[str] | str | None = None,
        *,
        writable: bool = True,
        timeout: float = TIMEOUT,
    ) -> Store:
        """The store at a path or a URL of SQLAlchemy; one that may be written is made if it is not there.

        None is the store of the command: that of CLAIMEVEN_DB, or the file in the user's data directory. Raises
        StoreError, whose message is one sentence for the user.
        """
        location = (
            where if isinstance(where, StoreLocation) else StoreLocation.find(None if where is None else str(where))
        )
        return cls(location, writable=writable, timeout=timeout)

    def query(self, position: Position | str) -> PositionAnswer:
        """What is known of a position and of its moves, and which of them are best; nothing is searched."""
        return answer(as_position(position), self)

    def book(self, board: Board | None = None, ply: int | None = None) -> Book:
        """What is known of the plies of a board, 7x6 unless another is given, up to a ply or all of them."""
        return Book(self, board, ply)

    def __enter__(self) -> Store:
        return self
