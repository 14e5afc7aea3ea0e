"""`claimeven verify`: quiet about a sound store, loud about another."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from db import layout
from db.store import Store
from solver.position import Position
from solver.verdict import Bounds, Source, Verdict
from tests.scripts.stores import make_store, run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store.db")


def spoil(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(statement).rowcount == 1
    connection.commit()
    connection.close()


def test_a_sound_store(path: Path) -> None:
    result = run("verify", "--db", str(path))
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "certificates             1 checked         0 wrong",
        "parents                  5 checked         0 wrong",
        "claims                   1 checked         0 wrong",
    ]


def test_only_one_board(path: Path) -> None:
    counts = json.loads(run("verify", "--db", str(path), "--board", "6x5", "--json").stdout)
    assert {name: counts[name]["checked"] for name in ("certificates", "parents", "claims")} == {
        "certificates": 0,
        "parents": 0,
        "claims": 0,
    }
    assert run("verify", "--db", str(path), "--board", "x").exit_code == 2


def test_a_sample(path: Path) -> None:
    counts = json.loads(run("verify", "--db", str(path), "--sample", "1", "--json").stdout)
    assert counts["certificates"] == {"checked": 1, "wrong": 0}
    assert counts["parents"]["checked"] < 5
    assert run("verify", "--db", str(path), "--sample", "0").exit_code == 2


def test_a_certificate_that_does_not_hold(path: Path) -> None:
    spoil(path, f"UPDATE {layout.CERTIFICATE_TABLE} SET proof = 'CLa3a4'")
    result = run("verify", "--db", str(path))
    assert result.exit_code == 1
    assert "12 (7x6, ply 2): the certificate does not hold" in result.stdout
    counts = json.loads(run("verify", "--db", str(path), "--json").stdout)
    assert counts["certificates"]["wrong"] == len(counts["flaws"]) > 0


def test_a_parent_that_its_moves_exclude(path: Path) -> None:
    with Store.open(path) as store:
        store.put(Position.start(), Verdict(Bounds.parse("black"), Source.SEARCH))
    result = run("verify", "--db", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[3:] == [
        "the empty board (7x6, ply 0): stored is black, from search; its moves say white, score 1, from retrograde"
    ]


def test_no_store(tmp_path: Path) -> None:
    assert run("verify", "--db", str(tmp_path / "store.db")).exit_code == 1
