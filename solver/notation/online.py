"""The request of the online solver: `pos=` and the column string."""

from __future__ import annotations

from collections.abc import Iterable

from claimeven.solver.board import Board
from claimeven.solver.notation import columns as column_string
from claimeven.solver.notation.error import NotationError, quote

PREFIX = "pos="


def parse(text: str, board: Board) -> tuple[int, ...]:
    """The columns of a request, from 0.

    >>> parse("pos=475", Board(7, 6))
    (3, 6, 4)
    """
    before, prefix, moves = text.partition(PREFIX)
    if not prefix or before.strip():
        raise NotationError(f"character 1: expected {PREFIX}, found {quote(text)}")
    # Blanks for the prefix, so that messages count the characters of the whole text.
    return column_string.parse(" " * len(before + prefix) + moves, board)


def write(columns: Iterable[int], board: Board) -> str:
    """The request for `columns`, which are counted from 0."""
    return PREFIX + column_string.write(columns, board)
