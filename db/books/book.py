"""A book as one object: what a store knows of the first plies of a board, to be asked, gone through and exported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from claimeven.db.books.files import EXPORT_FORMATS, export_book
from claimeven.db.location import StoreLocation
from claimeven.db.position_answer import PositionAnswer, answer
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.notation import parse_position
from claimeven.solver.position import Position
from claimeven.solver.verdict import Verdict

if TYPE_CHECKING:
    from os import PathLike

_SUFFIXES = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".db": "sqlite", ".book": "pons", ".dat": "bitbully"}


class Book:
    """The positions of one board, up to a ply, that a store knows something of; mirror images count as one.

    It belongs to its store and is closed with it. As a context manager it closes that store.

    >>> with Book.build(Store.open("sqlite://"), ply=2, board=Board(4, 4)) as book:
    ...     book.plies, len(book), book["12"].value, "4321" in book
    ((0, 1, 2), 11, <Value.DRAW: 'draw'>, False)
    """

    def __init__(self, store: Store, board: Board | None = None, ply: int | None = None) -> None:
        self.store = store
        self.board = board or Board()
        self.ply = ply

    @classmethod
    def open(cls, where: PathLike[str] | str | None = None, board: Board | None = None, ply: int | None = None) -> Book:
        """The book in the store at a place, which is only read; raises StoreError if there is none.

        None is the store of the command, as `claimeven.Store.open` has it.
        """
        location = StoreLocation.find(None if where is None else str(where))
        return cls(Store.open(location, writable=False), board, ply)

    @classmethod
    def build(cls, store: Store, ply: int, board: Board | None = None, *, scores: bool = False) -> Book:
        """Solve every position up to a ply into the store, as far as it does not know them, with `scores` exactly."""
        from claimeven.db.books.build import BuildCounts, build_book
        from claimeven.solver.deciding.decider import Decider

        board = board or Board()
        build_book(store, Decider(board, scores=scores), ply, BuildCounts(), lambda number, counts: None)
        return cls(store, board, ply)

    @property
    def plies(self) -> tuple[int, ...]:
        """The plies of which it holds anything."""
        return tuple(ply for ply in self.store.plies(self.board) if self._reaches(ply))

    def __len__(self) -> int:
        counts = self.store.count_positions(self.board)
        return sum(number for ply, number in counts.items() if self._reaches(ply))

    def __iter__(self) -> Iterator[Position]:
        """The positions, ply by ply, of two mirror images one."""
        return (position for position, _ in self.items())

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position | str) and self.get(position) is not None

    def __getitem__(self, position: Position | str) -> Verdict:
        """The verdict on a position; raises KeyError if the book has none."""
        verdict = self.get(position)
        if verdict is None:
            raise KeyError(position)
        return verdict

    def get(self, position: Position | str) -> Verdict | None:
        """The verdict on a position, None if the book has none."""
        asked = self._read(position)
        if asked.board != self.board or not self._reaches(asked.ply):
            return None
        verdict = self.store.get(asked)
        return None if verdict.source is None else verdict

    def query(self, position: Position | str) -> PositionAnswer:
        """All that is known of a position and its moves, as `claimeven.Store.query` gives it."""
        return answer(self._read(position), self.store)

    def items(self) -> Iterator[tuple[Position, Verdict]]:
        """The positions with their verdicts, ply by ply."""
        for ply in self.plies:
            for batch in self.store.read_ply(self.board, ply):
                for place, key in enumerate(batch.keys):
                    yield Position.from_key(self.board, int(key)), batch.verdict(place)

    def export(self, out: PathLike[str] | str, format: str | None = None) -> int:
        """Write the book to a file, in the format given or else by its name; gives the number of positions in it.

        Raises FormatError, a ValueError, for a book that the format cannot hold.
        """
        path = Path(out)
        name = format or _SUFFIXES.get(path.suffix.lower())
        if name not in EXPORT_FORMATS:
            raise ValueError(f"{name or path.name!r} is not a format of books; these are {', '.join(EXPORT_FORMATS)}")
        return export_book(self.store, self.board, name, path, self.ply)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        upto = "" if self.ply is None else f", up to ply {self.ply}"
        return f"<Book of {self.board}{upto} in {self.store.location}>"

    def _reaches(self, ply: int) -> bool:
        return self.ply is None or ply <= self.ply

    def _read(self, position: Position | str) -> Position:
        return position if isinstance(position, Position) else parse_position(position, self.board)
