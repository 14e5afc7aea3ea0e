"""Verdicts of children tighten their parents: a whole ply at once, values and scores.

Everything here is exact interval arithmetic: a child of which little is known still bounds its parent, and a parent's
score is known as soon as no child can change it, even if not every child's is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, canonical_keys, play_column, sort_keys, split_keys
from claimeven.solver.score import greatest_score, least_score
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

Lookup = Callable[[Keys], VerdictBatch]
CHUNK = 20_000


@dataclass(frozen=True, slots=True)
class RetrogradeCounts:
    """How many parents were looked at, of how many more is known now, and how many have an exact value and a score."""

    parents: int
    tightened: int
    exact: int
    scored: int


def tighten_parents(store: Store, board: Board, parents: Iterable[Keys]) -> RetrogradeCounts:
    """Tighten unfinished positions, given as arrays of canonical keys, by what the store knows of their children.

    Raises ContradictionError if a stored verdict of a parent excludes what its children say.
    """
    looked_at = tightened = exact = scored = 0
    for keys in parents:
        for start in range(0, len(keys), CHUNK):
            part = keys[start : start + CHUNK]
            tightened += store.write(
                board, verdicts_from_children(board, part, lambda wanted: store.lookup(board, wanted))
            )
            known = store.lookup(board, part)
            looked_at += len(part)
            exact += int(np.count_nonzero(known.is_exact))
            scored += int(np.count_nonzero(known.has_score))
    return RetrogradeCounts(looked_at, tightened, exact, scored)


def verdicts_from_children(board: Board, parents: Keys, lookup: Lookup) -> VerdictBatch:
    """What the positions after every legal move say about unfinished positions.

    `lookup` tells what is known of canonical keys, in their order; it is asked once, and not for finished children.
    """
    # Everything from the mover's point of view: his least and greatest value, his least and greatest score.
    stones = split_keys(board, parents)
    plies = stones.plies.astype(np.int64)
    sign = np.where(plies % 2 == 0, 1, -1)
    moves = [play_column(board, stones, column) for column in range(board.columns)]
    goes_on = [move.legal & ~move.wins & (plies < board.cells - 1) for move in moves]
    wanted = [canonical_keys(board, move.keys[on]) for move, on in zip(moves, goes_on, strict=True)]
    asked = sort_keys(np.concatenate(wanted))
    known = lookup(asked)
    best = _Interval.nothing_yet(len(parents))
    for move, on, children in zip(moves, goes_on, wanted, strict=True):
        ends = move.legal & ~on
        after = _Interval.nothing_yet(len(parents))
        after.put(ends, np.where(move.wins, 1, 0), np.where(move.wins, greatest_score(board.cells, plies), 0))
        after.put_known(on, known.select(np.searchsorted(asked, children)), sign[on], board.cells, plies[on] + 1)
        best.raise_to(after)
    white = sign == 1
    # Near the end scores alone may leave no choice where the values of the children still seem to.
    has_score = (best.least_score == best.greatest_score) & (best.least == best.greatest)
    return VerdictBatch(
        parents,
        np.where(white, best.least, -best.greatest).astype(np.int8),
        np.where(white, best.greatest, -best.least).astype(np.int8),
        np.where(has_score, best.least_score, NO_SCORE).astype(np.int8),
        np.full(len(parents), SOURCE_CODES[Source.RETROGRADE], dtype=np.int8),
    )


@dataclass(frozen=True, slots=True)
class _Interval:
    """For many positions the least and the greatest value and score, of one move or of the best of several."""

    least: NDArray[np.int64]
    greatest: NDArray[np.int64]
    least_score: NDArray[np.int64]
    greatest_score: NDArray[np.int64]

    @classmethod
    def nothing_yet(cls, number: int) -> _Interval:
        """No move at all: less than every value and every score."""
        return cls(*(np.full(number, -127, dtype=np.int64) for _ in range(4)))

    def put(self, where: NDArray[np.bool_], values: NDArray[np.int64], scores: NDArray[np.int64]) -> None:
        """Set exact values and scores in some places."""
        self.least[where] = self.greatest[where] = values[where]
        self.least_score[where] = self.greatest_score[where] = scores[where]

    def put_known(
        self,
        where: NDArray[np.bool_],
        known: VerdictBatch,
        sign: NDArray[np.int64],
        cells: int,
        plies: NDArray[np.int64],
    ) -> None:
        """Set in some places what is known of the positions after a move, which have so many stones."""
        least = np.where(sign == 1, known.least, -known.greatest)
        greatest = np.where(sign == 1, known.greatest, -known.least)
        # A child's score is the other side's. Without one, the soonest end is as good as known.
        soonest_win, soonest_loss = -least_score(cells, plies), -greatest_score(cells, plies)
        scores = -known.scores.astype(np.int64)
        self.least[where] = least
        self.greatest[where] = greatest
        self.least_score[where] = np.where(known.has_score, scores, np.where(least < 0, soonest_loss, least))
        self.greatest_score[where] = np.where(known.has_score, scores, np.where(greatest > 0, soonest_win, greatest))

    def raise_to(self, other: _Interval) -> None:
        """Let the mover choose between this and another move."""
        for mine, others in (
            (self.least, other.least),
            (self.greatest, other.greatest),
            (self.least_score, other.least_score),
            (self.greatest_score, other.greatest_score),
        ):
            np.maximum(mine, others, out=mine)
