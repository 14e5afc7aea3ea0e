"""What a build knows to have no diagram, as SAT asks it: of every position that it meets, whichever way it lies."""

from __future__ import annotations

from claimeven.solver.solution.building.workshop import Key, Workshop


class BarrenStones:
    """The positions of a workshop that had no diagram, or no strict one, when that was noted last."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._barren: set[Key] = set()
        self._tied: set[Key] = set()

    def note(self) -> None:
        """Note what is known; not while there are searches."""
        turn = self._workshop.turn
        self._barren.clear()
        self._tied.clear()
        for key, node in self._workshop.nodes.items():
            if node.is_barren:
                self._barren.update((key, turn(key)))
            elif node.needs_ties:
                self._tied.update((key, turn(key)))

    def has(self, stones: Key, is_strict: bool) -> bool:
        """Whether a position has no diagram, or no strict one."""
        return stones in self._barren or (is_strict and stones in self._tied)
