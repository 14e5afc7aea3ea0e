"""From positions to a book: every position of a ply is decided and stored, and carried back to the plies before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from claimeven.db.books.whole_board import solve_whole_board
from claimeven.db.pipeline import answer_keys
from claimeven.db.retrograde import tighten_parents
from claimeven.db.store import Store
from claimeven.solver.deciding.key_decider import KeyDecider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import source_of_code
from claimeven.solver.verdicts import VerdictBatch


@dataclass(slots=True)
class BuildCounts:
    """How many positions were asked for, how many the store had, and what decided the others.

    `plies` are the unfinished positions of every ply of the book, `total` is how many of them will be asked for; all
    others follow. `nodes` is what search has looked at so far.
    """

    positions: int = 0
    known: int = 0
    by_source: dict[str, int] = field(default_factory=dict)
    undecided: int = 0
    plies: dict[int, int] = field(default_factory=dict)
    total: int = 0
    nodes: int = 0

    def add(self, verdicts: VerdictBatch) -> None:
        """Count positions that were decided now, or given up."""
        exact = verdicts.is_exact
        self.positions += len(verdicts)
        self.undecided += int(np.count_nonzero(~exact))
        codes, numbers = np.unique(verdicts.sources[exact], return_counts=True)
        for code, number in zip(codes.tolist(), numbers.tolist(), strict=True):
            source = str(source_of_code(code))
            self.by_source[source] = self.by_source.get(source, 0) + number


Report = Callable[[int, BuildCounts], None]


def solve_keys(store: Store, decider: KeyDecider, keys: Keys, counts: BuildCounts, report: Report) -> None:
    """Decide the positions with these canonical keys that the store leaves open, and store what is found.

    `report` is called with how many positions were done whenever some are, and now and then while none is.
    """
    for answered in answer_keys(decider, keys, store):
        counts.nodes = decider.nodes
        if answered.was_known:
            counts.positions += len(answered)
            counts.known += len(answered)
        else:
            counts.add(answered.verdicts)
        report(len(answered), counts)


def build_book(store: Store, decider: KeyDecider, ply: int, counts: BuildCounts, report: Report) -> None:
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
    solve_keys(store, decider, layers.pop(ply), counts, report)
    for shallower in sorted(layers, reverse=True):
        tighten_parents(store, board, [layers.pop(shallower)])


def _note(number: int, known: int, counts: BuildCounts, report: Report) -> None:
    """Count a batch of positions that follow from the end of the game."""
    counts.positions += number
    counts.known += known
    counts.by_source[str(Source.RETROGRADE)] = counts.positions - counts.known
    report(number, counts)
