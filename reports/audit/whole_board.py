"""Every position of a board: what the rules and search say, against a table made backwards from the end of the game.

The table comes from moves and lines alone, and shares no code with the rules or with search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from claimeven.db.retrograde import verdicts_from_children
from claimeven.solver.audit.rule_bounds import RuleBook
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.positions import Keys, split_keys
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdicts import VerdictBatch, describe_position

CHUNK = 50_000
LISTED = 20

Progress = Callable[[int], object]
"""Told how many more positions are done."""


@dataclass(slots=True)
class WholeBoardCounts:
    """What was compared, one position of each mirror pair, and what differs; the first differences in words."""

    board: str
    positions: int = 0
    proofs: int = 0
    false_proofs: int = 0
    searched: int = 0
    wrong_scores: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    examples: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return not (self.false_proofs or self.wrong_scores)


def audit_whole_board(
    board: Board, rules: RuleBook | None, searcher: Searcher | None, progress: Progress = lambda number: None
) -> WholeBoardCounts:
    """Compare the bounds of the rules and the scores of search with the truth, in every unfinished position.

    Held in memory are the keys of all positions, 8 bytes each, and what is true of two plies.
    """
    counts, start, cpu_start = WholeBoardCounts(str(board)), time.perf_counter(), time.process_time()
    layers = dict(enumerate_plies(board, board.cells - 1))
    below = VerdictBatch.join([])
    for ply in sorted(layers, reverse=True):
        keys, parts = layers.pop(ply), []
        for first in range(0, len(keys), CHUNK):
            true = verdicts_from_children(board, keys[first : first + CHUNK], _lookup_in(below))
            counts.positions += len(true)
            if rules is not None:
                _compare_rules(board, rules, true, counts)
            if searcher is not None:
                _compare_search(searcher, true, counts)
            parts.append(true)
            progress(len(true))
        below = VerdictBatch.join(parts)
    counts.seconds = round(time.perf_counter() - start, 1)
    counts.cpu_seconds = round(time.process_time() - cpu_start, 1)
    return counts


def _lookup_in(known: VerdictBatch) -> Callable[[Keys], VerdictBatch]:
    """A lookup in verdicts that are sorted by key and hold every key that it will be asked for."""
    return lambda keys: known.select(np.searchsorted(known.keys, keys))


def _compare_rules(board: Board, rules: RuleBook, true: VerdictBatch, counts: WholeBoardCounts) -> None:
    bounds = rules.bound_all(board, true.keys)
    counts.proofs += int(np.count_nonzero(bounds.proved))
    wrong = (bounds.least > true.least) | (bounds.greatest < true.greatest)
    counts.false_proofs += int(np.count_nonzero(wrong))
    for place in np.flatnonzero(wrong)[: LISTED - len(counts.examples)].tolist():
        said = " and ".join(str(each) for each in bounds.at(place))
        _note(board, true, place, f"the rules say {said}", counts)


def _compare_search(searcher: Searcher, true: VerdictBatch, counts: WholeBoardCounts) -> None:
    stones = split_keys(searcher.board, true.keys)
    everything: NDArray[np.intp] = np.arange(len(true))
    with searcher.start(stones.white, stones.black, scores=True) as job:
        while not job.wait(60):
            continue
        least, greatest = job.least(everything), job.greatest(everything)
    counts.searched += len(true)
    wrong = (least != true.scores) | (greatest != true.scores)
    counts.wrong_scores += int(np.count_nonzero(wrong))
    for place in np.flatnonzero(wrong)[: LISTED - len(counts.examples)].tolist():
        _note(searcher.board, true, place, f"search says {least[place]} to {greatest[place]}", counts)


def _note(board: Board, true: VerdictBatch, place: int, said: str, counts: WholeBoardCounts) -> None:
    truth = f"{true.verdict(place).bounds}, score {true.scores[place]}"
    counts.examples.append(f"{describe_position(board, int(true.keys[place]))}: {said}, but it is {truth}")
