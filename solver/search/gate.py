"""Threads that search side by side, and now and then one that needs them all to wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NUDGE_SECONDS = 0.005


class Gate:
    """Any number of threads may be inside at the same time, or one alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._is_closed = False

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be inside with others; waits while somebody is there alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self, nudge: Callable[[], None]) -> Iterator[None]:
        """Be there alone; `nudge` is called again and again until the others are out."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._is_closed = True
        try:
            with self._changed:
                while self._inside:
                    nudge()
                    self._changed.wait(NUDGE_SECONDS)
            yield
        finally:  # also where there is no memory to nudge: others wait for it to open
            with self._changed:
                self._is_closed = False
                self._changed.notify_all()
