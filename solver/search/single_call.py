"""What all searchers have in common: a board, and one call at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from claimeven.solver.board import Board
from claimeven.solver.position import Position


class BoardMismatchError(ValueError):
    """A position of another board than the searcher's."""


class SearcherBusyError(RuntimeError):
    """A second call while the first is not over."""


class SingleCall:
    """A searcher for the positions of one board, with so many threads, that does one call at a time."""

    def __init__(self, board: Board | None, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"a search needs at least one thread, not {threads}")
        self.board = board or Board()
        self.threads = threads or os.cpu_count() or 1
        self._call = threading.Lock()
        self._is_stopped = False

    def _check(self, position: Position) -> None:
        if position.board != self.board:
            raise BoardMismatchError(f"this searcher is for {self.board}, not for {position.board}")

    @contextmanager
    def _one_call(self) -> Iterator[None]:
        """Keep the workers to one call, as two of them in one workspace would give wrong answers."""
        if not self._call.acquire(blocking=False):
            raise SearcherBusyError("this searcher is at work: wait for the call before this one, or close it")
        try:
            self._is_stopped = False
            yield
        finally:
            self._call.release()
