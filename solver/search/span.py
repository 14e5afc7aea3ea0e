"""The scores a position may still have, and which question to ask next."""

from __future__ import annotations

from claimeven.solver.position import Position
from claimeven.solver.verdict import Value

SLOW = 8
"""A win that scores no more than this is a slow one."""


class Span:
    """The least and the greatest score, for the side to move, that a position may still have.

    Quick wins and quick losses are asked for first: few moves are worth looking at then, which costs little
    and fills the table with what the harder questions need. `nodes` and `seconds` are what the questions cost.
    """

    def __init__(self, position: Position, is_value: bool = False) -> None:
        cells, ply = position.board.cells, position.ply
        self.least = -((cells - ply) // 2)
        self.greatest = (cells + 1 - ply) // 2
        self.nodes = 0
        self.seconds = 0.0
        self._is_value = is_value
        self._is_patient = True
        if position.winner is not None:
            self.least = self.greatest = -((cells + 2 - ply) // 2)
        elif not position.empty:
            self.least = self.greatest = 0

    @property
    def is_decided(self) -> bool:
        if self._is_value and (self.least > 0 or self.greatest < 0):
            return True
        return self.least == self.greatest

    def next_question(self) -> int:
        """The `alpha` of the search to do next: is the score greater?"""
        if max(-self.least, self.greatest) > SLOW and self._is_patient:
            half = self.greatest // 2 if self.greatest > -self.least else -(-self.least // 2)
        elif self.least < 0 < self.greatest or self._is_value:
            half = 0 if self.greatest > 0 else -1
        else:
            half = int((self.least + self.greatest) / 2)
        return min(max(half, self.least), self.greatest - 1)

    @property
    def asks_quick_question(self) -> bool:
        """Whether the next question is only about a quick end, though the value is wanted."""
        return self._is_value and self._is_patient and max(-self.least, self.greatest) > SLOW

    def give_up_quick_questions(self) -> None:
        """The next question took too long: ask for the value itself from now on."""
        self._is_patient = False

    def tighten(self, alpha: int, bound: int) -> None:
        """Take in what a search said: at least `bound` if that is greater than `alpha`, else at most."""
        if bound > alpha:
            self.least = max(self.least, bound)
        else:
            self.greatest = min(self.greatest, bound)

    def value(self, position: Position) -> Value:
        """What the span says about who wins; it must be decided."""
        if self.least > 0:
            return Value.win_of(position.to_move)
        return Value.win_of(position.to_move.opponent) if self.greatest < 0 else Value.DRAW
