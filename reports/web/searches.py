"""All searches of the server: a lane for quick ones, slots for long ones that take turns, and never more than so many.

A search begins in the quick lane, where every position has a few nodes; what is still open then waits for a slot. So
what is easy is answered while any number of hard questions is being worked on. Of the hard ones, whoever has had the
fewest turns is next: what takes a second never waits for all of those that take for ever.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from heapq import heappop, heappush
from itertools import count

from claimeven.reports.web.limits import Limits
from claimeven.reports.web.problem import Problem
from claimeven.reports.web.search import Search
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.searcher import Searcher

QUICK_MEMORY = 16 << 20
LONG_NICENESS = 10
"""What long searches leave to everything else: with all cores searching, answers that are known are still given."""
PATIENCE = 0.25
"""How often one that waits for its turn looks whether it still wants it."""


class Searches:
    """The searches under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._quick = _Lane(1, 1, QUICK_MEMORY)
        self._slots = _Lane(limits.slots, limits.threads, limits.memory_bytes // limits.slots, begins=_step_back)
        self._under_way: dict[str, Search] = {}
        self._tasks: set[asyncio.Task[None] | None] = set()

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def are_long(self) -> int:
        """How many have a slot or wait for one."""
        return self._slots.wanted

    @asynccontextmanager
    async def begin(
        self, board: Board, positions: list[Position], seconds: float
    ) -> AsyncIterator[tuple[Search, asyncio.Task[None]]]:
        """A search of unfinished positions, and the task that ends with it; the end of the block stops both.

        The task is nobody's child: whoever waits for it may be cancelled at any time, and the threads of the search
        still come back in order. Raises Problem if too many searches are under way.
        """
        if len(self._under_way) >= self._limits.searches:
            most = self._limits.searches
            raise Problem(503, "busy", f"{most} searches are under way, and no more are taken on", retry_after=5)
        search = Search(board, positions, time.monotonic() + seconds)
        self._under_way[search.id] = search
        task = asyncio.create_task(self._run(search))
        self._tasks.add(task)
        try:
            yield search, task
        finally:
            search.stop()

    async def _run(self, search: Search) -> None:
        """Search until all is found, the time is over or the search is stopped."""
        limits = self._limits
        try:
            if search.goes_on:
                await self._quick.work(search, Budget(nodes=limits.quick_nodes), limits.quick_seconds, yields=True)
            while search.goes_on:
                await self._slots.work(search, UNLIMITED, limits.turn, yields=False)
                search.turns += 1
        finally:
            del self._under_way[search.id]
            self._tasks.discard(asyncio.current_task())

    def stop(self, identifier: str) -> bool:
        """Stop a search by its id; gives whether there was one."""
        search = self._under_way.get(identifier)
        if search is not None:
            search.stop()
        return search is not None

    async def close(self) -> None:
        """Stop all searches, and wait for their threads."""
        for search in self._under_way.values():
            search.stop()
        await asyncio.gather(*filter(None, self._tasks), return_exceptions=True)


def _step_back() -> None:
    """Have this thread, and those it starts, give way to others; only Linux knows threads of different niceness."""
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + LONG_NICENESS)


class _Lane:
    """A number of searchers with a thread each; who has had the fewest turns is served first, then who came first.

    Each of its threads `begins` with that; the threads of a searcher are started by one of them, and are as it is.
    """

    def __init__(self, slots: int, threads: int, memory_bytes: int, begins: Callable[[], None] | None = None) -> None:
        self.wanted = 0
        self._number = slots
        self._threads = threads
        self._memory = memory_bytes
        self._free = slots
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        self._pool = ThreadPoolExecutor(slots, thread_name_prefix="lane", initializer=begins)
        self._idle: list[Searcher] = []
        self._made = 0
        self._room_is_wanted = threading.Event()
        self._always = threading.Event()
        self._always.set()

    async def work(self, search: Search, budget: Budget, seconds: float, *, yields: bool) -> None:
        """Let a search have its turn: at most so long if it `yields`, else so long as nobody waits."""
        self.wanted += 1
        self._look()
        try:
            if not await self._enter(search):
                return
            try:
                await self._turn(search, budget, seconds, self._always if yields else self._room_is_wanted)
            finally:
                self._leave()
        finally:
            self.wanted -= 1
            self._look()

    async def _enter(self, search: Search) -> bool:
        """Wait for a turn; gives whether there is one before the search is stopped or out of time."""
        if self._free:
            self._free -= 1
            return True
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (search.turns, next(self._order), turn))
        try:
            while not turn.done() and search.goes_on:
                await asyncio.wait({turn}, timeout=PATIENCE)
        except asyncio.CancelledError:
            if not turn.cancel():
                self._leave()
            raise
        return not turn.cancel()

    def _leave(self) -> None:
        """Give the turn to the next who still waits for one."""
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    async def _turn(self, search: Search, budget: Budget, seconds: float, makes_room: threading.Event) -> None:
        searcher = self._take(search.board)
        work = partial(search.work, searcher, budget, time.monotonic() + seconds, makes_room)
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._idle.append(searcher)

    def _take(self, board: Board) -> Searcher:
        """An idle searcher of this board, or a new one in place of the one that has been idle longest."""
        for searcher in reversed(self._idle):
            if searcher.board == board:
                self._idle.remove(searcher)
                return searcher
        if self._made == self._number:
            del self._idle[0]
        else:
            self._made += 1
        return Searcher(board, self._memory, self._threads)

    def _look(self) -> None:
        if self.wanted > self._number:
            self._room_is_wanted.set()
        else:
            self._room_is_wanted.clear()
