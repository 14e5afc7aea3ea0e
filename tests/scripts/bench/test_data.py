"""`claimeven bench batch`, `store` and `book` measure, and write what they measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scripts.stores import run


def test_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.reports.bench.batch_speed.STARTS", 1)
    result = run(
        "bench", "batch", "--lines", "20", "--late", "1000", "--alone", "--rounds", "1", "--out", str(tmp_path)
    )
    assert result.exit_code == 0, result.output
    measured = json.loads((tmp_path / "batch.json").read_text())
    assert [(speed["name"], speed["answered"], speed["invalid"]) for speed in measured["speeds"]] == [
        ("middle, search, no store", 20, 0),
        ("middle, into a new store", 20, 0),
        ("middle, all known", 20, 0),
        ("middle, rules", 20, 0),
        ("late, no store", 1000, 1),
        ("many, search, no store", 200, 0),
        ("many, all known", 200, 0),
        ("many, rules", 200, 0),
        ("late, no store", 1000, 1),
    ]
    assert all(rate > 0 for rate in measured["rates"].values())
    assert (tmp_path / "batch.md").read_text() == result.stdout


def test_a_batch_with_a_wrong_answer_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.scripts.bench.data.COMMAND", ("head", "-n", "5", "/dev/null"))
    result = run("bench", "batch", "--lines", "10", "--late", "10", "--alone", "--rounds", "1")
    assert result.exit_code == 1
    assert "not every line was answered" in result.stderr


def test_store(tmp_path: Path) -> None:
    result = run("bench", "store", "--rows", "3000", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    (speed,) = json.loads((tmp_path / "store.json").read_text())["speeds"]
    assert speed["rows"] == 3000
    assert (tmp_path / "store.md").read_text() == result.stdout


def test_book(tmp_path: Path) -> None:
    db = str(tmp_path / "book.db")
    assert run("book", "build", "--ply", "4", "--board", "4x4", "--memory", "1M", "--db", db).exit_code == 0
    arguments = ["bench", "book", "--positions", "2", "--ply", "10", "--alone", "--memory", "8M", "--db", db]
    result = run(*arguments, "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    measured = json.loads((tmp_path / "book.json").read_text())
    assert (measured["sample"]["positions"], measured["sample"]["exact_seconds"]) == (2, None)
    assert [(build["board"], build["ply"]) for build in measured["builds"]] == [("4x4", 4)]
    assert (tmp_path / "book.md").read_text() == result.stdout


def test_book_needs_the_store_it_is_given(tmp_path: Path) -> None:
    result = run("bench", "book", "--db", str(tmp_path / "none.db"))
    assert result.exit_code == 1
    assert "there is no store" in result.stderr
