"""Stores for the tests of the commands that work on one, and the way to run those."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from claimeven.db.store import Store
from claimeven.scripts.main import claimeven
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at

FIRST_MOVES = {1: 2, 2: 1, 3: 0, 4: -1}
"""The score after each first move, for Black, who is then to move."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, list(arguments), prog_name="claimeven")


def make_store(path: Path) -> Path:
    """A store that knows the first two plies of 7x6 by search, one proof, and one claim."""
    with Store.open(path) as store:
        for column, score in FIRST_MOVES.items():
            position = at(str(column))
            verdict = Verdict(Bounds.parse({-1: "white", 0: "draw"}.get(score, "black")), Source.SEARCH, score)
            store.put(position, verdict)
        certificate = prove(at("12")).certificate
        assert certificate is not None
        store.write_proofs([certificate])
        claim = VerdictBatch.of_verdicts([at("44")], [Verdict(Bounds.parse("white"), Source.IMPORT, 1)])
        store.write_claims(Board(), claim, store.start_run("book import", {"file": "book"}))
        assert store.get(Position.start()).source is None
    return path
