"""What searches that failed leave behind: a diagram that makes few mistakes at one position is valid at others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from claimeven.solver.solution.building.outcome import Found
from claimeven.solver.solution.building.workshop import Key, Workshop
from claimeven.solver.solution.finding.finder import FinderThread, Firsts, Levels, Library


@dataclass(frozen=True, slots=True)
class Field:
    """The nodes of a workshop that may become leaves, as arrays: each as it is and as its mirror image."""

    keys: list[Key]
    firsts: Firsts
    """How much of the library each has seen."""
    images: tuple[tuple[Levels, Levels], tuple[Levels, Levels]]

    @classmethod
    def of(cls, workshop: Workshop, first_ply: int, size: int | None = None) -> Field:
        """The nodes from a ply on that are no leaves and may have a diagram; with `size` only those that have seen
        less of the library."""
        mirror = workshop.board.mirror
        chosen = [
            (key, node.seen)
            for key, node in workshop.nodes.items()
            if not node.is_leaf and not node.is_barren and node.ply >= first_ply and (size is None or node.seen < size)
        ]
        keys = [key for key, _ in chosen]
        stones = [np.array([key[side] for key in keys], np.uint64) for side in (0, 1)]
        mirrored = [np.array([mirror(key[side]) for key in keys], np.uint64) for side in (0, 1)]
        firsts = np.array([seen for _, seen in chosen], np.int64)
        return cls(keys, firsts, ((stones[0], stones[1]), (mirrored[0], mirrored[1])))

    def look_up(self, thread: FinderThread, library: Library, size: int) -> Iterator[tuple[Key, int, bool]]:
        """Where diagrams that the nodes have not seen are valid: a node, a number, and whether for its mirror image."""
        for is_mirrored, (owns, others) in zip((False, True), self.images, strict=True):
            numbers = thread.look_up_many(library, self.firsts, size, owns, others)
            for place in np.flatnonzero(numbers >= 0):
                yield self.keys[place], int(numbers[place]), is_mirrored

    def glean(self, thread: FinderThread, root: Key, misses: Sequence[Levels]) -> list[Found]:
        """What comes after a node and becomes a leaf by one of the diagrams that failed there.

        Elsewhere too some would, but few, and a diagram that is nearly good takes long to be refused.
        """
        library = Library(thread.board)
        for levels in misses:
            library.add(levels)
        found: list[Found] = []
        own, other = (np.uint64(stones) for stones in root)
        for is_mirrored, (owns, others) in zip((False, True), self.images, strict=True):
            after = np.flatnonzero((owns & own == own) & (others & other == other))
            numbers = thread.look_up_many(
                library, np.zeros(len(after), np.int64), len(misses), owns[after], others[after]
            )
            for place, number in zip(after, numbers, strict=True):
                if number >= 0:
                    found.append(Found(self.keys[place], levels=misses[number], mirrored=is_mirrored))
        return found
