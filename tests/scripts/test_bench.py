"""`claimeven bench rules` measures real suites and writes what it measured."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from reports.suite_maker import KINDS
from reports.suites import read_suites
from scripts.main import claimeven

QUICK = [kind for kind in KINDS if not kind.name.startswith("begin")]
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
