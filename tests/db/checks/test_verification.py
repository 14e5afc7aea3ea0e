"""Re-checking a store finds what was tampered with, and nothing in one that was not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, update

from claimeven.db.checks.verification import CHECKS, count_objects
from claimeven.db.counts.contents import count_board, file_bytes
from claimeven.db.engine import writing
from claimeven.db.store import Store
from claimeven.db.tables.models import CertificateRow, PositionRow
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.db.resealing import reseal
from tests.db.solved_boards import SMALL, all_positions, solve_board
from tests.positions import at

BOARD = Board()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as opened:
        solve_board(opened, SMALL)
        for moves in ("12", "4445333551", "444433351225255"):
            certificate = prove(at(moves)).certificate
            assert certificate is not None
            opened.write_proofs([certificate])
        yield opened


def flaws(store: Store, board: Board, name: str, share: float = 1.0) -> tuple[int, list[str]]:
    steps = list(CHECKS[name](store, board, share, random.Random(1)))
    return sum(step.looked_at for step in steps), [flaw for step in steps for flaw in step.flaws]


def objects(proofs: int, positions: int) -> dict[str, int]:
    """What there is to check in a store without claims."""
    return {"certificates": proofs, "parents": positions, "claims": 0, "search": positions, "play": proofs}


def change(store: Store, what: object) -> None:
    with writing(store.engine, store.location) as connection:
        assert isinstance(connection, Connection)
        assert connection.execute(what).rowcount > 0  # type: ignore[call-overload]
    reseal(store)


def test_a_sound_store_has_no_flaws(store: Store) -> None:
    number = len(all_positions(SMALL))
    assert flaws(store, SMALL, "parents") == (number, [])
    assert flaws(store, BOARD, "certificates") == (3, [])
    assert flaws(store, BOARD, "claims") == (0, [])
    assert count_objects(store, SMALL) == objects(0, number)
    assert count_objects(store, BOARD) == objects(3, 3)


def test_a_sample_looks_at_some(store: Store) -> None:
    number = len(all_positions(SMALL))
    looked_at, wrong = flaws(store, SMALL, "parents", 0.3)
    assert 0.2 * number < looked_at < 0.4 * number
    assert wrong == []
    assert flaws(store, BOARD, "certificates", 0.0) == (0, [])


def test_a_changed_verdict_contradicts_its_neighbours(store: Store) -> None:
    start = Position.start(SMALL)
    rank = store.get(start).bounds.least.rank
    board_id = store.find_board_id(SMALL)
    row = PositionRow
    wrong = -1 if rank == 1 else rank + 1
    change(
        store,
        update(row).where(row.board_id == board_id, row.ply == 0).values(least=wrong, greatest=wrong, score=None),
    )
    (flaw,) = flaws(store, SMALL, "parents")[1]
    assert flaw.startswith("the empty board (4x3x3, ply 0): stored is ")
    assert "its moves say" in flaw


def test_a_changed_certificate_does_not_hold(store: Store) -> None:
    change(store, update(CertificateRow).where(CertificateRow.ply == 2).values(proof="CLa3a4"))
    looked_at, wrong = flaws(store, BOARD, "certificates")
    assert looked_at == 3
    (flaw,) = wrong
    assert flaw.startswith("12 (7x6, ply 2): the certificate does not hold: ")
    assert flaw.endswith(" more)")


def test_a_certificate_that_cannot_be_read(store: Store) -> None:
    change(store, update(CertificateRow).where(CertificateRow.ply == 2).values(proof="nonsense"))
    wrong = flaws(store, BOARD, "certificates")[1]
    assert len(wrong) == 1
    assert "cannot be read" in wrong[0]


def test_a_verdict_that_does_not_go_with_its_certificate(store: Store) -> None:
    row = PositionRow
    board_id = store.find_board_id(BOARD)
    change(store, update(row).where(row.board_id == board_id, row.ply == 2).values(least=1, greatest=1, source=3))
    change(store, delete(row).where(row.board_id == board_id, row.ply == 10))
    wrong = flaws(store, BOARD, "certificates")[1]
    assert len(wrong) == 2
    assert "stored is white, from search, the certificate proves not-white" in wrong[0]
    assert "stored is unknown, less than the certificate proves (black)" in wrong[1]


def test_a_claim_that_turned_out_wrong(store: Store) -> None:
    run = store.start_run("book import", {})
    claim = VerdictBatch.of_verdicts([at("44")], [Verdict(Bounds.parse("black"), Source.IMPORT)])
    store.write_claims(BOARD, claim, run)
    assert flaws(store, BOARD, "claims") == (1, [])
    store.put(at("44"), Verdict(Bounds.parse("white"), Source.SEARCH, 1))
    (flaw,) = flaws(store, BOARD, "claims")[1]
    assert flaw == (
        "44 (7x6, ply 2): stored is white, score 1, from search; an imported file claims black, from import"
    )


def test_counts(store: Store) -> None:
    counts = count_board(store, SMALL)
    assert counts.positions == len(all_positions(SMALL))
    assert [ply.ply for ply in counts.plies] == list(range(SMALL.cells))
    for ply in counts.plies:
        assert ply.positions == ply.scored == sum(ply.by_value.values()) == ply.by_source["retrograde"]
    counts = count_board(store, BOARD)
    assert [(ply.ply, ply.by_value, ply.certificates) for ply in counts.plies] == [
        (2, {"not-white": 1}, 1),
        (10, {"black": 1}, 1),
        (15, {"white": 1}, 1),
    ]
    assert count_board(store, Board(5, 5)).plies == ()
    assert (file_bytes(store) or 0) > 0
