"""What was published on how many positions a board has, and what a store says about the same.

Published numbers count both mirror images and finished games; a store holds one of each mirror pair and no finished
game. So the images are counted, and the finished games are found as what follows the stored positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import successors
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, are_over, as_keys, count_images, have_line, split_keys
from claimeven.solver.verdicts import VerdictBatch

Item = TypeVar("Item")

TOTALS = {
    Board(4, 4): 161_029,
    Board(5, 4): 3_945_711,
    Board(4, 5): 1_706_255,
    Board(4, 6): 15_835_683,
    Board(5, 5): 69_763_700,
}
"""All positions of a board."""

PLIES = {
    Board(7, 6): (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111),
}
"""The positions of each ply, from 0 (7x6: OEIS A212693)."""

OUTCOMES = {
    Board(7, 6): (
        (1, 0, 0),
        (1, 2, 4),
        (27, 12, 10),
        (35, 58, 145),
        (690, 200, 230),
        (1080, 697, 2486),
        (10889, 1943, 3590),
        (17507, 5944, 31408),
        (124624, 14676, 44975),
    ),
}
"""By ply, in how many positions the first player wins, draws and loses."""


@dataclass(frozen=True, slots=True)
class PlyTotals:
    """A ply with both mirror images: unfinished positions in the store, finished ones, and who wins all of them.

    `missing` are unfinished positions, one of each mirror pair, that follow stored ones and are not stored or not
    decided; `published` and `published_outcomes` are None where nothing was.
    """

    ply: int
    unfinished: int
    finished: int
    outcomes: tuple[int, int, int]
    missing: int
    published: int | None
    published_outcomes: tuple[int, int, int] | None

    @property
    def positions(self) -> int:
        return self.unfinished + self.finished

    @property
    def is_right(self) -> bool:
        """Whether nothing is missing and nothing differs from what was published."""
        return (
            not self.missing
            and self.published in (None, self.positions)
            and self.published_outcomes in (None, self.outcomes)
        )


def count_totals(store: Store, board: Board, last: int | None = None) -> Iterator[PlyTotals]:
    """The totals of every ply from the empty board to a last one, or to the last of which the store knows anything.

    One ply more, of nothing but finished games, follows where a book goes on to the end of the game.

    >>> with Store.open("sqlite://") as store:
    ...     [totals.missing for totals in count_totals(store, Board(4, 4))]
    [1]
    """
    expected, over = as_keys([Position.start(board).key]), as_keys([])
    last = max(store.plies(board), default=0) if last is None else last
    ply = 0
    while len(expected) + len(over) and (ply <= last or not len(expected)):
        stored = VerdictBatch.join([batch.select(batch.is_exact) for batch in store.read_ply(board, ply)])
        outcomes = np.add(_count_outcomes(board, stored), _count_ends(board, over))
        yield PlyTotals(
            ply=ply,
            unfinished=count_images(board, stored.keys),
            finished=count_images(board, over),
            outcomes=(int(outcomes[0]), int(outcomes[1]), int(outcomes[2])),
            missing=len(np.setdiff1d(expected, stored.keys, assume_unique=True)),
            published=_at(PLIES.get(board, ()), ply),
            published_outcomes=_at(OUTCOMES.get(board, ()), ply),
        )
        after = successors(board, stored.keys, finished=True)
        is_over = are_over(board, after)
        expected, over = after[~is_over], after[is_over]
        ply += 1


def _count_outcomes(board: Board, stored: VerdictBatch) -> list[int]:
    return [count_images(board, stored.keys[stored.least == rank]) for rank in (1, 0, -1)]


def _count_ends(board: Board, over: Keys) -> list[int]:
    stones = split_keys(board, over)
    white, black = have_line(board, stones.white), have_line(board, stones.black)
    return [count_images(board, over[which]) for which in (white, ~white & ~black, black)]


def _at(items: tuple[Item, ...], place: int) -> Item | None:
    return items[place] if place < len(items) else None
