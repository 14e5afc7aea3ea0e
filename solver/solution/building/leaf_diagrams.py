"""Which diagrams of a build's library the leaves of its solution get: as few as will do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from claimeven.solver.solution.building.cover import cover_leaves
from claimeven.solver.solution.building.workshop import Workshop
from claimeven.solver.solution.check_kernel import LEVELS, find_valid

ROOM = 1 << 17
"""How many positions a diagram may reach, as when it was found."""
MOST_VALID = 12
"""So many diagrams are found for a leaf and for its mirror image: with all of them, 22 a leaf, no fewer would do on
7x6, and to see that a diagram is valid takes a hundred times as long as to see that one is not."""


@dataclass(frozen=True, slots=True)
class DiagramLeaf:
    """The stones of a leaf, the controller's first, and its diagram, which is for the mirror image if it is
    `mirrored`."""

    own: int
    other: int
    number: int
    mirrored: bool


def choose_diagrams(workshop: Workshop, leaves: Sequence[DiagramLeaf]) -> dict[int, list[tuple[int, bool]]]:
    """The fewest diagrams that will do: for each the leaves that get it, by place, and whether for the mirror image."""
    valid = _find_valid_diagrams(workshop, leaves)
    parts = cover_leaves([list(each) for each in valid])
    return {number: [(place, valid[place][number]) for place in places] for number, places in parts.items()}


def _find_valid_diagrams(workshop: Workshop, leaves: Sequence[DiagramLeaf]) -> list[dict[int, bool]]:
    """For each leaf diagrams of the library that are valid for it, and whether for the mirror image.

    Those are tried first that most leaves have, then those that most nodes of the build have.
    """
    board, library = workshop.board, workshop.library
    uses = Counter(leaf.number for leaf in leaves)
    all_uses = Counter(node.leaf for node in workshop.nodes.values())
    order = sorted(range(len(library)), key=lambda number: (-uses[number], -all_uses[number], number))
    diagrams = np.array([library[number] for number in order], np.uint64).reshape(-1, LEVELS)
    geometry = [np.uint64(word) for word in (board.stride, board.connect, board.bottom, board.squares)]
    stack, seen = np.zeros((ROOM, 2), np.uint64), np.zeros((ROOM * 2, 2), np.uint64)
    report = np.zeros(2, np.int64)

    def find(own: int, other: int) -> Iterator[int]:
        stones = np.uint64(own), np.uint64(other)
        found = -1
        while True:
            found = find_valid(
                *geometry, diagrams, found + 1, len(order), *stones, workshop.is_win, stack, seen, report
            )
            if found < 0:
                return
            yield order[found]

    valid: list[dict[int, bool]] = []
    for leaf in leaves:
        # Its own, which may reach more positions than there is room for here.
        mine = {leaf.number: leaf.mirrored}
        for is_mirrored in (leaf.mirrored, not leaf.mirrored):
            stones = (board.mirror(leaf.own), board.mirror(leaf.other)) if is_mirrored else (leaf.own, leaf.other)
            for number in islice(find(*stones), MOST_VALID):
                mine.setdefault(number, is_mirrored)
        valid.append(mine)
    return valid
