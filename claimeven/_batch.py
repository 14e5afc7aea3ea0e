"""Many positions at once: a column of them in, columns of verdicts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from claimeven._intake import Positions, read_positions
from claimeven._verdicts import Verdicts
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch, complete_draws

if TYPE_CHECKING:
    from claimeven._store import Store


def solve_many(
    positions: Positions,
    *,
    board: Board | None = None,
    notation: str = "auto",
    score: bool = True,
    seconds: float | None = None,
    store: Store | None = None,
) -> Verdicts:
    """Who wins each of many positions, as arrays in their order: `values`, `scores` and `sources`.

    Positions are a list of Positions or of text, an integer array of keys (`Position.key`), or such a column of pandas
    or Arrow. `board` is the board of text and keys, 7x6 unless another is given. Positions that repeat, mirrored or
    not, are solved once. Without `score` values alone are looked for; `seconds` are for each position. What the store
    knows is not solved again, and what is solved is stored. Raises PositionError, with the place of the first that is
    no position.

    >>> verdicts = solve_many(["4455", "44455554221", "4433"])
    >>> verdicts.values.tolist(), verdicts.scores.tolist()
    (['white', 'white', 'white'], [18, -15, 18])
    >>> verdicts.to_pandas().columns.tolist(), verdicts[1]
    (['value', 'score', 'source'], Verdict('white', score=-15, source='search'))
    """
    # Of a pandas column the rows have names, and those stay; pandas itself need not be there.
    index = getattr(positions, "index", None) if type(positions).__module__.split(".")[0] == "pandas" else None
    groups = read_positions(positions, board or Board(), notation)
    number = sum(len(group.keys) for group in groups)
    least, greatest, sources = (np.zeros(number, dtype=np.int8) for _ in range(3))
    scores = np.full(number, NO_SCORE, dtype=np.int8)
    for group in groups:
        keys, each = np.unique(group.keys, return_inverse=True)
        decided = decide_keys(group.board, keys, score, Budget(seconds=seconds), store)
        least[group.places] = decided.least[each]
        greatest[group.places] = decided.greatest[each]
        scores[group.places] = decided.scores[each]
        sources[group.places] = decided.sources[each]
    return Verdicts.of_arrays(least, greatest, scores, scores != NO_SCORE, sources, index)


def decide_keys(board: Board, keys: Keys, scores: bool, budget: Budget, store: Store | None) -> VerdictBatch:
    """The verdicts on positions of one board by their canonical keys, each of them there once."""
    from claimeven.db.pipeline import answer_keys
    from claimeven.solver.deciding.decider import Decider

    decided = VerdictBatch.unknown(keys)
    for answered in answer_keys(Decider(board, scores=scores, budget=budget), keys, store):
        decided.put(answered.places, answered.verdicts)
    return complete_draws(decided)
