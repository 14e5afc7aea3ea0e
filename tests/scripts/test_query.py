"""`claimeven query`: what it says, how fast, and what it needs for that."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from claimeven.db.location import VARIABLE
from claimeven.db.store import Store
from claimeven.solver.proof.certificate import certificate_from_json
from claimeven.solver.proof.checker import is_chosen_set
from claimeven.solver.verdict import Bounds, Source, Verdict
from tests.positions import at
from tests.scripts.stores import make_store, run

ROOT = Path(__file__).parents[2]
HEAVY = ("matplotlib", "networkx", "numba", "numpy", "pandas", "platformdirs", "scipy", "sqlalchemy")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store.db")


def asked(path: Path, *arguments: str) -> dict[str, Any]:
    result = run("query", *arguments, "--json", "--db", str(path))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_the_empty_board_is_known_by_its_moves(path: Path) -> None:
    result = run("query", "--db", str(path))
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.endswith(
        """
To move  White
Value    White wins
Score    1 for White: wins with stone 41, after 41 more
Source   retrograde
Best     4 (d1)

Moves
   1  a1    Black wins             -2  search
   2  b1    Black wins             -1  search
   3  c1    a draw                  0  search
*  4  d1    White wins             +1  search
   5  e1    a draw                  0  search
   6  f1    Black wins             -1  search
   7  g1    Black wins             -2  search
"""
    )


def test_json_has_the_fields_of_every_command(path: Path) -> None:
    found = asked(path)
    children = found.pop("children")
    assert found == {
        "moves": "",
        "board": "7x6",
        "ply": 0,
        "to_move": "white",
        "value": "white",
        "score": 1,
        "source": "retrograde",
        "best_moves": [4],
        "proof": None,
    }
    assert [child["score"] for child in children] == [-2, -1, 0, 1, 0, -1, -2]
    assert children[3] == {"column": 4, "square": "d1", "value": "white", "score": 1, "source": "search"}


def test_a_proof_is_told_and_can_be_read_and_checked(path: Path) -> None:
    for moves in ("12", "76"):
        output = run("query", moves, "--db", str(path)).stdout
        assert "Value    Black at least draws" in output
        assert "Source   rules" in output
        assert "Rule proof for Black: " in output
        assert f"To read it: claimeven query {moves} --proof" in output
        assert "The store knows no more of this position. To find out: claimeven solve " + moves in output
        found = asked(path, moves)
        assert (found["value"], found["source"]) == ("not-white", "rules")
        assert is_chosen_set(certificate_from_json(at(moves), found["proof"]))
    assert "How it works" in run("query", "12", "--proof", "--db", str(path)).stdout


def test_claims_are_shown_as_such(path: Path) -> None:
    found = asked(path, "44")
    assert (found["value"], found["score"], found["source"]) == ("white", 1, "import")


def test_what_to_do_when_nothing_is_known(path: Path) -> None:
    output = run("query", "4444", "--db", str(path)).stdout
    assert "Value    unknown" in output
    assert output.endswith(f"The store knows nothing of this position. To find out: claimeven solve 4444 --db {path}\n")
    output = run("query", "12", "--board", "6x5", "--db", str(path)).stdout
    assert output.endswith(f"claimeven solve 12 --board 6x5 --db {path}\n")
    found = asked(path, "4444")
    assert (found["value"], found["source"], found["best_moves"]) == ("unknown", None, None)


def test_wins_at_once_need_no_store(path: Path) -> None:
    output = run("query", "121212", "--db", str(path)).stdout
    assert "Best     1 (a4)" in output
    assert "*  1  a4    White wins            +18  terminal" in output
    assert "The game is over: White has won." in run("query", "1212121", "--db", str(path)).stdout
    assert asked(path, "1212121")["score"] == -18


def test_the_environment_names_the_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(path))
    assert "White wins" in run("query").stdout


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    result = run("query", "--db", str(tmp_path / "typo.db"))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"Error: {tmp_path / 'typo.db'}: there is no store; make one with: claimeven book build --ply 2\n"
    )


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("hello")
    result = run("query", "--db", str(tmp_path / "notes"))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_a_contradiction_in_the_store_is_a_problem(path: Path) -> None:
    with Store.open(path) as store:
        store.put(at(""), Verdict(Bounds.parse("black"), Source.SEARCH))
    result = run("query", "--db", str(path))
    assert result.exit_code == 1
    assert "stored:        black, from search\nits moves say: white\n" in result.stderr


def test_wrong_moves_are_wrong_usage(path: Path) -> None:
    assert run("query", "48", "--db", str(path)).exit_code == 2


def test_nothing_heavy_is_imported(path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "claimeven", "query", "12", "--no-book", "--db", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = set(re.findall(r"\|\s+(\w+)", result.stderr))
    assert "click" in imported
    assert imported.isdisjoint(HEAVY)
    assert "Black at least draws" in result.stdout


@pytest.mark.slow
def test_an_answer_takes_less_than_four_tenths_of_a_second(path: Path) -> None:
    command = [sys.executable, "-m", "claimeven", "query", "12"]
    times = []
    for _ in range(5):
        start = perf_counter()
        subprocess.run(command, cwd=ROOT, env=os.environ | {VARIABLE: str(path)}, capture_output=True, check=True)
        times.append(perf_counter() - start)
    assert sorted(times)[2] < 0.4
