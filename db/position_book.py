"""Single positions in the store and, where it has no score, in the book that comes with the program."""

from __future__ import annotations

from dataclasses import replace

from claimeven.db.knowledge import Knowledge
from claimeven.db.quick_reader import Reader
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, ContradictionError, Verdict
from claimeven.solver.verdict_code import describe_verdict

GREATEST_PLY = 8
"""The book has nothing later, which is told without opening it."""


class ReaderWithBook:
    """A reader that adds to what a store knows, if there is one, what the book knows."""

    def __init__(self, reader: Reader | None) -> None:
        self._reader = reader

    def read(self, positions: list[Position]) -> list[Knowledge]:
        """All that is known of a few positions of one board; raises ContradictionError if store and book disagree."""
        if self._reader is None:
            stored = [Knowledge(UNKNOWN, UNKNOWN, None) for _ in positions]
        else:
            stored = self._reader.read(positions)
        return [
            replace(known, verdict=_add_book(known.verdict, position))
            for known, position in zip(stored, positions, strict=True)
        ]


def look_up(position: Position) -> Verdict:
    """What the shipped book knows of a position; finished games are not in it."""
    if position.ply > GREATEST_PLY or position.is_over:
        return UNKNOWN
    import numpy as np

    from claimeven.db.packed_book import shipped_book

    book = shipped_book()
    if book is None:
        return UNKNOWN
    return book.lookup(position.board, np.array([position.canonical_key], np.uint64)).verdict(0)


def _add_book(stored: Verdict, position: Position) -> Verdict:
    found = UNKNOWN if stored.score is not None else look_up(position)
    if found.value is None:
        return stored
    if not stored.bounds.contains(found.value):
        raise ContradictionError(
            f"the store and the book that comes with the program exclude each other; one of them is wrong\n{position}\n"
            f"stored: {describe_verdict(stored)}\nbook:   {describe_verdict(found)}"
        )
    return found
