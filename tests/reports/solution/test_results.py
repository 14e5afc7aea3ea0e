"""The page of sizes and of the finder's success."""

from __future__ import annotations

import json
from pathlib import Path

from claimeven.reports.solution.results import PUBLISHED, format_results, measure_file, won_positions
from claimeven.solver.board import Board
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value
from tests.solver.solution.test_building import solve


def test_a_file_is_checked_twice_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    solve("5x4").save(path)
    result = measure_file(path)
    assert result.flaws == 0
    assert result.plain_seconds is not None
    assert result.sizes == solve("5x4").sizes.to_json()
    page = format_results([result], [], {"commit": "0"})
    assert f"| {result.solution} | {result.sizes['moves']} |" in page
    assert all(name in page for name, _ in PUBLISHED)


def test_the_curve_of_a_build_that_became_smaller(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    data = json.loads(solve("5x4").to_text())
    data["made"]["curve"] = [[10 * number, 100 - number, 200] for number in range(40)]
    path.write_text(json.dumps(data))
    page = format_results([measure_file(path)], [], {"commit": "0"})
    assert "| 0 | 100 | 200 |" in page
    assert "| 390 | 61 | 200 |" in page
    assert page.count("| 200 |") < 20


def test_a_flaw_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    data = json.loads(solve("5x4").to_text())
    data["diagrams"][0] = ["9" * 5] * 4
    path.write_text(json.dumps(data))
    assert measure_file(path).flaws > 0


def test_won_positions_are_won_and_the_same_by_seed() -> None:
    searcher = Searcher(Board(), memory_bytes=1 << 22, threads=1)
    found = won_positions(searcher, 24, 4, 1)
    assert found == won_positions(searcher, 24, 4, 1)
    for position in found:
        assert position.ply == 24
        assert searcher.value(position) is Value.WHITE
