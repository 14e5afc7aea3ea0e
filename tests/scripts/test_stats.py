"""`claimeven stats`: what it counts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from claimeven.db.store import Store
from tests.scripts.stores import make_store, run


def test_what_is_in_a_store(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    result = run("stats", "--db", str(path))
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == f"Store  {path}"
    assert lines[1].startswith(f"Size   {path.stat().st_size:,} bytes, ")
    assert lines[2] == "Runs   1"
    assert lines[4:] == [
        "7x6: 5 positions, one of each mirror pair",
        "ply  positions  white  draw  black  not-white  rules  search  scores  proofs  claims",
        "  1          4      1     1      2          0      0       4       4       0       0",
        "  2          1      0     0      0          1      1       0       0       1       1",
        "all          5      1     1      2          1      1       4       4       1       1",
    ]


def test_json(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    counts = json.loads(run("stats", "--db", str(path), "--json").stdout)
    assert counts["bytes"] == path.stat().st_size
    (board,) = counts["boards"]
    assert (board["board"], board["positions"]) == ("7x6", 5)
    assert board["plies"][0] == {
        "ply": 1,
        "positions": 4,
        "values": {"white": 1, "draw": 1, "black": 2},
        "sources": {"search": 4},
        "scores": 4,
        "proofs": 0,
        "claims": 0,
    }
    assert counts["runs"][0]["command"] == "book import"


def test_an_empty_store(tmp_path: Path) -> None:
    Store.open(tmp_path / "store.db").close()
    output = run("stats", "--db", str(tmp_path / "store.db")).stdout
    assert output.endswith("Nothing is known yet. To begin: claimeven book build --ply 2\n")


def test_no_store(tmp_path: Path) -> None:
    result = run("stats", "--db", str(tmp_path / "store.db"))
    assert result.exit_code == 1
    assert "there is no store" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_where_a_number_must_be(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    for statement in (
        "UPDATE sqlite_master SET sql = replace(sql, 'least INTEGER NOT NULL', 'least INTEGER') "
        "WHERE name = 'positions'",
        "UPDATE positions SET least = NULL WHERE ply = 1",
        "UPDATE sqlite_master SET sql = replace(sql, 'least INTEGER', 'least INTEGER NOT NULL') "
        "WHERE name = 'positions'",
    ):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            assert connection.execute(statement).rowcount > 0
            connection.commit()
    result = run("stats", "--db", str(path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "None, " in result.stderr
    assert "are no verdict" in result.stderr
