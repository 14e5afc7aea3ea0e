"""Ctrl-C while kernels are compiled: it waits for a moment at which numba and LLVM can be left.

An interrupt in the middle of them is lost in a callback, or leaves something half made that fails later with an error
of its own.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_waiting: list[int] = []
"""The signal that came meanwhile, if one did."""
_depth = 0


@contextmanager
def interruptible_between() -> Iterator[None]:
    """Inside of this Ctrl-C has no effect, but it does where one block begins or ends within another, and at the end.

    Whoever presses it twice means it, and is obeyed at once.
    """
    global _depth
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # no Python code is interrupted by a signal here
        return
    if _depth:
        _interrupt()
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
        _interrupt()
        return
    signal.signal(signal.SIGINT, _note)
    _depth = 1
    try:
        yield
    finally:
        _depth = 0
        signal.signal(signal.SIGINT, before)
    _interrupt()


def _note(number: int, frame: FrameType | None) -> None:
    if _waiting:
        _interrupt()
    _waiting.append(number)


def _interrupt() -> None:
    if _waiting:
        _waiting.clear()
        raise KeyboardInterrupt
