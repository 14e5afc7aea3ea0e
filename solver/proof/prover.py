"""The rules on a position: what they prove, with the certificate, as the kernels find it.

The independent checker has not seen it: whoever shows a proof takes it from `checked_proof`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, WinCondition
from claimeven.solver.proof.chosen_set import LENGTH, NODES, OUT_OF_BUDGET
from claimeven.solver.proof.evaluation import (
    BLACK,
    CONDITION,
    NOT_WHITE,
    PROBLEMS,
    TABLE_TOO_SMALL,
    UNKNOWN,
    WHITE,
    Scratch,
    evaluate,
    make_scratch,
)
from claimeven.solver.proof.listing import (
    RulesNotApplicableError,
    board_geometry,
    check_applicable,
    read_columns,
    read_condition,
    read_instance,
    read_solves,
)
from claimeven.solver.rules.rule import Rule, RuleInstance
from claimeven.solver.rules.solution_table import SOLVES
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, UNDECIDED, WHITE_WINS, Bounds
from claimeven.solver.word import count_words

__all__ = ["DEFAULT_BUDGET", "ProofAttempt", "RulesNotApplicableError", "prove"]

DEFAULT_BUDGET = 20_000
"""Nodes of the search for a chosen set; positions of real games need a few dozen, the worst seen some thousand."""

BOUNDS = {
    UNKNOWN: UNDECIDED,
    OUT_OF_BUDGET: UNDECIDED,
    NOT_WHITE: AT_MOST_DRAW,
    BLACK: BLACK_WINS,
    WHITE: WHITE_WINS,
}
"""What the codes of an evaluation say of the value."""


@dataclass(frozen=True, slots=True)
class ProofAttempt:
    """What the rules say of a position.

    `bounds` are those of the certificate; there is one unless they are UNDECIDED.
    `exhausted_budget` says that nothing was found before the budget of nodes was used up.
    """

    position: Position
    bounds: Bounds
    certificate: Certificate | None
    nodes: int
    exhausted_budget: bool


def prove(position: Position, budget: int = DEFAULT_BUDGET) -> ProofAttempt:
    """Try to prove, with Allis' nine rules, the side that is not to move.

    Raises RulesNotApplicableError on a board with an odd number of rows and after the end of the game.

    >>> position = Position.from_moves(Board(6, 4), [])
    >>> str(prove(position).bounds)
    'not-white'
    """
    check_applicable(position)
    geometry = board_geometry(position.board)
    work = _scratch(position.board)
    while True:
        result = evaluate(geometry, work, np.uint64(position.white), np.uint64(position.black), budget)
        if result != TABLE_TOO_SMALL:
            break
        work = _scratch(position.board, larger_than=work)
    certificate = _read_certificate(position, work, result) if result in (NOT_WHITE, BLACK, WHITE) else None
    return ProofAttempt(
        position=position,
        bounds=BOUNDS[result],
        certificate=certificate,
        nodes=int(work.counters[NODES]),
        exhausted_budget=result == OUT_OF_BUDGET,
    )


_threads = threading.local()


def _scratch(board: Board, larger_than: Scratch | None = None) -> Scratch:
    """This thread's scratch for the board, replaced by one of twice the size if it was too small."""
    scratches: dict[Board, Scratch] = _threads.__dict__.setdefault("scratches", {})
    if larger_than is not None:
        scratches[board] = make_scratch(board_geometry(board), 2 * larger_than.table.shape[1])
    elif board not in scratches:
        scratches[board] = make_scratch(board_geometry(board))
    return scratches[board]


def _read_certificate(position: Position, work: Scratch, result: int) -> Certificate:
    condition: WinCondition | None = None
    if result == WHITE:
        condition = read_condition(work.conditions[work.counters[CONDITION]])
    words = count_words(int(work.counters[PROBLEMS]))
    columns = read_columns(work.table[: SOLVES + words, work.chosen[: work.counters[LENGTH]]])
    chosen = [(read_instance(column), frozenset(read_solves(column))) for column in columns]
    instances = _drop_needless(chosen, keep=Rule.AFTEREVEN if result == BLACK else None)
    return Certificate(
        position=position,
        controller=position.to_move.opponent,
        win_condition=condition,
        instances=tuple(sorted(instances, key=lambda instance: (instance.rule, instance.squares))),
    )


def _drop_needless(chosen: list[tuple[RuleInstance, frozenset[int]]], keep: Rule | None) -> list[RuleInstance]:
    """The instances without those whose problems the others solve too, but for those of the rule `keep`."""
    needed = list(chosen)
    for candidate in sorted(chosen, key=lambda pair: len(pair[1])):
        others = [pair for pair in needed if pair is not candidate]
        solved = frozenset[int]().union(*(solves for _, solves in others))
        if candidate[0].rule is not keep and candidate[1] <= solved:
            needed = others
    return [instance for instance, _ in needed]
