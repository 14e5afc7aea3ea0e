"""`Position` with all that users expect of it: made of text in any notation, and drawn in notebooks."""

from __future__ import annotations

from claimeven.solver import notation
from claimeven.solver.position import Position, PositionError, forms

__all__ = ["Position", "PositionError", "as_position"]


def as_position(given: Position | str) -> Position:
    """The position itself, or the one on 7x6 that text means; raises PositionError.

    >>> as_position("4455") == as_position(Position("4455"))
    True
    """
    return given if isinstance(given, Position) else notation.parse_position(given)


def _draw(position: Position) -> str:
    from claimeven.solver.drawing.picture import draw_position

    return draw_position(position)


forms.draw = _draw
