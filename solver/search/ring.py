"""A ring of entries that one thread writes while another takes them; what nobody takes is overwritten."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.search.workspace import Words


class Ring:
    """Entries of so many words each, and how many of them were ever written, as `length` tells."""

    def __init__(self, words: Words, entry_words: int, length: Callable[[], int]) -> None:
        self._entries = words.reshape(-1, entry_words)
        self._length = length
        self._taken = 0
        self._seen = 0

    def take(self, *, is_idle: bool) -> NDArray[np.uint64]:
        """The entries that were not taken yet, a row each.

        While the thread is at work these are only those that were there when it was last called: what one thread
        writes need not reach another in the same order, but by now it has.
        """
        room = len(self._entries)
        length = self._length()
        end = length if is_idle else self._seen
        first = max(self._taken, end - room)
        rows = self._entries[np.arange(first, end) % room]
        # What was overwritten meanwhile is not whole.
        lost = max(self._length() + 1 - room - first, 0) if not is_idle else 0
        self._taken, self._seen = max(end, first), length
        return rows[lost:]
