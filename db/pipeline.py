"""From positions to a book: what the store does not decide is solved, written, and carried back to the parents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

import numpy as np

from claimeven.db.retrograde import tighten_parents
from claimeven.db.store import Store
from claimeven.db.tables.efforts import KEPT, Effort
from claimeven.db.whole_board import solve_whole_board
from claimeven.solver.batch import Decider, Decision
from claimeven.solver.board import Board
from claimeven.solver.enumeration import Keys, enumerate_plies, keys_of
from claimeven.solver.position import Position
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch

BATCH = 1024
"""Positions a transaction: what a run that is killed may have to do again."""


@dataclass(slots=True)
class BuildCounts:
    """How many positions were asked for, how many the store had, and what decided the others.

    `plies` are the unfinished positions of every ply of the book, `total` is how many of them will be asked for; all
    others follow.
    """

    positions: int = 0
    known: int = 0
    by_source: dict[str, int] = field(default_factory=dict)
    undecided: int = 0
    plies: dict[int, int] = field(default_factory=dict)
    total: int = 0

    def add(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            verdict = decision.verdict
            if verdict.bounds.is_exact and verdict.source is not None:
                self.by_source[str(verdict.source)] = self.by_source.get(str(verdict.source), 0) + 1
            else:
                self.undecided += 1


Report = Callable[[int, BuildCounts], None]


def solve_keys(store: Store, decider: Decider, keys: Iterable[Keys], counts: BuildCounts, report: Report) -> None:
    """Decide the positions with these canonical keys that the store leaves open, and store what is found.

    `report` is called after every batch with how many positions it held. Raises ContradictionError if a new verdict and
    a stored one exclude each other.
    """
    board = decider.board
    for chunk in keys:
        for start in range(0, len(chunk), BATCH):
            part = chunk[start : start + BATCH]
            known = store.lookup(board, part)
            is_done = known.is_exact & known.has_score if decider.scores else known.is_exact
            positions = [Position.from_key(board, int(key)) for key in part[~is_done]]
            decisions = decider.decide(positions)
            write_decisions(store, board, decisions)
            counts.positions += len(part)
            counts.known += int(np.count_nonzero(is_done))
            counts.add(decisions)
            report(len(part), counts)


def decide_with_store(
    store: Store, decider: Decider, positions: Sequence[Position], *, with_proofs: bool = False
) -> list[Decision]:
    """The decisions on positions, in their order: what the store has, and the rest decided and, if it may be, stored.

    With `with_proofs` the stored certificates come along.
    """
    board = decider.board
    keys = keys_of(board, positions)
    known = store.lookup(board, keys)
    is_done = known.is_exact & known.has_score if decider.scores else known.is_exact
    # One of several mirror images or repetitions is enough.
    first_of_key = {int(key): number for number, key in reversed(list(enumerate(keys))) if not is_done[number]}
    decided = decider.decide([positions[number] for number in first_of_key.values()])
    if store.is_writable:
        write_decisions(store, board, [decision for decision in decided if not decision.position.is_over])
    found = dict(zip(first_of_key, decided, strict=True))
    proofs = store.get_proofs(list(positions)) if with_proofs else [None] * len(positions)
    return [
        Decision(position, known.verdict(number) if is_done[number] else found[int(keys[number])].verdict, proof)
        for number, (position, proof) in enumerate(zip(positions, proofs, strict=True))
    ]


def write_decisions(store: Store, board: Board, decisions: list[Decision]) -> None:
    """Store certificates, which the store has checked, what search adds to them, and what that cost."""
    certificates = [decision.certificate for decision in decisions if decision.certificate is not None]
    if certificates:
        store.write_proofs(certificates)
    found = [
        decision
        for decision in decisions
        if decision.verdict.source is Source.SEARCH or decision.verdict.score is not None
    ]
    if found:
        positions = [decision.position for decision in found]
        verdicts = [replace(decision.verdict, source=Source.SEARCH) for decision in found]
        store.write(board, VerdictBatch.of_verdicts(positions, verdicts))
    efforts = [Effort(each.position, each.nodes, each.seconds) for each in decisions if each.nodes]
    if efforts:
        store.write_efforts(board, nlargest(KEPT, efforts, key=lambda effort: effort.nodes))


def build_book(store: Store, decider: Decider, ply: int, counts: BuildCounts, report: Report) -> None:
    """Decide every unfinished position up to a ply: the deepest ply is solved, the others follow from it.

    The last ply, or one beyond it, means the whole board, where everything follows from the end of the game. The first
    report comes before the work, when `counts` says how much there is to do.
    """
    board = decider.board
    layers = dict(enumerate_plies(board, ply))
    counts.plies = {each: len(keys) for each, keys in layers.items()}
    is_whole = ply >= board.cells - 1 or ply not in layers
    counts.total = sum(counts.plies.values()) if is_whole else counts.plies[ply]
    report(0, counts)
    if is_whole:
        solve_whole_board(store, board, layers, lambda number, known: _note(number, known, counts, report))
        return
    solve_keys(store, decider, [layers.pop(ply)], counts, report)
    for shallower in sorted(layers, reverse=True):
        tighten_parents(store, board, [layers.pop(shallower)])


def _note(number: int, known: int, counts: BuildCounts, report: Report) -> None:
    """Count a batch of positions that follow from the end of the game."""
    counts.positions += number
    counts.known += known
    counts.by_source[str(Source.RETROGRADE)] = counts.positions - counts.known
    report(number, counts)
