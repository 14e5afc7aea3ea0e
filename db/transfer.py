"""From one store to another, whatever the backends: all that is known of positions, and read back when it is there.

Taken over are verdicts, certificates, claims and what positions cost. Runs and games of arenas stay where they are:
they are the history of that store.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from claimeven.db.errors import StoreError
from claimeven.db.store import Store
from claimeven.db.stored.proofs import OnFlaw, raise_flaw
from claimeven.solver.board import Board
from claimeven.solver.verdict import ContradictionError
from claimeven.solver.verdicts import VerdictBatch, describe_contradiction, find_contradictions

Progress = Callable[[int], object]


@dataclass(slots=True)
class TransferCounts:
    """What was taken over, and how many verdicts were found equal or tighter in the other store afterwards."""

    verdicts: int = 0
    proofs: int = 0
    claims: int = 0
    checked: int = 0


def copy_store(
    source: Store, target: Store, progress: Progress = lambda number: None, on_flaw: OnFlaw = raise_flaw
) -> TransferCounts:
    """Let `target` know all that `source` knows, and read it back.

    What the target knows already stays, so that the same call again goes on where one was stopped. `on_flaw` is told of
    stored proofs that do not hold; they are left out. Raises ContradictionError if the two exclude each other, and
    StoreError if what was written is not there.
    """
    counts = TransferCounts()
    run = target.start_run("store copy", {"boards": [str(board) for board in source.boards()]})
    for board in source.boards():
        for ply in source.plies(board):
            target.copy_ply(source, board, ply, progress, on_flaw)
        for ply in source.count_claims(board):
            for batch in source.read_claims(board, ply):
                target.write_claims(board, batch, run)
                counts.claims += len(batch)
        target.write_efforts(board, source.read_efforts(board))
        counts.verdicts += sum(source.count_positions(board).values())
        counts.proofs += sum(source.count_proofs(board).values())
        for ply in source.plies(board):
            for batch in source.read_ply(board, ply):
                check_contained(board, batch, target.lookup(board, batch.keys), str(target.location))
                counts.checked += len(batch)
    target.finish_run(run, {"verdicts": counts.verdicts, "proofs": counts.proofs, "claims": counts.claims})
    return counts


def check_contained(board: Board, batch: VerdictBatch, found: VerdictBatch, place: str) -> None:
    """Raise an error unless the verdicts that were found say at least what those of the batch say."""
    wrong = find_contradictions(batch, found)
    if wrong.any():
        raise ContradictionError(describe_contradiction(board, batch, found, int(wrong.argmax())))
    lost = (found.least < batch.least) | (found.greatest > batch.greatest) | (batch.has_score & ~found.has_score)
    if lost.any():
        raise StoreError(f"{place}: {np.count_nonzero(lost):,} verdicts of {board} that were written are not there")
