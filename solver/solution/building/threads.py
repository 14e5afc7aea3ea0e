"""The threads of a builder: each has scratch memory of its own and its own way to the oracle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TypeVar

from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.oracle import Oracle

T = TypeVar("T")


class FinderThreads:
    """Some finders, and a pool of as many threads that lends one to each task."""

    def __init__(self, oracle: Oracle, jobs: int, make_thread: Callable[[Oracle], FinderThread]) -> None:
        self._idle: SimpleQueue[FinderThread] = SimpleQueue()
        for _ in range(jobs):
            self._idle.put(make_thread(oracle))
        self.pool = ThreadPoolExecutor(jobs, thread_name_prefix="solution")
        self._is_closing = threading.Event()

    @contextmanager
    def lend(self) -> Iterator[FinderThread]:
        """One of the finders, for the caller's own thread."""
        thread = self._idle.get()
        try:
            yield thread
        finally:
            self._idle.put(thread)

    def do(self, tasks: Sequence[Callable[[FinderThread], T]]) -> list[T]:
        """What some tasks come to, in their order."""

        def run(task: Callable[[FinderThread], T]) -> T:
            with self.lend() as thread:
                return task(thread)

        try:
            return list(self.pool.map(run, tasks))
        except BaseException:
            self._is_closing.set()  # long searches end now, and not when all has been saved
            raise

    def is_closing(self) -> bool:
        """Whether searches are to end as soon as they can."""
        return self._is_closing.is_set()

    def close(self) -> None:
        self._is_closing.set()
        self.pool.shutdown(cancel_futures=True)
