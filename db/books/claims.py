"""Claims of imported books and suites: compared with what is known, and kept beside it, never mixed with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from claimeven.db.store import Store
from claimeven.db.tables.layout import CLAIM_TABLE
from claimeven.db.tables.rows import find_impossible
from claimeven.solver.board import Board
from claimeven.solver.positions import count_plies
from claimeven.solver.verdict_code import describe_verdict
from claimeven.solver.verdicts import VerdictBatch, describe_position, find_contradictions

LISTED = 20
"""How many disagreements are described; all are counted."""


@dataclass(slots=True)
class ClaimReport:
    """What came of an import.

    `confirmed`: the store knew as much or more; `kept`: claims that say more than it knows and than claims before;
    `disagreements`: claims that a verdict of the store or an earlier claim excludes, the first of them described.
    """

    claims: int = 0
    confirmed: int = 0
    kept: int = 0
    disagreements: int = 0
    descriptions: list[str] = field(default_factory=list)


def import_claims(
    store: Store,
    board: Board,
    batches: Iterable[VerdictBatch],
    run: int,
    progress: Callable[[int], object] = lambda number: None,
) -> ClaimReport:
    """Compare claims with the store and keep those that are news; `progress` is told how many more are done."""
    report = ClaimReport()
    for whole in batches:
        for batch in _each_position_once(whole):
            _import_batch(store, board, batch, run, report)
        progress(len(whole))
    return report


def _import_batch(store: Store, board: Board, batch: VerdictBatch, run: int, report: ClaimReport) -> None:
    report.claims += len(batch)
    impossible = find_impossible(CLAIM_TABLE, board, batch, count_plies(board, batch.keys))
    unknown = VerdictBatch.unknown(batch.keys)
    _describe(board, unknown.select(impossible), batch.select(impossible), "possible", report)
    batch = batch.select(~impossible)
    known = store.lookup(board, batch.keys)
    wrong = find_contradictions(known, batch)
    _describe(board, known.select(wrong), batch.select(wrong), "known", report)
    says_no_more = (known.least >= batch.least) & (known.greatest <= batch.greatest)
    says_no_more &= known.has_score | ~batch.has_score
    report.confirmed += int(np.count_nonzero(says_no_more & ~wrong))
    batch = batch.select(~wrong & ~says_no_more)
    earlier = store.lookup_claims(board, batch.keys)
    wrong = find_contradictions(earlier, batch)
    _describe(board, earlier.select(wrong), batch.select(wrong), "claimed before", report)
    report.kept += store.write_claims(board, batch.select(~wrong), run)


def _describe(board: Board, old: VerdictBatch, new: VerdictBatch, what: str, report: ClaimReport) -> None:
    report.disagreements += len(new)
    for place in range(min(len(new), LISTED - len(report.descriptions))):
        report.descriptions.append(
            f"{describe_position(board, int(new.keys[place]))}: claimed is {describe_verdict(new.verdict(place))}; "
            f"{what} is {describe_verdict(old.verdict(place))}"
        )


def _each_position_once(batch: VerdictBatch) -> Iterator[VerdictBatch]:
    while len(batch):
        _, first = np.unique(batch.keys, return_index=True)
        yield batch.select(first)
        again = np.ones(len(batch), dtype=np.bool_)
        again[first] = False
        batch = batch.select(again)
