"""Books out of a store and claims into one, with files as they come."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimeven.db.books.claims import LISTED, ClaimReport, import_claims
from claimeven.db.books.files import export_book, read_claims
from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.db.formats.pons import PonsBook
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies, enumerate_ply
from claimeven.solver.notation import parse_position
from claimeven.solver.notation.uci import parse_row
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import certificate_from_json
from claimeven.solver.proof.checker import is_chosen_set
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.db.solved_boards import SMALL, all_positions, score, solve_board
from tests.positions import at

BOARD = Board()


def import_file(store: Store, format_: str, path: Path, board: Board = BOARD) -> ClaimReport:
    size, batches = read_claims(format_, path, board)
    return import_claims(store, size, batches, store.start_run("book import", {"file": path.name}))


def fill(store: Store, ply: int, seed: int = 1) -> VerdictBatch:
    """All positions up to a ply, with scores out of thin air."""
    keys = np.concatenate([keys for _, keys in enumerate_plies(BOARD, ply)])
    scores = np.random.default_rng(seed).integers(-15, 16, len(keys))
    batch = VerdictBatch.of_scores(BOARD, keys, scores, Source.SEARCH)
    store.write(BOARD, batch)
    return batch


def read_table(path: Path, format_: str) -> list[dict[str, Any]]:
    if format_ == "csv":
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    if format_ == "json":
        rows = json.loads(path.read_text())
        assert isinstance(rows, list)
        return rows
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("format_", ["csv", "json", "jsonl"])
def test_tables_hold_the_whole_board(tmp_path: Path, format_: str) -> None:
    with Store.open("sqlite://") as store:
        solve_board(store, SMALL)
        done: list[int] = []
        number = export_book(store, SMALL, format_, tmp_path / "book", None, done.append)
    rows = read_table(tmp_path / "book", format_)
    positions = all_positions(SMALL)
    assert number == len(rows) == len(positions) == sum(done)
    seen = set()
    for row in rows:
        position = parse_position(row["moves"], SMALL)
        seen.add(position.canonical_key)
        expected = score(position)
        best = row["best_moves"].split() if format_ == "csv" else row["best_moves"]
        assert int(row["score"]) == expected
        assert int(row["ply"]) == position.ply
        assert row["to_move"] == position.to_move.value
        assert row["board"] == "4x3x3"
        assert row["source"] == "retrograde"
        assert max(-score(position.play(column)) for column in position.legal_columns) == expected
        assert [int(column) - 1 for column in best] == [
            column for column in position.legal_columns if -score(position.play(column)) == expected
        ]
    assert len(seen) == len(positions)


def test_tables_up_to_a_ply_and_with_proofs(tmp_path: Path) -> None:
    certificate = prove(at("12")).certificate
    assert certificate is not None
    with Store.open("sqlite://") as store:
        store.write_proofs([certificate])
        store.put(at("444"), Verdict(Bounds.parse("white"), Source.SEARCH))
        assert export_book(store, BOARD, "jsonl", tmp_path / "book", 2) == 1
    (row,) = read_table(tmp_path / "book", "jsonl")
    assert (row["value"], row["score"], row["source"], row["best_moves"]) == ("not-white", None, "rules", None)
    assert is_chosen_set(certificate_from_json(parse_position(row["moves"]), row["proof"]))


def test_a_book_in_sqlite_is_a_store(tmp_path: Path) -> None:
    certificate = prove(at("", "6x4")).certificate
    assert certificate is not None
    with Store.open("sqlite://") as store:
        batch = fill(store, 3)
        store.write_proofs([certificate])
        store.put(at("4444"), Verdict(Bounds.parse("white"), Source.SEARCH))
        assert export_book(store, BOARD, "sqlite", tmp_path / "copy.db", 3) == len(batch)
    with Store.open(tmp_path / "copy.db", writable=False) as copy:
        assert copy.lookup(BOARD, batch.keys).scores.tolist() == batch.scores.tolist()
        assert copy.plies(BOARD) == [0, 1, 2, 3]
        assert copy.boards() == [BOARD]
    with Store.open("sqlite://") as store:
        store.write_proofs([certificate])
        assert export_book(store, Board(6, 4), "sqlite", tmp_path / "copy.db", None) == 1
    with Store.open(tmp_path / "copy.db", writable=False) as copy:
        assert copy.get_proof(certificate.position) == certificate
    assert [each.name for each in tmp_path.iterdir()] == ["copy.db"]


def test_a_pons_book_and_back(tmp_path: Path) -> None:
    with Store.open("sqlite://") as store:
        batch = fill(store, 4)
        number = export_book(store, BOARD, "pons", tmp_path / "7x6.book", 3)
        book = PonsBook.read(tmp_path / "7x6.book")
        assert number == len(book) == 151
        report = import_file(store, "pons", tmp_path / "7x6.book")
        assert (report.claims, report.confirmed, report.kept, report.disagreements) == (151, 151, 0, 0)
    with Store.open("sqlite://") as other:
        fill(other, 1, seed=2)
        report = import_file(other, "pons", tmp_path / "7x6.book")
        assert report.claims == 151
        assert report.disagreements == len(report.descriptions) > 0
        assert report.kept == 151 - report.disagreements - report.confirmed
        assert "claimed is" in report.descriptions[0]
        assert "known is" in report.descriptions[0]
        claims = other.lookup_claims(BOARD, batch.keys[5:151])
        assert claims.scores.tolist() == batch.scores[5:151].tolist()
        assert other.get(at("444")).source is None


def test_books_that_must_be_complete(tmp_path: Path) -> None:
    with Store.open("sqlite://") as store:
        fill(store, 3)
        for format_, ply in (("uci", 4), ("uci", None), ("bitbully", None)):
            with pytest.raises(IncompleteBookError, match="claimeven book build --ply"):
                export_book(store, BOARD, format_, tmp_path / "book", ply)
        with pytest.raises(IncompleteBookError, match="knows nothing of 5x5"):
            export_book(store, Board(5, 5), "csv", tmp_path / "book", None)
        for format_, board, ply in (("uci", BOARD, 3), ("bitbully", BOARD, 9), ("bitbully", Board(6, 5), 8)):
            with pytest.raises(FormatError):
                export_book(store, board, format_, tmp_path / "book", ply)
    with Store.open("sqlite://") as store:
        store.put(Position.start(), Verdict(Bounds.parse("white"), Source.SEARCH))
        with pytest.raises(IncompleteBookError, match="--score"):
            export_book(store, BOARD, "pons", tmp_path / "book", None)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("old")
    with Store.open("sqlite://") as store, pytest.raises(IncompleteBookError):
        export_book(store, BOARD, "csv", tmp_path / "book", None)
    assert (tmp_path / "book").read_text() == "old"


def test_uci_of_a_shallow_ply(tmp_path: Path) -> None:
    with Store.open("sqlite://") as store:
        batch = fill(store, 4)
        number = export_book(store, BOARD, "uci", tmp_path / "data", 4)
    rows = [parse_row(line) for line in (tmp_path / "data").read_text().splitlines()]
    assert number == len(rows) == 568
    ranks = dict(zip(batch.keys.tolist(), batch.least.tolist(), strict=True))
    assert all({"win": 1, "draw": 0, "loss": -1}[str(row.outcome)] == ranks[row.position.key] for row in rows)


def test_a_bitbully_book_and_back(tmp_path: Path) -> None:
    with Store.open("sqlite://") as store:
        keys = np.concatenate(list(enumerate_ply(BOARD, 8)))
        ranks = np.where(np.arange(len(keys)) % 3 == 0, 0, 1)
        store.write(BOARD, VerdictBatch.of_values(keys, ranks, Source.SEARCH))
        number = export_book(store, BOARD, "bitbully", tmp_path / "book.dat", None)
        assert (tmp_path / "book.dat").stat().st_size == 3 * number
        report = import_file(store, "bitbully", tmp_path / "book.dat")
        # What is not listed is claimed to be White's: the draws that a win at once made impossible to list.
        assert report.claims == len(keys)
        assert report.confirmed == len(keys) - report.disagreements
        assert report.disagreements == np.count_nonzero(ranks == 0) - number
        assert len(report.descriptions) == LISTED


def test_suites_are_claims(tmp_path: Path) -> None:
    path = tmp_path / "suite"
    path.write_text("4455 18\n44455554221 -15\n4455 18\n4455 17\n5544 18\n")
    with Store.open("sqlite://") as store:
        store.put(at("44455554221"), Verdict(Bounds.parse("draw"), Source.SEARCH))
        report = import_file(store, "suite", path)
        assert (report.claims, report.kept, report.disagreements) == (5, 1, 2)
        assert "44455554221" in report.descriptions[0] or "ply 11" in report.descriptions[0]
        assert "claimed before is white, score 18" in report.descriptions[1]
        assert store.read([at("4455")])[0].claim.score == 18
        assert store.runs()[0].arguments == {"file": "suite"}


@pytest.mark.parametrize(("format_", "data"), [("pons", b"xx"), ("bitbully", b"xx"), ("suite", b"44\n")])
def test_a_file_of_another_format(tmp_path: Path, format_: str, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    with Store.open("sqlite://") as store, pytest.raises(FormatError):
        import_file(store, format_, tmp_path / "file")


def test_a_suite_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xff\xfe\x00")
    with Store.open("sqlite://") as store, pytest.raises(FormatError, match="not text"):
        import_file(store, "suite", tmp_path / "file")
