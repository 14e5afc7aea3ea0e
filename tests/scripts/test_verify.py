"""`claimeven verify`: quiet about a sound store, loud about another."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import Result

from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, Source, Verdict
from tests.scripts.stores import make_store, run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store.db")


def spoil(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(statement).rowcount == 1
    connection.commit()
    connection.close()


def verify(path: Path, *arguments: str) -> Result:
    """The checks without fresh search, which takes long in the opening."""
    return run("verify", "--db", str(path), "--search", "none", *arguments)


def test_a_sound_store(path: Path) -> None:
    result = verify(path)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "rows                     7 checked         0 wrong",
        "certificates             1 checked         0 wrong",
        "parents                  5 checked         0 wrong",
        "claims                   1 checked         0 wrong",
    ]


def test_only_one_board(path: Path) -> None:
    with Store.open(path) as store:
        store.put(Position.start(Board(4, 4)), Verdict(Bounds.parse("draw"), Source.SEARCH))
    counts = {board: json.loads(verify(path, "--board", board, "--json").stdout) for board in ("4x4", "7x6")}
    assert {board: count["parents"]["checked"] for board, count in counts.items()} == {"4x4": 1, "7x6": 5}
    assert verify(path, "--board", "x").exit_code == 2


def test_a_board_that_the_store_does_not_know(path: Path) -> None:
    result = verify(path, "--board", "6x5")
    assert result.exit_code == 2
    assert result.stderr == "Error: --board: the store knows nothing of 6x5; it knows 7x6\n"


def test_a_sample(path: Path) -> None:
    counts = json.loads(verify(path, "--sample", "1", "--json").stdout)
    assert counts["certificates"] == {"checked": 1, "wrong": 0}
    assert counts["parents"]["checked"] < 5
    counts = json.loads(verify(path, "--sample", "none", "--json").stdout)
    assert {counts[name]["checked"] for name in ("certificates", "parents", "claims")} == {0}
    assert json.loads(verify(path, "--sample", "100%", "--json").stdout)["parents"]["checked"] == 5


@pytest.mark.parametrize("amount", ["x", "-1", "101%", "1.5", "", "%"])
def test_what_is_no_amount(path: Path, amount: str) -> None:
    result = verify(path, "--sample", amount)
    assert result.exit_code == 2
    assert "is not an amount" in result.stderr


def test_a_certificate_that_does_not_hold(path: Path) -> None:
    spoil(path, f"UPDATE {layout.CERTIFICATE_TABLE} SET proof = 'CLa3a4'")
    result = verify(path)
    assert result.exit_code == 1
    assert "the table certificates (7x6, ply 2) is not what was written: rows were changed" in result.stdout
    counts = json.loads(verify(path, "--json").stdout)
    assert counts["rows"]["wrong"] == len(counts["flaws"]) > 0


def test_a_parent_that_its_moves_exclude(path: Path) -> None:
    with Store.open(path) as store:
        store.put(Position.start(), Verdict(Bounds.parse("black"), Source.SEARCH))
    result = verify(path)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[4:] == [
        "the empty board (7x6, ply 0): stored is black, from search; its moves say white, score 1, from retrograde"
    ]


def test_no_store(tmp_path: Path) -> None:
    assert run("verify", "--db", str(tmp_path / "store.db")).exit_code == 1


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    build = run("book", "build", "--ply", "6", "--board", "4x4", "--memory", "1M", "--db", str(path))
    assert build.exit_code == 0, build.output
    return path


def test_fresh_search_and_play(book: Path) -> None:
    arguments = ["verify", "--db", str(book), "--search", "all", "--play", "--memory", "1M"]
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[4].startswith("search ")
    assert lines[4].endswith("0 wrong         0 not decided")
    counts = json.loads(run(*arguments, "--json").stdout)
    assert counts["search"] == {"checked": counts["parents"]["checked"], "wrong": 0, "undecided": 0}
    assert counts["play"]["exhaustive"] == counts["play"]["checked"] == counts["certificates"]["checked"] > 0
    assert lines[6].startswith(f"{counts['play']['exhaustive']:,} proofs survive every opposition, ")


def test_a_verdict_that_search_refutes(book: Path) -> None:
    spoil(
        book,
        f"UPDATE {layout.POSITION_TABLE} SET least = 1, greatest = 1, score = NULL WHERE ply = 6 AND key = "
        f"(SELECT min(key) FROM {layout.POSITION_TABLE} WHERE ply = 6 AND greatest < 1)",
    )
    result = run("verify", "--db", str(book), "--search", "all", "--memory", "1M")
    assert result.exit_code == 1
    assert "4x4, ply 6, key" in result.stdout
    assert "is damaged: it is not what was written" in result.stdout


def test_a_search_that_is_given_up_is_not_decided(book: Path) -> None:
    arguments = ["verify", "--db", str(book), "--search", "all", "--nodes", "1", "--memory", "1M", "--json"]
    counts = json.loads(run(*arguments).stdout)
    assert 0 < counts["search"]["undecided"] <= counts["search"]["checked"]


def test_a_certificate_that_cannot_be_played(path: Path) -> None:
    spoil(path, f"UPDATE {layout.CERTIFICATE_TABLE} SET proof = 'CLa3a4'")
    assert verify(path, "--play").exit_code == 1
