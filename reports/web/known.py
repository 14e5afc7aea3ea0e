"""What is known without searching: the store, read in a thread of its own, and the book that comes with the program.

Searches have other threads, so a question that the store answers waits for nothing but other such questions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

from claimeven.db.books.reader import ReaderWithBook
from claimeven.db.errors import MissingStoreError, StoreError
from claimeven.db.knowledge import Knowledge
from claimeven.db.location import StoreLocation
from claimeven.db.position_answer import PositionAnswer, answer
from claimeven.db.quick_reader import Reader, open_reader
from claimeven.db.store import Store
from claimeven.reports.web.problem import Problem
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, ContradictionError, Source, Verdict

Result = TypeVar("Result")

NOTHING = Knowledge(UNKNOWN, UNKNOWN, None)


class Nothing:
    """The reader of no store at all."""

    def read(self, positions: list[Position]) -> list[Knowledge]:
        return [NOTHING] * len(positions)


class Known:
    """The store at a location and the book; with `writes` what was searched is kept.

    Without a location there is no store. One that is not there is made if it is to be written, and else does without.
    """

    def __init__(self, location: StoreLocation | None, *, uses_book: bool = True, writes: bool = False) -> None:
        self.location = location
        self._uses_book = uses_book
        self.writes = writes and location is not None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="known")
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="keep")
        self._stack = ExitStack()
        self._reader: Reader = Nothing()
        self._store: Store | None = None

    async def open(self) -> None:
        """Open the store; raises StoreError if it cannot be used."""
        loop = asyncio.get_running_loop()
        if self.writes:
            await loop.run_in_executor(self._writing, self._open_store)
        await loop.run_in_executor(self._reading, self._open_reader)

    async def close(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._reading, self._stack.close)
        await loop.run_in_executor(self._writing, self._close_store)
        self._reading.shutdown()
        self._writing.shutdown()

    async def answer(self, position: Position) -> PositionAnswer:
        """What is known of a position and of its moves."""
        return await self._read(lambda: answer(position, self._reader))

    async def read(self, positions: list[Position]) -> list[Knowledge]:
        """What is known of several positions of one board."""
        return await self._read(lambda: self._reader.read(positions))

    async def keep(self, verdicts: Iterable[tuple[Position, Verdict]]) -> None:
        """Store what search found, if the server may write."""
        found = [(position, verdict) for position, verdict in verdicts if verdict.source is Source.SEARCH]
        if self._store is None or not found:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._writing, self._write, found)
        except (StoreError, ContradictionError) as error:
            raise Problem(503, "store", str(error)) from None

    async def _read(self, ask: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, ask)
        except (StoreError, ContradictionError) as error:
            raise Problem(503, "store", str(error)) from None

    def _write(self, found: list[tuple[Position, Verdict]]) -> None:
        assert self._store is not None
        for position, verdict in found:
            self._store.put(position, verdict)

    def _open_store(self) -> None:
        assert self.location is not None
        self._store = Store.open(self.location, writable=True)

    def _close_store(self) -> None:
        if self._store is not None:
            self._store.close()

    def _open_reader(self) -> None:
        reader: Reader = Nothing()
        if self.location is not None:
            try:
                reader = self._stack.enter_context(open_reader(self.location))
            except MissingStoreError:
                self.location = None
        self._reader = ReaderWithBook(reader) if self._uses_book else reader
