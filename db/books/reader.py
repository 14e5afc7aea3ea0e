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
            stored = list(self._reader.read(positions))
        wanted = [place for place, known in enumerate(stored) if known.verdict.score is None]
        found = look_up_all([positions[place] for place in wanted])
        for place, verdict in zip(wanted, found, strict=True):
            known = stored[place]
            stored[place] = replace(known, verdict=_add_book(known.verdict, verdict, positions[place]))
        return stored


def look_up(position: Position) -> Verdict:
    """What the shipped book knows of a position; finished games are not in it."""
    return look_up_all([position])[0]


def look_up_all(positions: list[Position]) -> list[Verdict]:
    """What the shipped book knows of each of a few positions of one board."""
    found = [UNKNOWN] * len(positions)
    inside = [place for place, each in enumerate(positions) if each.ply <= GREATEST_PLY and not each.is_over]
    if not inside:
        return found
    import numpy as np

    from claimeven.db.books.packed import shipped_book

    book = shipped_book()
    if book is not None:
        keys = np.array([positions[place].canonical_key for place in inside], np.uint64)
        verdicts = book.lookup(positions[0].board, keys)
        for number, place in enumerate(inside):
            found[place] = verdicts.verdict(number)
    return found


def _add_book(stored: Verdict, found: Verdict, position: Position) -> Verdict:
    if found.value is None:
        return stored
    if not stored.bounds.contains(found.value):
        raise ContradictionError(
            f"the store and the book that comes with the program exclude each other; one of them is wrong\n{position}\n"
            f"stored: {describe_verdict(stored)}\nbook:   {describe_verdict(found)}"
        )
    return found
