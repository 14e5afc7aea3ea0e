"""The player who knows Allis' rules: it plays into positions that it can prove, and then plays the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.solver.players.game import Game, Move, State
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings
from claimeven.solver.players.tactics import centre_first, safe_moves, winning_moves
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checked_proof import prove_checked
from claimeven.solver.proof.prover import prove
from claimeven.solver.proof.strategy import Strategy, StrategyError
from claimeven.solver.verdict import UNDECIDED

BUDGET = 5_000
"""Nodes that a proof may take; nearly all that exist need fewer."""


def make(settings: Mapping[str, str], resources: Resources) -> RulesPlayer:
    """`rules`, which has no settings."""
    Settings("rules", settings).finish()
    return RulesPlayer()


@dataclass(frozen=True, slots=True)
class _Plan:
    """A proof that is being played: what to do from here on, and whether it wins."""

    strategy: Strategy
    wins: bool

    @classmethod
    def of(cls, certificate: Certificate) -> _Plan:
        return cls(Strategy.of(certificate), certificate.bounds.is_exact)


class RulesPlayer:
    """Plays by proofs, a proof of a win before that of a draw; `work` counts the positions it tried to prove.

    Without a proof of its own it wins or defends at once where it must, keeps away from moves after which the opponent
    has a proof, and otherwise stays near the middle. Where the rules say nothing, on a board with an odd number of rows
    or in a game that is no standard one, only the latter is left.
    """

    name = "rules"
    unit = "nodes"

    def __init__(self) -> None:
        self._knows_rules = False
        self._plan: _Plan | None = None

    def start(self, game: Game) -> None:
        """Forget the plan of the last game; every game can be played."""
        self._knows_rules = game.is_standard and game.height % 2 == 0
        self._plan = None

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        """A move by a proof if there is one. It takes some milliseconds; `seconds` is not looked at."""
        wins = winning_moves(state, state.to_move)
        if wins:
            return Choice(wins[0], note="wins at once")
        safe = safe_moves(state)
        order = [move for move in centre_first(state) if move in safe]
        if not order:
            return Choice(centre_first(state)[0], note="every move loses at once")
        if not self._knows_rules:
            return Choice(order[0])
        return self._choose_by_proofs(state.to_position(), order)

    def _choose_by_proofs(self, position: Position, order: list[Move]) -> Choice:
        planned, following = self._follow(position)
        if planned is not None and following is not None and following.wins:
            self._plan = following
            return Choice(planned, note="follows a proof that it wins")
        plans = {move: plan for move in order if (plan := _plan_after(position, move)) is not None}
        work = len(order)
        for move, plan in plans.items():
            if plan.wins:
                self._plan = plan
                return Choice(move, work, note="has a proof that it wins")
        if planned is not None:
            self._plan = following
            return Choice(planned, work, note="follows a proof that it does not lose")
        for move, plan in plans.items():
            self._plan = plan
            return Choice(move, work, note="has a proof that it does not lose")
        self._plan = None
        dangers = {}
        for move in order:
            dangers[move], tried = _danger(position.play(move))
            work += tried
        return Choice(min(order, key=lambda move: dangers[move]), work, note="knows no proof")

    def _follow(self, position: Position) -> tuple[Move | None, _Plan | None]:
        """What the plan says to the opponent's last move, and the plan after that; nothing if it does not fit."""
        if self._plan is None:
            return None, None
        strategy = self._plan.strategy
        for column in strategy.position.legal_columns:
            if strategy.position.play(column) == position:
                try:
                    reply = strategy.reply(column)
                except StrategyError:
                    return None, None
                after = _Plan(strategy.after(column, reply), self._plan.wins)
                return position.board.column_of(reply.square), after
        return None, None


def _plan_after(position: Position, move: Move) -> _Plan | None:
    """The proof of the side to move in the position after its move, if there is one."""
    child = position.play(move)
    certificate = None if child.is_over else prove_checked(child, BUDGET).certificate
    return None if certificate is None else _Plan.of(certificate)


def _danger(child: Position) -> tuple[int, int]:
    """How much the opponent, to move, can prove with one move: 2 a win, 1 a draw, 0 nothing; and what it took to see.

    >>> from claimeven.solver.board import Board
    >>> _danger(Position.from_moves(Board(7, 6), [0]))[0] > 0
    True
    """
    worst = tried = 0
    if child.is_over:
        return worst, tried
    for reply in child.legal_columns:
        after = child.play(reply)
        if not after.is_over:
            tried += 1
            bounds = prove(after, BUDGET).bounds
            worst = max(worst, 0 if bounds == UNDECIDED else 2 if bounds.is_exact else 1)
    return worst, tried
