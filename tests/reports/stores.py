"""A store for the tests of the report: a small board known to a ply, a few verdicts and proofs on 7x6, an arena."""

from __future__ import annotations

from pathlib import Path

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.proof.prover import prove
from tests.positions import at
from tests.reports.arena.arenas import QUALITY, store_arena
from tests.scripts.stores import make_store

SMALL = Board(5, 4)
LAST_PLY = 6
"""How far the small board is known, with scores."""

PROVED = ("12", "444433351225255")
"""Positions of 7x6 with a proof: Black's, and White's by an odd threat."""


def make_report_store(path: Path) -> Path:
    with Store.open(path) as store:
        run = store.start_run("book build", {"board": str(SMALL), "ply": LAST_PLY, "note": "<b> & 'c'"})
        decider = Decider(SMALL, scores=True, memory_bytes=1 << 20, threads=2)
        build_book(store, decider, LAST_PLY, BuildCounts(), lambda *_: None)
        store.finish_run(run, {"positions": 542})
    make_store(path)
    with Store.open(path) as store:
        certificate = prove(at(PROVED[1])).certificate
        assert certificate is not None
        store.write_proofs([certificate])
        store_arena(store, QUALITY)
    return path
