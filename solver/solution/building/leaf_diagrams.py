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

Parts = dict[int, list[tuple[int, bool]]]
"""For each of some diagrams, by number, the leaves that get it, by place, and whether for the mirror image."""


@dataclass(frozen=True, slots=True)
class DiagramLeaf:
    """The stones of a leaf, the controller's first, and its diagram, which is for the mirror image if it is
    `mirrored`."""

    own: int
    other: int
    number: int
    mirrored: bool


class LeafDiagrams:
    """Diagrams of the library that are known to be valid for each of some leaves."""

    def __init__(self, workshop: Workshop, leaves: Sequence[DiagramLeaf]) -> None:
        self._workshop, self._leaves = workshop, leaves
        # Kept from one check to the next: what they have seen is told apart by a number in the last of these.
        self._scratch = np.zeros((ROOM, 2), np.uint64), np.zeros((ROOM * 2, 2), np.uint64), np.zeros(2, np.int64)
        # Its own, which may reach more positions than there is room for here.
        self._valid = [{leaf.number: leaf.mirrored} for leaf in leaves]
        # Those first that most leaves have, then those that most nodes of the build have.
        uses = Counter(leaf.number for leaf in leaves)
        all_uses = Counter(node.leaf for node in workshop.nodes.values())
        numbers = range(len(workshop.library))
        self._learn(sorted(numbers, key=lambda number: (-uses[number], -all_uses[number], number)), MOST_VALID)

    def add(self, place: int, number: int, mirrored: bool) -> None:
        """Write down that a diagram is valid for a leaf."""
        self._valid[place][number] = mirrored

    def look_up(self, first: int) -> None:
        """Try the diagrams of the library from one on at all leaves."""
        self._learn(range(first, len(self._workshop.library)), None)

    def choose(self) -> Parts:
        """The fewest diagrams that will do."""
        parts = cover_leaves([list(each) for each in self._valid])
        return {number: [(place, self._valid[place][number]) for place in places] for number, places in parts.items()}

    def _learn(self, numbers: Sequence[int], most: int | None) -> None:
        """Try diagrams at all leaves until so many are found for a leaf, and as many for its mirror image."""
        mirror, library = self._workshop.board.mirror, self._workshop.library
        diagrams = np.array([library[number] for number in numbers], np.uint64).reshape(-1, LEVELS)
        for leaf, mine in zip(self._leaves, self._valid, strict=True):
            for is_mirrored in (leaf.mirrored, not leaf.mirrored):
                stones = (mirror(leaf.own), mirror(leaf.other)) if is_mirrored else (leaf.own, leaf.other)
                for row in islice(self._find(diagrams, *stones), most):
                    mine.setdefault(numbers[row], is_mirrored)

    def _find(self, diagrams: np.ndarray, own: int, other: int) -> Iterator[int]:
        """The rows of those diagrams that are valid for a position."""
        board = self._workshop.board
        geometry = [np.uint64(word) for word in (board.stride, board.connect, board.bottom, board.squares)]
        row = -1
        while True:
            row = find_valid(
                *geometry, diagrams, row + 1, len(diagrams), np.uint64(own), np.uint64(other), self._workshop.is_win,
                *self._scratch,
            )  # fmt: skip
            if row < 0:
                return
            yield int(row)
