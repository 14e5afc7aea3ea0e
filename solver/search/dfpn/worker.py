"""One thread of a proof-number search: its workspace, its desk and its journal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.search.alpha_beta import STOPPED
from claimeven.solver.search.budget import NO_LIMIT
from claimeven.solver.search.dfpn.desk import DeskSlot, new_desk
from claimeven.solver.search.dfpn.journal import Journal
from claimeven.solver.search.dfpn.numbers import NumberTable
from claimeven.solver.search.dfpn.proof_size import walk_proof
from claimeven.solver.search.dfpn.proving import decide_by_numbers, learn
from claimeven.solver.search.rule_evaluator import RuleEvaluator
from claimeven.solver.search.table import TranspositionTable
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words, new_workspace

FIRST_ROOM = 1 << 16
"""For how many positions, twice, a walk through a proof has room at first."""


class Worker:
    """What a thread works with; all workers of a search share the two tables and a control word."""

    def __init__(
        self, board: Board, decided: TranspositionTable, numbers: NumberTable, control: Words, uses_rules: bool
    ) -> None:
        self._board = board
        self._uses_rules = uses_rules and board.rows % 2 == 0
        self.workspace: Words = self._new_workspace(decided)
        self.workspace[Slot.CONTROL] = address_of(control)
        self.desk: Words = new_desk(board)
        numbers.attach(self.desk)
        self.journal = Journal(self.desk)
        if self._uses_rules:
            self._evaluator = RuleEvaluator(board)
            self._evaluator.attach(self.workspace)

    def _new_workspace(self, table: TranspositionTable) -> Words:
        workspace = new_workspace(self._board)
        table.attach(workspace)
        if self._board.columns > 1:
            workspace[Slot.MIRROR_PLY] = self._board.cells
        if not self._uses_rules:
            workspace[Slot.HAS_RULES] = 0
        return workspace

    @property
    def nodes(self) -> int:
        return int(self.workspace[Slot.NODES])

    @property
    def evaluations(self) -> int:
        return int(self.desk[DeskSlot.EVALUATIONS])

    @property
    def rule_leaves(self) -> int:
        return int(self.desk[DeskSlot.RULE_LEAVES])

    def share(self, busy: Words | None) -> None:
        """Work with the threads that share `busy`, or alone."""
        self.workspace[Slot.BUSY] = 0 if busy is None else address_of(busy)

    def decide(self, mover: int, other: int, alpha: int, nodes: int) -> bool | None:
        """Whether the mover's score is greater than `alpha`; None if it was stopped or took more than `nodes`."""
        self.workspace[Slot.NODE_LIMIT] = min(self.nodes + nodes, NO_LIMIT)
        found = decide_by_numbers(*self._addresses(), np.uint64(mover), np.uint64(other), alpha)
        return None if found == STOPPED else bool(found)

    def learn(
        self, movers: NDArray[np.uint64], others: NDArray[np.uint64], lows: NDArray[np.int8], highs: NDArray[np.int8]
    ) -> None:
        """Put bounds on the movers' scores into the table of what is decided, where all threads find them."""
        learn(np.uint64(address_of(self.workspace)), movers, others, lows, highs)

    def walk(self, mover: int, other: int, alpha: int, is_greater: bool) -> tuple[int, int, int] | None:
        """Of the proof of an answer: all its positions, those the rules decide, those at sight; None if stopped."""
        plain = self._new_workspace(TranspositionTable(self._board, 1))
        self.workspace[Slot.NODE_LIMIT] = NO_LIMIT
        room = FIRST_ROOM
        while True:
            seen = new_words(room)
            self.desk[DeskSlot.WALKED] = address_of(seen)
            self.desk[DeskSlot.WALKED_MASK] = room - 1
            counts = slice(DeskSlot.WALKED_COUNT, DeskSlot.WALKED_SIGHT + 1)
            self.desk[counts] = 0
            workspace, desk = self._addresses()
            walk_proof(
                workspace, np.uint64(address_of(plain)), desk, np.uint64(mover), np.uint64(other), alpha, is_greater
            )
            if self.workspace[Slot.IS_STOPPED]:
                return None
            positions, by_rules, at_sight = (int(count) for count in self.desk[counts])
            if positions < room // 2:
                return positions, by_rules, at_sight
            room *= 4

    def _addresses(self) -> tuple[np.uint64, np.uint64]:
        return np.uint64(address_of(self.workspace)), np.uint64(address_of(self.desk))
