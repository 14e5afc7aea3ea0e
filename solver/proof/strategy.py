"""A certificate as a player (Allis 1988, §6 and §8): the controller's reply to every move of the opponent.

He wins at once when he can, answers what the rules say he must answer, and otherwise plays any square that no rule
forbids him. That this never fails is what the rules promise; `playout` tries every opposition to see whether it is so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from claimeven.solver.board import Bitboard, Square, bits
from claimeven.solver.position import Position, has_line
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.duties import Duty, Follow, duties_of, reluctant_squares


class ReplyKind(Enum):
    """Why the controller plays where he plays."""

    WIN = "it completes four"
    ANSWER = "the proof answers so"
    FREE = "nothing is to be answered and no rule forbids it"


class StrategyError(ValueError):
    """A position in which the proof does not say what to play; then the proof, a rule or the table is wrong."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The square that the controller takes, and the reason."""

    square: Square
    kind: ReplyKind


@dataclass(frozen=True, slots=True)
class Strategy:
    """What the controller of a proof does from here on; the opponent is to move, or the game is over.

    >>> from claimeven.solver.board import Board
    >>> from claimeven.solver.proof.prover import prove
    >>> strategy = Strategy.of(prove(Position.start(Board(4, 4))).certificate)
    >>> reply = strategy.reply(0)
    >>> strategy.position.board.name(reply.square), reply.kind.name
    ('d1', 'ANSWER')
    """

    position: Position
    duties: frozenset[Duty]
    reluctant: Bitboard = 0

    @classmethod
    def of(cls, certificate: Certificate) -> Strategy:
        """The strategy of a certificate, which is taken to hold."""
        return cls(certificate.position, duties_of(certificate), reluctant_squares(certificate))

    def reply(self, column: int) -> Reply:
        """What to play after the opponent's move, which must not end the game; raises StrategyError if nothing fits."""
        moved = self.position.play(column)
        move = _last_square(self.position, moved)
        for square in bits(moved.playable):
            if has_line(moved.board, moved.stones(moved.to_move) | 1 << square):
                return Reply(square, ReplyKind.WIN)
        answers = {
            answer
            for duty in self.duties
            if (answer := duty.answer(move)) is not None and not (_is_careful(duty) and _wins_above(moved, answer))
        }
        if len(answers) > 1:
            names = " and ".join(moved.board.names(sorted(answers)))
            raise StrategyError(f"{moved.board.name(move)} has two answers, {names}")
        for answer in answers:
            if not moved.playable >> answer & 1:
                raise StrategyError(
                    f"the answer {moved.board.name(answer)} to {moved.board.name(move)} is not playable"
                )
            return Reply(answer, ReplyKind.ANSWER)
        return Reply(self._free_square(moved, move), ReplyKind.FREE)

    def _free_square(self, moved: Position, move: Square) -> Square:
        """The leftmost square that no duty forbids, a reluctant one only if there is no other."""
        forbidden = 0
        for duty in duties_after(self.duties, move, own=False):
            forbidden |= duty.forbidden
        free = moved.playable & ~forbidden
        if not free:
            raise StrategyError(f"after {moved.board.name(move)} every square that is left is forbidden")
        return next(bits(free & ~self.reluctant or free))

    def after(self, column: int, reply: Reply | None) -> Strategy:
        """The strategy after the opponent's move and the reply; without a reply the opponent's move ended the game."""
        moved = self.position.play(column)
        duties = duties_after(self.duties, _last_square(self.position, moved), own=False)
        if reply is not None:
            duties = duties_after(duties, reply.square, own=True)
            moved = moved.play(moved.board.column_of(reply.square))
        return replace(self, position=moved, duties=duties)


def duties_after(duties: frozenset[Duty], move: Square, *, own: bool) -> frozenset[Duty]:
    """What is left of the duties when the controller, or the opponent, has taken a square."""
    return frozenset(left for duty in duties for left in duty.after(move, own=own))


def _is_careful(duty: Duty) -> bool:
    return isinstance(duty, Follow) and duty.careful


def _wins_above(moved: Position, answer: Square) -> bool:
    """Whether the opponent, who has just moved, would complete a line directly above the answer."""
    return has_line(moved.board, moved.stones(moved.to_move.opponent) | 1 << answer + 1)


def _last_square(before: Position, after: Position) -> Square:
    return (before.occupied ^ after.occupied).bit_length() - 1
