"""The fewest diagrams that are valid for all leaves of a solution, by an integer program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

MOST_BRANCHES = 2_000
"""The program is given up after so many nodes of its own search tree."""


def cover_leaves(valid: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """The leaves, by place, of each diagram of the smallest choice; those with the most leaves come first.

    `valid` has for each leaf the numbers of some diagrams that are valid for it, one at least; there are never more
    than with the first of each. Of 567 leaves of 7x6 the program needs 203 diagrams, and 210 are needed if always the
    one is taken that is valid for most of what is left.
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, numbers in enumerate(valid):
        for number in numbers:
            places[number].append(place)
    if not places:
        return {}
    first = sorted({numbers[0] for numbers in valid})
    chosen = min(_least(len(valid), places), list(_share_out(len(valid), places, places)), first, key=len)
    return _share_out(len(valid), places, chosen)


def _share_out(count: int, places: Mapping[int, Sequence[int]], numbers: Iterable[int]) -> dict[int, list[int]]:
    """The leaves of each of these diagrams, always of the one next that is valid for most of what is left."""
    left, waiting = set(range(count)), set(numbers)
    parts: dict[int, list[int]] = {}
    while left:
        best = max(waiting, key=lambda number: (len(left.intersection(places[number])), -number))
        parts[best] = sorted(left.intersection(places[best]))
        left.difference_update(parts[best])
        waiting.remove(best)
    return parts


def _least(count: int, places: Mapping[int, Sequence[int]]) -> list[int]:
    """The fewest diagrams that are valid for all leaves; all of them if the program is given up."""
    # Only where a solution is complete, as this takes a while to import.
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    numbers = sorted(places)
    row_of = np.concatenate([places[number] for number in numbers])
    column_of = np.repeat(np.arange(len(numbers)), [len(places[number]) for number in numbers])
    solved = milp(
        np.ones(len(numbers)),
        integrality=np.ones(len(numbers), np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(coo_array((np.ones(len(row_of)), (row_of, column_of))).tocsr(), 1, np.inf),
        options={"node_limit": MOST_BRANCHES, "mip_rel_gap": 0.0},
    )
    return numbers if solved.x is None else [numbers[place] for place in np.flatnonzero(solved.x > 0.5)]
