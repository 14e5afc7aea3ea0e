"""Findings: what a search has found on the way to an answer, for a later search to go on from."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.positions import Keys, as_keys


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Bounds on the scores of positions that nobody asked for, by canonical keys, as columns.

    Scores are those of the side to move. `works` are logarithms: finding out took less than two to the power of it
    nodes. `roots` are the canonical keys of the positions that were asked for. A position may come several times.
    """

    keys: Keys
    least: NDArray[np.int8]
    greatest: NDArray[np.int8]
    works: NDArray[np.int8]
    roots: Keys

    @classmethod
    def none(cls) -> Findings:
        empty = np.zeros(0, np.int8)
        return cls(as_keys([]), empty, empty, empty, as_keys([]))

    @classmethod
    def join(cls, parts: list[Findings]) -> Findings:
        """All findings of some others, one after the other."""
        parts = parts or [cls.none()]
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def __len__(self) -> int:
        return len(self.keys)

    def select(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Findings:
        """Some of them."""
        return Findings(*(getattr(self, field.name)[which] for field in fields(self)))

    def merge(self) -> Findings:
        """Each position once, by its key in ascending order, with all that is said of it; the last root counts.

        >>> twice = Findings(as_keys([9, 9]), *(np.array(each, np.int8) for each in ([-2, 1], [3, 5], [14, 15])),
        ...                  as_keys([1, 2]))
        >>> once = twice.merge()
        >>> [column.tolist() for column in (once.keys, once.least, once.greatest, once.works, once.roots)]
        [[9], [1], [3], [15], [2]]
        """
        order = np.argsort(self.keys, kind="stable")
        keys, starts = np.unique(self.keys[order], return_index=True)
        if not len(keys):
            return self
        last = order[np.append(starts[1:], len(order)) - 1]
        return Findings(
            keys,
            np.maximum.reduceat(self.least[order], starts),
            np.minimum.reduceat(self.greatest[order], starts),
            np.maximum.reduceat(self.works[order], starts),
            self.roots[last],
        )
