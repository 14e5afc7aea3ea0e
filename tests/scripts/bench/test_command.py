"""`claimeven bench rules` measures real suites and writes what it measured."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from claimeven.db.books.packed import NO_BOOK
from claimeven.reports.bench.suite_maker import KINDS
from claimeven.reports.bench.suites import SHIPPED, read_suites
from claimeven.scripts.main import claimeven

QUICK = [kind for kind in KINDS if kind.name in ("middle-easy", "middle-medium", "end-easy", "8x7-easy")]
SUITE = "12 -2\n444433351225255 -5\n\n4445333551 -4\n44353333 -1\n43 1\n"


def test_rules_reports_every_suite_and_writes_the_same_numbers(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text(SUITE)
    (tmp_path / "README.md").write_text("not a suite")
    result = CliRunner().invoke(claimeven, ["bench", "rules", str(tmp_path), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    (suite,) = json.loads((tmp_path / "rules.json").read_text())["suites"]
    assert suite["name"] == "openings"
    assert suite["values"] == {"black": 1, "not-white": 2, "unknown": 1, "white": 1}
    assert suite["per_second"] > suite["yardstick_per_second"]
    shares = suite["generation_share"] + suite["conflicts_share"] + suite["search_share"]
    assert abs(shares - 1) < 1e-9
    assert (tmp_path / "rules.md").read_text() == result.stdout
    assert "| openings | 5 | 4 | 0 |" in result.stdout


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("12 0\n19 0\n")
    result = CliRunner().invoke(claimeven, ["bench", "rules", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path / 'suite'}, line 2" in result.stderr


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(claimeven, ["bench", "rules", str(tmp_path)])
    assert result.exit_code == 2
    assert "holds no suites" in result.stderr


def test_search_compares_every_answer_with_the_suite(tmp_path: Path) -> None:
    (tmp_path / "late").write_text("4455 18\n44455554221 -15\n")
    arguments = ["bench", "search", str(tmp_path), "--no-game", "--alone", "--memory", "8M", "--out", str(tmp_path)]
    result = CliRunner().invoke(claimeven, arguments)
    assert result.exit_code == 0, result.output
    speeds = json.loads((tmp_path / "bench.json").read_text())["speeds"]
    assert [(speed["kind"], speed["wrong"], speed["positions"]) for speed in speeds] == [
        ("value", 0, 2),
        ("score", 0, 2),
    ]
    assert (tmp_path / "bench.md").read_text() == result.stdout


def test_the_shipped_suites_are_what_their_names_say_and_the_default() -> None:
    suites = read_suites(SHIPPED)
    assert {kind.name for kind in KINDS} == set(suites)
    for kind in KINDS:
        assert len(suites[kind.name]) in (60, 250)
        assert all(kind.holds(entry) for entry in suites[kind.name])
        assert {entry.position.board for entry in suites[kind.name]} == {kind.board}
    result = CliRunner().invoke(claimeven, ["bench", "search", "--only", "end-easy", "--no-game", "--alone"])
    assert result.exit_code == 0, result.output
    assert "| end-easy | exact score | 0 |" in result.stdout


def test_search_beside_the_same_version_finds_the_same(tmp_path: Path) -> None:
    (tmp_path / "late").write_text("4455 18\n44455554221 -15\n44 1\n")
    (tmp_path / "5x4-late").write_text("33332222 5\n")
    arguments = ["bench", "search", str(tmp_path), "--no-game", "--memory", "8M", "--rounds", "2", "--jobs", "1"]
    arguments += ["--first", "2"]
    result = CliRunner().invoke(claimeven, [*arguments, "--beside", sys.executable, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    measured = json.loads((tmp_path / "beside.json").read_text())
    assert metadata.version("claimeven") in measured["other"]
    assert [(each["name"], each["kind"], each["positions"]) for each in measured["suites"]] == [
        ("5x4-late", "value", 1),
        ("5x4-late", "score", 1),
        ("late", "value", 2),
        ("late", "score", 2),
    ]
    for each in measured["suites"]:
        assert each["wrong"] == each["other_wrong"] == 0
        assert each["nodes"] == each["other_nodes"]  # the same search on one thread
        assert len(each["seconds"]) == len(each["other_seconds"]) == 2
    assert (tmp_path / "beside.md").read_text() == result.stdout


def test_search_beside_counts_wrong_answers(tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text("4455 17\n44455554221 -15\n")
    arguments = ["bench", "search", str(tmp_path), "--no-game", "--memory", "8M", "--rounds", "1", "--jobs", "1"]
    result = CliRunner().invoke(claimeven, [*arguments, "--beside", sys.executable])
    assert result.exit_code == 1
    assert "1 answers differ" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows runs no scripts by their first line")
def test_search_beside_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "late").write_text("4455 18\n")
    (tmp_path / "bin").mkdir()
    other = tmp_path / "bin" / "python"
    other.write_text("#!/bin/sh\necho no such thing >&2; exit 3\n")
    other.chmod(0o755)
    result = CliRunner().invoke(claimeven, ["bench", "search", str(tmp_path), "--only", "late", "--beside", str(other)])
    assert result.exit_code == 2
    assert "no such thing" in result.stderr


def test_search_fails_if_an_answer_differs(tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text("4455 17\n")
    result = CliRunner().invoke(claimeven, ["bench", "search", str(tmp_path), "--no-game", "--alone", "--memory", "8M"])
    assert result.exit_code == 1
    assert "1 answers differ" in result.stderr


def test_make_suites_makes_the_same_again_and_they_hold(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        arguments = ["bench", "make-suites", str(tmp_path / folder), "--size", "3", "--memory", "8M"]
        only = [word for kind in QUICK for word in ("--only", kind.name)]
        assert CliRunner().invoke(claimeven, [*arguments, *only]).exit_code == 0
    made = {path.name: path.read_text() for path in (tmp_path / "one").iterdir()}
    assert made == {path.name: path.read_text() for path in (tmp_path / "two").iterdir()}
    suites = read_suites(tmp_path / "one")
    assert set(suites) == {kind.name for kind in QUICK}
    for kind in QUICK:
        assert all(kind.holds(entry) for entry in suites[kind.name])


def test_agreement_with_minimax_and_among_threads() -> None:
    result = CliRunner().invoke(claimeven, ["bench", "agreement", "--positions", "40", "--jobs", "2"])
    assert result.exit_code == 0, result.output
    assert "| 4x4 | plain minimax | 12 | 40 | 1 | 0 |" in result.stdout
    assert "| 7x6 | itself on 1, 2 and 4 threads | 30 | 40 | 1 | 0 |" in result.stdout


def test_agreement_on_boards_with_an_odd_number_of_rows_only(tmp_path: Path) -> None:
    arguments = ["bench", "agreement", "--positions", "200", "--jobs", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(claimeven, [*arguments, "--only", "9x5", "--only", "8x7"])
    assert result.exit_code == 0, result.output
    assert "| 9x5 | plain minimax | 8 | 200 | 1 | 0 |" in result.stdout
    assert "bitbully" not in result.stdout
    assert CliRunner().invoke(claimeven, [*arguments, "--only", "9x5", "--empty", "5"]).exit_code == 0
    found = json.loads((tmp_path / "agreement.json").read_text())["agreements"]
    assert [(each["board"], each["empty"]) for each in found] == [("9x5", 5), ("8x7", 8)]
    result = CliRunner().invoke(claimeven, ["bench", "agreement", "--only", "9x9"])
    assert result.exit_code == 2
    assert "'9x9'" in result.stderr


def test_a_disagreement_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.reports.bench.agreement.minimax_score", lambda position: 1)
    result = CliRunner().invoke(claimeven, ["bench", "agreement", "--positions", "5", "--jobs", "1"])
    assert result.exit_code == 1
    assert "minimax: 1" in result.stdout


def test_boards_have_their_published_values(tmp_path: Path) -> None:
    arguments = ["bench", "boards", "--cells", "25", "--score", "--memory", "16M", "--out", str(tmp_path)]
    result = CliRunner().invoke(claimeven, arguments)
    assert result.exit_code == 0, result.output
    solved = {each["board"]: each["value"] for each in json.loads((tmp_path / "boards.json").read_text())["boards"]}
    assert solved == {"4x4": "draw", "5x4": "draw", "4x5": "draw", "6x4": "black", "4x6": "draw", "5x5": "draw"}
    only = ["bench", "boards", "--only", "4x7", "--only", "4x4", "--memory", "16M", "--out", str(tmp_path)]
    assert CliRunner().invoke(claimeven, only).exit_code == 0
    scores = {each["board"]: each["score"] for each in json.loads((tmp_path / "boards.json").read_text())["boards"]}
    assert scores == dict.fromkeys(["4x5", "5x5", "4x6", "5x4"], 0) | {"4x4": None, "6x4": -1, "4x7": None}
    assert "'3x3'" in CliRunner().invoke(claimeven, [*only, "--only", "3x3"]).stderr


def test_boards_by_proof_numbers_stand_beside_those_by_alpha_beta(tmp_path: Path) -> None:
    common = ["bench", "boards", "--only", "6x4", "--memory", "16M", "--out", str(tmp_path)]
    assert CliRunner().invoke(claimeven, [*common, "--score"]).exit_code == 0
    assert CliRunner().invoke(claimeven, [*common, "--engine", "dfpn"]).exit_code == 0
    boards = json.loads((tmp_path / "boards.json").read_text())["boards"]
    assert [(each["engine"], each["value"], each["score"]) for each in boards] == [
        ("alpha-beta", "black", -1),
        ("df-pn", "black", None),
    ]
    result = CliRunner().invoke(claimeven, [*common, "--engine", "dfpn", "--score"])
    assert result.exit_code == 2
    assert "no scores" in result.stderr


def test_a_wrong_value_of_a_board_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in ("4\n4 +", "6\n4 -22"):
        monkeypatch.setattr("claimeven.reports.bench.board_values.PUBLISHED", f"rows {claim}\n")
        result = CliRunner().invoke(claimeven, ["bench", "boards", "--cells", "24", "--score", "--memory", "1M"])
        assert result.exit_code == 1
        assert "differs" in result.stderr


def test_proof_numbers_are_compared_with_alpha_beta_and_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(NO_BOOK)
    small = ["bench", "dfpn", "--board", "5x4", "--ply", "0", "--ply", "2", "--memory", "1M", "--keep", str(tmp_path)]
    small += ["--values"]
    first = CliRunner().invoke(claimeven, small)
    assert first.exit_code == 0, first.output
    again = CliRunner().invoke(claimeven, [*small, "--out", str(tmp_path)])
    assert (tmp_path / "dfpn.md").read_text() == again.stdout
    game, openings = json.loads((tmp_path / "dfpn.json").read_text())["plies"]
    assert game["answers"] == {"draw": 1}
    assert set(game["sizes"]) == {"White does not win", "Black does not win"}
    assert openings["positions"] == sum(openings["answers"].values()) == 13
    assert openings["differing"] == []
    assert openings["runs"] == 2
    assert "It took 2 runs" in again.stdout
    only = ["bench", "dfpn", "--board", "5x4", "--ply", "0", "--memory", "1M", "--out", str(tmp_path)]
    assert CliRunner().invoke(claimeven, only).exit_code == 0
    searched = CliRunner().invoke(claimeven, [*small, "--search"])
    assert "0 of 13 answers are wrong; 0 were compared with the book that comes along, 13" in searched.stdout
    new, kept = json.loads((tmp_path / "dfpn.json").read_text())["plies"]
    assert (new["asks_black"], new["runs"]) == (False, 1)
    assert kept == openings
    (tmp_path / "dfpn.json").write_text("{}")
    assert "did not write it" in CliRunner().invoke(claimeven, only).stderr
