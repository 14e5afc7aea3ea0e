"""Is there so much memory left? Asked before what has no error for too little of it and ends the process instead."""

from __future__ import annotations

import mmap
import sys


def check_memory(number: int) -> None:
    """Raise MemoryError if the process cannot have so many bytes more; nothing of them is used."""
    try:
        if sys.platform == "win32":
            mmap.mmap(-1, number).close()
        else:
            # Not shared, as mmap would be by itself: a limit of a process's data counts only what is its own.
            mmap.mmap(-1, number, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        raise MemoryError from None
