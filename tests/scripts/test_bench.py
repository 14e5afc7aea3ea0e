"""`claimeven bench rules` measures real suites and writes what it measured."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from scripts.main import claimeven

SUITE = "12 -2\n444433351225255 5\n\n4445333551 -4\n44353333 -1\n43 0\n"


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
    assert "| openings | 5 | 4 |" in result.stdout


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("12 0\n19 0\n")
    result = CliRunner().invoke(claimeven, ["bench", "rules", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path / 'suite'}, line 2" in result.stderr


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(claimeven, ["bench", "rules", str(tmp_path)])
    assert result.exit_code == 2
    assert "holds no suites" in result.stderr
