"""The page of sizes and of the finder's success."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from claimeven.reports.solution import results
from claimeven.reports.solution.results import (
    COMPARED,
    PUBLISHED,
    format_results,
    measure_file,
    measure_finder,
    won_positions,
)
from claimeven.solver.board import Board
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.solution.finding.finder import FinderThread, Library
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.verdict import Value
from tests.solver.solution.building.test_building import solve


def test_a_file_is_checked_twice_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    solve("5x4").save(path)
    result = measure_file(path)
    assert result.flaws == 0
    assert result.plain_seconds is not None
    assert result.sizes == solve("5x4").sizes.to_json()
    assert sum(moves + leaves for _, moves, leaves in result.plies) == result.sizes["moves"] + result.sizes["leaves"]
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


def test_ours_stands_beside_the_published_ones_in_their_conventions(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    solve("5x4").save(path)
    sizes = {"moves": 100, "leaves": 400, "rule_leaves": 30, "certificates": 250, "nodes": 590, "bytes": 1}
    result = replace(measure_file(path), solution=COMPARED, sizes=sizes)
    words = "100 moves, 400 leaves with 250 different certificates; with leaves shared 350 nodes, 440 with those of"
    assert f"| ours, `5x4.json` | {words}" in format_results([result], [], {})
    assert "| ours," not in format_results([measure_file(path)], [], {})


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


def test_what_is_measured_already_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "5x4.json"
    solve("5x4").save(path)
    first = replace(measure_file(path), seconds=123.0)
    assert measure_file(path, plain=True, before=[first]) is first
    without = replace(first, plain_seconds=None)
    assert measure_file(path, before=[without]) is without
    assert measure_file(path, plain=True, before=[without]).plain_seconds is not None
    path.write_text(path.read_text() + "\n")
    assert measure_file(path, before=[first]).seconds != 123.0


def test_the_finder_goes_on_where_it_was_stopped() -> None:
    first, second, third = measure_finder([30], 3, 5.0, 1)
    assert [each.number for each in (first, second, third)] == [0, 1, 2]
    assert all(each.found and each.spent < 6.0 for each in (first, second, third))
    (rest,) = measure_finder([30], 3, 5.0, 1, [first, third])
    assert (rest.number, rest.work) == (1, second.work)
    assert list(measure_finder([30], 3, 5.0, 1, [first, second, third])) == []
    page = format_results([], [first, second, replace(third, found=False)], {"commit": "0"})
    assert "| local search | 30 | 0 | 3 | 2 | 0 |  | 5 s |" in page


def test_the_finder_asks_sat_where_local_search_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(results, "WORK", 1)  # too little for anything
    found = list(measure_finder([30], 4, 5.0, 1, with_sat=True))
    assert all(each.with_sat and each.found != each.is_barren for each in found)
    assert list(measure_finder([30], 4, 5.0, 1, found, with_sat=True)) == []
    count = sum(each.found for each in found)
    assert count > 0
    assert f"| with SAT | 30 | 0 | 4 | {count} | 0 | {4 - count} | 5 s |" in format_results([], found, {})


def test_the_finder_begins_with_a_library() -> None:
    """Its diagrams are looked up, and what it is asked then is another question than without."""
    (alone,) = measure_finder([30], 1, 5.0, 1)
    thread = FinderThread(Oracle(Board(), True, 1 << 22))
    (position,) = won_positions(Searcher(Board(), memory_bytes=1 << 22, threads=1), 30, 1, 1)
    library = Library(Board())
    levels = thread.attempt(position.white, position.black, 1_000_000, 1, library, 0).levels
    assert levels is not None
    library.add(levels)
    (known,) = measure_finder([30], 1, 5.0, 1, [alone], library)
    assert (known.found, known.knew, known.library, known.work) == (True, True, 1, 0)


def test_the_shape_of_a_large_solution(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(results, "SHAPE_MOVES", 1)
    path = tmp_path / "6x4.json"
    solve("6x4").save(path)
    result = measure_file(path)
    first = next(each for each in result.branches if each[1])
    assert 0 < first[1] + first[2] < result.sizes["moves"] + result.sizes["leaves"]
    page = format_results([result], [], {"commit": "0"})
    assert f"| {first[0]} | {first[1]} | {first[2]} |" in page
    ply, moves, leaves = result.plies[-1]
    assert moves == 0
    assert f"| {ply} | 0 | {leaves} |" in page
