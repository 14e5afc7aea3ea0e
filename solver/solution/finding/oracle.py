"""The oracle of a finder: which moves keep a result, by exact search, with a memo that all threads share."""

from __future__ import annotations

import numpy as np

from claimeven.solver.board import Board, bits
from claimeven.solver.search.budget import NO_LIMIT
from claimeven.solver.search.rule_evaluator import RuleEvaluator, last_evaluated_ply
from claimeven.solver.search.table import TranspositionTable
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words, new_workspace
from claimeven.solver.solution.finding.walk_kernel import (
    ALPHA,
    BOTTOM,
    CONNECT,
    KEEPS,
    MEMO,
    MEMO_MASK,
    SCALARS,
    SHARE,
    SQUARES,
    STRIDE,
    UNKNOWN,
    WHOLE_SHARE,
    WORKSPACE,
    ask,
    learn,
)
from claimeven.solver.word import WORD

DEFAULT_MEMORY = 512 << 20
MEMO_WORDS = 2
MEMO_PART, LEAST_MEMO = 4, 1 << 20
"""The memo of keeping moves takes at most one part of so many of what the table of the search takes, beside it, but has
so many entries at least: in a small one what was asked first would soon be overwritten."""


class Oracle:
    """What all threads of a finder share: the table of the search and the memo of keeping moves."""

    def __init__(self, board: Board, is_win: bool, memory_bytes: int = DEFAULT_MEMORY) -> None:
        self.board = board
        self.is_win = is_win
        self.table = TranspositionTable(board, memory_bytes)
        entries = max(memory_bytes // MEMO_PART // (MEMO_WORDS * WORD // 8), LEAST_MEMO)
        self.memo = new_words(MEMO_WORDS << entries.bit_length() - 1)


class OracleThread:
    """One thread's way to the oracle: `setting` is what kernels get."""

    def __init__(self, oracle: Oracle) -> None:
        board = oracle.board
        self.oracle = oracle
        self._workspace: Words = new_workspace(board)
        self._control: Words = new_words(8)
        oracle.table.attach(self._workspace)
        self._workspace[Slot.CONTROL] = address_of(self._control)
        self._workspace[Slot.NODE_LIMIT] = NO_LIMIT
        if board.rows % 2 == 0:
            self._evaluator = RuleEvaluator(board)
            self._evaluator.attach(self._workspace)
            self._workspace[Slot.EVALUATOR_PLY] = last_evaluated_ply(board)
        self.setting = new_words(SCALARS)
        for place, value in {
            STRIDE: board.stride,
            CONNECT: board.connect,
            BOTTOM: board.bottom,
            SQUARES: board.squares,
            ALPHA: (1 << WORD) - 1 if oracle.is_win else 0,  # -1, as words are unsigned
            WORKSPACE: address_of(self._workspace),
            MEMO: address_of(oracle.memo),
            MEMO_MASK: len(oracle.memo) // MEMO_WORDS - 1,
            SHARE: WHOLE_SHARE,
        }.items():
            self.setting[place] = value

    @property
    def nodes(self) -> int:
        """The nodes that this thread has searched."""
        return int(self._workspace[Slot.NODES])

    def keeps(self, own: int, other: int, square: int) -> bool:
        """Whether the side that has `own` and is to move keeps the result by playing `square`, a bit."""
        answer = ask(self.setting, np.uint64(own), np.uint64(other), np.uint64(square))
        if answer == UNKNOWN:
            raise RuntimeError("the oracle was stopped")
        return bool(answer == KEEPS)

    def keeping(self, own: int, other: int, squares: int) -> list[int]:
        """Those of some squares, each a bit, by which the side that has `own` and is to move keeps the result."""
        known = int(learn(self.setting, np.uint64(own), np.uint64(other), np.uint64(squares)))
        if squares and not known:
            raise RuntimeError("the oracle was stopped")
        columns = known >> WORD // 2
        return [1 << square for square in bits(squares) if columns >> self.oracle.board.column_of(square) & 1]
