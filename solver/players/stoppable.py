"""Searches that run on threads of their own, until they are done or their time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from typing import TypeVar

Result = TypeVar("Result")

SHARE_OF_TIME = 0.9
"""The share of a move's time that is searched; the rest is for stopping, and for whoever holds the clock."""


def deadline_of(seconds: float) -> float:
    """When a move has to stop searching that begins now and may take so long, on the clock `time.monotonic`."""
    return time.monotonic() + SHARE_OF_TIME * seconds


def run_all(
    pool: Executor, searches: Sequence[Callable[[], Result]], deadline: float, stop: Callable[[], None]
) -> list[Result]:
    """The results of all searches, in order. `stop` is called at the deadline, and must make them return soon.

    An interrupt from the keyboard, which would wait for a kernel to end, stops them and goes on to the caller.
    """
    futures: list[Future[Result]] = [pool.submit(search) for search in searches]
    try:
        _, waiting = wait(futures, timeout=max(deadline - time.monotonic(), 0.0))
        if waiting:
            stop()
        return [future.result() for future in futures]
    except BaseException:
        stop()
        raise
