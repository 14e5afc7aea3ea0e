"""What the book in the box knows of single positions, for players, questions and analyses."""

from __future__ import annotations

from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Verdict

GREATEST_PLY = 8
"""The book has nothing later, which is told without opening it."""


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
