"""Rules that were broken on purpose, for the audit to find out."""

from __future__ import annotations

import numpy as np

from claimeven.solver.audit.rule_bounds import RuleBounds, SolutionList
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import Keys
from claimeven.solver.proof import checker
from claimeven.solver.proof.certificate import Certificate, WinCondition
from claimeven.solver.proof.definitions import Situation, solution_of
from claimeven.solver.proof.graph import ProofGraph, find_set_on_graph
from tests.solver.rules.exhaustive import all_instances
from tests.solver.rules.test_loosened_conditions import Combinable, Loosened, LooseSolutions


class LooseRules:
    """Black's proofs with one condition loosened; nothing is said with Black to move."""

    def __init__(
        self, loosen: Loosened = lambda solution: solution, combinable: Combinable = checker.is_combinable
    ) -> None:
        self._loosen = loosen
        self._combinable = combinable

    def list_solutions(self, position: Position, win_condition: WinCondition | None) -> SolutionList:
        return self._solutions(position)

    def prove(self, position: Position) -> Certificate | None:
        if position.to_move is Side.BLACK:
            return None
        graph = ProofGraph(self._solutions(position))  # type: ignore[arg-type]
        chosen = find_set_on_graph(graph)
        if chosen is None:
            return None
        return Certificate(position, Side.BLACK, None, tuple(graph.instances[name] for name in sorted(chosen)))

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        proved = np.array([self.prove(Position.from_key(board, int(key))) is not None for key in keys], np.bool_)
        greatest = np.where(proved, np.int8(0), np.int8(1))
        return RuleBounds(np.full(len(keys), -1, np.int8), greatest, proved, np.zeros(len(keys), np.uint64))

    def _solutions(self, position: Position) -> LooseSolutions:
        situation = Situation.of(position, Side.BLACK)
        problems = tuple(situation.problems)
        instances = tuple(sorted(all_instances(position, Side.BLACK), key=repr))
        parts = tuple(self._loosen(solution_of(situation, instance)) for instance in instances)
        return LooseSolutions(
            position=position,
            controller=Side.BLACK,
            problems=tuple(sum(1 << square for square in situation.squares(problem)) for problem in problems),
            instances=instances,
            solves=tuple(
                frozenset(number for number, problem in enumerate(problems) if part.solves(problem)) for part in parts
            ),
            parts=parts,
            combinable=self._combinable,
        )
