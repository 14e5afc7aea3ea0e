"""A stored proof is shown only after the checker has accepted it; one that fails is named and the status is 1."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from claimeven.db.store import Store
from claimeven.solver.verdict import Bounds, Source, Verdict
from tests.positions import at
from tests.scripts.stores import make_store, run

BROKEN = {
    "empty": "''",
    "cut": "substr(proof, 1, 6)",
    "other": "replace(proof, 'CL', 'VE')",
    "garbage": "'x' || proof",
    "other board": "proof || ' CLx1x2'",
}


@pytest.fixture(params=BROKEN)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = make_store(tmp_path / "store.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE certificates SET proof = {BROKEN[request.param]}")
        connection.commit()
    return path


def test_query_marks_it_and_shows_no_proof(store: Path) -> None:
    result = run("query", "12", "--proof", "--db", str(store))
    assert result.exit_code == 1
    assert "There is a stored rule proof, but it does not hold and is not shown." in result.stdout
    assert "Chosen set" not in result.stdout
    assert "no group left" not in result.stdout
    assert "the stored proof of 12 (7x6) does not hold" in result.stderr
    as_json = json.loads(run("query", "12", "--json", "--db", str(store)).stdout)
    assert as_json["proof"] is None
    assert "does not hold" in as_json["proof_error"]


def test_solve_shows_none(store: Path) -> None:
    with Store.open(store) as opened:  # so that nothing has to be solved
        opened.put(at("12"), Verdict(Bounds.parse("black"), Source.SEARCH))
    result = run("solve", "12", "--json", "--nodes", "1", "--db", str(store))
    assert result.exit_code == 1
    assert "Claimeven" not in result.stdout
    assert "the stored proof of 12 (7x6" in result.stderr


@pytest.mark.parametrize("format_", ["csv", "jsonl", "sqlite"])
def test_exports_leave_it_out(store: Path, format_: str, tmp_path: Path) -> None:
    out = tmp_path / "book"
    result = run("book", "export", "--format", format_, "--out", str(out), "--db", str(store))
    assert result.exit_code == 1
    assert "left out: the stored proof of 12 (7x6) does not hold" in result.stderr
    if format_ == "sqlite":
        with Store.open(out, writable=False) as book:
            assert book.get_proof(at("12")) is None
    else:
        assert "Claimeven" not in out.read_text(encoding="utf-8")


def test_the_report_leaves_it_out(store: Path, tmp_path: Path) -> None:
    with Store.open(store) as opened:  # the table of the page is that of a book, from the empty board on
        opened.put(at(""), Verdict(Bounds.parse("white"), Source.SEARCH, 1))
        number = opened.start_run("book build", {"board": "7x6", "ply": 2, "score": False})
        opened.finish_run(number, {})
    result = run("report", "--out", str(tmp_path / "report"), "--db", str(store))
    assert result.exit_code == 1
    assert "left out: the stored proof of 12 (7x6)" in result.stderr
    assert (tmp_path / "report" / "index.html").exists()


def test_a_proof_that_holds_is_shown(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    result = run("query", "12", "--proof", "--db", str(path))
    assert result.exit_code == 0
    assert "Chosen set" in result.stdout
