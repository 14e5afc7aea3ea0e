"""What every notation says when it cannot read something."""

from __future__ import annotations

from claimeven.solver.position import PositionError

LONGEST_QUOTE = 24


class NotationError(PositionError):
    """Text that is not a position in the notation it was read in; the message names the place."""


def shorten(text: str) -> str:
    """The text, cut short if it is too long for a message."""
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "..."


def quote(text: str) -> str:
    """The text in quotes, cut short if it is long.

    >>> quote("4455"), quote("4" * 1000)
    ("'4455'", "'444444444444444444444444...'")
    """
    return repr(shorten(text))


def count(number: int, noun: str) -> str:
    """A number and its noun.

    >>> count(1, "row"), count(6, "row")
    ('1 row', '6 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
