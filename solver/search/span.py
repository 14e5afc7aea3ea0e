"""The scores a position may still have, and which question to ask next."""

from __future__ import annotations

from inspect import unwrap

from claimeven.solver.position import Position
from claimeven.solver.score import greatest_score, least_score, winner_score
from claimeven.solver.search import questions
from claimeven.solver.verdict import Value

# As plain Python: to call a kernel takes longer than to say this.
is_settled, next_question, question_nodes = map(
    unwrap, (questions.is_settled, questions.next_question, questions.question_nodes)
)


class Span:
    """The least and the greatest score, for the side to move, that a position may still have.

    Which question comes next is for `questions` to say. `nodes` is what the questions cost.
    """

    def __init__(self, position: Position, is_value: bool = False) -> None:
        cells, ply = position.board.cells, position.ply
        self.least = least_score(cells, ply)
        self.greatest = greatest_score(cells, ply)
        self.nodes = 0
        self._is_value = is_value
        self._turn = 0
        if position.winner is not None:
            self.least = self.greatest = -winner_score(cells, ply)
        elif not position.empty:
            self.least = self.greatest = 0

    @property
    def is_decided(self) -> bool:
        return bool(is_settled(self.least, self.greatest, self._is_value))

    def next_question(self) -> int:
        """The `alpha` of the search to do next: is the score greater?"""
        return int(next_question(self.least, self.greatest, self._turn))

    @property
    def question_nodes(self) -> int:
        """How many nodes the next question may take before another one is asked."""
        return int(question_nodes(self.least, self.greatest, self._turn))

    def take_turn(self) -> None:
        """The next question took too long: ask another one."""
        self._turn += 1

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
