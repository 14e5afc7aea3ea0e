"""Rules that were broken on purpose, for the audit to find out."""

from __future__ import annotations

import numpy as np

from claimeven.solver.audit.rule_bounds import RuleBounds, SolutionList
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import Keys
from claimeven.solver.proof import checker
from claimeven.solver.proof.certificate import Certificate, WinCondition
from tests.solver.rules.test_loosened_conditions import Combinable, Loosened, faithful, list_loosely, prove_loosely


class LooseRules:
    """Black's proofs with one condition loosened; nothing is said with Black to move."""

    def __init__(self, loosen: Loosened = faithful, combinable: Combinable = checker.is_combinable) -> None:
        self._loosen = loosen
        self._combinable = combinable

    def list_solutions(self, position: Position, win_condition: WinCondition | None) -> SolutionList:
        return list_loosely(position, self._loosen, self._combinable)

    def prove(self, position: Position) -> Certificate | None:
        if position.to_move is Side.BLACK:
            return None
        return prove_loosely(position, self._loosen, self._combinable)

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        proved = np.array([self.prove(Position.from_key(board, int(key))) is not None for key in keys], np.bool_)
        greatest = np.where(proved, np.int8(0), np.int8(1))
        return RuleBounds(np.full(len(keys), -1, np.int8), greatest, proved, np.zeros(len(keys), np.uint64))
