"""What is known about a position."""

from __future__ import annotations

from enum import Enum

from solver.position import Side


class Value(Enum):
    """Who wins under best play."""

    WHITE = "white"
    DRAW = "draw"
    BLACK = "black"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def win_of(cls, side: Side) -> Value:
        """The value of a win for a side."""
        return cls.WHITE if side is Side.WHITE else cls.BLACK
