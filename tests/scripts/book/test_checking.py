"""`claimeven book check`: quiet about a whole book, loud about a gap."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from claimeven.db.tables import layout
from tests.scripts.stores import run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    assert run("book", "build", "--ply", "16", "--board", "4x4", "--db", str(path)).exit_code == 0
    return path


def test_a_whole_book(path: Path) -> None:
    result = run("book", "check", "--board", "4x4", "--db", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1] == (
        "4x4: the book to ply 15 is complete, 161,029 positions with finished games and mirror images, as published"
    )
    fields = json.loads(run("book", "check", "--board", "4x4", "--db", str(path), "--json").stdout)
    assert (fields["positions"], fields["published"], fields["right"]) == (161_029, 161_029, True)
    assert len(fields["plies"]) == 17


@pytest.mark.parametrize("ply", [0, 7, 15])
def test_a_book_with_a_gap(path: Path, ply: int) -> None:
    connection = sqlite3.connect(path)
    statement = f"DELETE FROM {layout.POSITION_TABLE} WHERE ply = {ply} AND key = (SELECT min(key) FROM "
    statement += f"{layout.POSITION_TABLE} WHERE ply = {ply})"
    assert connection.execute(statement).rowcount == 1
    connection.commit()
    connection.close()
    result = run("book", "check", "--board", "4x4", "--db", str(path))
    assert result.exit_code == 1
    lacks = f"4x4: the book to ply 15 is not complete, ply {ply} lacks 1 positions"
    assert result.stdout.splitlines()[-1] == lacks


def test_a_published_number_that_differs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from claimeven.db.counts import published
    from claimeven.solver.board import Board

    monkeypatch.setitem(published.TOTALS, Board(4, 4), 161_030)
    result = run("book", "check", "--board", "4x4", "--db", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == (
        "4x4: the book is wrong, it has 161,029 positions, but 161,030 are published"
    )


def test_an_empty_board_of_the_store(path: Path) -> None:
    result = run("book", "check", "--board", "5x4", "--db", str(path))
    assert result.exit_code == 1
    assert run("book", "check", "--board", "x").exit_code == 2


def test_positions_beyond_the_book_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    assert run("book", "build", "--ply", "2", "--board", "4x4", "--db", str(path)).exit_code == 0
    assert run("solve", "1122334", "--board", "4x4", "--db", str(path)).exit_code == 0
    result = run("book", "check", "--board", "4x4", "--db", str(path))
    assert (result.exit_code, result.stdout.splitlines()[-1][:41]) == (0, "4x4: the book to ply 2 is complete, 21 po")
    out = tmp_path / "book.csv"
    assert (
        run("book", "export", "--format", "csv", "--board", "4x4", "--db", str(path), "--out", str(out)).exit_code == 0
    )
    assert {line.split(",")[2] for line in out.read_text().splitlines()[1:]} == {"0", "1", "2"}
