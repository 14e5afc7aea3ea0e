"""Which diagrams of a library the leaves of a solution get: as few as will do, each as blank as its leaves allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from claimeven.solver.solution.building.blanking import MOST_CHECKED, MOST_POSITIONS, make_blank
from claimeven.solver.solution.building.cover import cover_leaves
from claimeven.solver.solution.building.workshop import Workshop
from claimeven.solver.solution.check_kernel import LEVELS, find_valid
from claimeven.solver.solution.diagram import PriorityDiagram
from claimeven.solver.solution.diagram_check import DiagramChecker
from claimeven.solver.solution.finding.finder import Levels, Library, levels_of

ROOM = MOST_POSITIONS
"""How many positions a diagram may reach, as when it was found."""
MOST_VALID = 12
"""So many diagrams are found for a leaf and for its mirror image: with all of them, 22 a leaf, no fewer would do on
7x6, and to see that a diagram is valid takes a hundred times as long as to see that one is not."""

Part = list[tuple[int, bool]]
"""The leaves that get a diagram, by place, and whether it is for the mirror image."""
Parts = dict[int, Part]
"""By the number of the diagram."""


@dataclass(frozen=True, slots=True)
class DiagramLeaf:
    """The stones of a leaf, the controller's first, and its diagram, which is for the mirror image if it is
    `mirrored`."""

    own: int
    other: int
    number: int
    mirrored: bool


class LeafDiagrams:
    """Diagrams of a library, to which it may add some, that are known to be valid for each of some leaves."""

    def __init__(self, workshop: Workshop, leaves: Sequence[DiagramLeaf], library: Library) -> None:
        self._workshop, self._leaves, self._library = workshop, leaves, library
        # Kept from one check to the next: what they have seen is told apart by a number in the last of these.
        self._scratch = np.zeros((ROOM, 2), np.uint64), np.zeros((ROOM * 2, 2), np.uint64), np.zeros(2, np.int64)
        self._checker = DiagramChecker(MOST_CHECKED)
        # Its own first, which may reach more positions than there is room for here.
        self._valid = [{leaf.number: leaf.mirrored} for leaf in leaves]
        # Then those that most leaves have, and those that most nodes of the build have.
        uses = Counter(leaf.number for leaf in leaves)
        all_uses = Counter(node.leaf for node in workshop.nodes.values())
        numbers = range(len(library))
        self._learn(sorted(numbers, key=lambda number: (-uses[number], -all_uses[number], number)), MOST_VALID)

    def add(self, number: int, part: Part) -> None:
        """Write down that a diagram is valid for some leaves."""
        for place, mirrored in part:
            self._valid[place][number] = mirrored

    def choose(self) -> Parts:
        """The fewest diagrams that will do."""
        parts = cover_leaves([list(each) for each in self._valid])
        return {number: [(place, self._valid[place][number]) for place in places] for number, places in parts.items()}

    def spread(self, parts: Parts) -> None:
        """Try some diagrams at all leaves, as blank as those allow that have them now: without digits that do not
        matter there one may be valid for more."""
        numbers: list[int] = []
        for number, part in parts.items():
            blank = self._library.keep(levels_of(self.make_blank(number, part)))
            self.add(blank, part)
            numbers.append(blank)
        self._learn(sorted(set(numbers)), None)

    def make_blank(self, number: int, part: Part) -> PriorityDiagram:
        """A diagram as blank as all its leaves allow."""
        return make_blank(self._workshop, self._library[number], [self._stones(*each) for each in part], self._checker)

    def _stones(self, place: int, is_mirrored: bool) -> tuple[int, int]:
        leaf = self._leaves[place]
        return self._workshop.turn((leaf.own, leaf.other), is_mirrored)

    def _learn(self, numbers: Sequence[int], most: int | None) -> None:
        """Try diagrams at all leaves until so many are found for a leaf, and as many for its mirror image."""
        diagrams = np.array([self._library[number] for number in numbers], np.uint64).reshape(-1, LEVELS)
        for place, leaf in enumerate(self._leaves):
            for is_mirrored in (leaf.mirrored, not leaf.mirrored):
                for row in islice(self._find(diagrams, *self._stones(place, is_mirrored)), most):
                    self._valid[place].setdefault(numbers[row], is_mirrored)

    def _find(self, diagrams: Levels, own: int, other: int) -> Iterator[int]:
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
