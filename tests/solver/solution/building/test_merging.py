"""Fewer diagrams for the same leaves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from claimeven.solver.solution.building import builder as builder_module
from claimeven.solver.solution.building.builder import SAT_WORKS, Builder
from claimeven.solver.solution.building.construction import Aim, Construction, measure
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.merging import Merger
from claimeven.solver.solution.building.outcome import Leaves
from claimeven.solver.solution.building.revival import revive_build
from claimeven.solver.solution.building.work_file import Build, load_build, save_build
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.oracle import OracleThread
from claimeven.solver.solution.finding.sat_finder import NoDiagramError, SatAnswer, SatFinder, Stones
from claimeven.solver.solution.plain_check import check_by_text
from claimeven.solver.solution.solution import Solution
from tests.solver.solution.building.test_building import file_of, new_builder, solve

pytest.importorskip("pysat")


def revive(name: str, leaves: Leaves = Leaves.BOTH, jobs: int = 1) -> tuple[Build, Builder]:
    build = revive_build(solve(name, leaves))
    return build, new_builder(build, leaves, jobs)


def merge_all(build: Build, builder: Builder) -> Solution:
    """What is left when nothing can be asked any longer."""
    merger = Merger(builder, build.merges)
    while merger.merge_round():
        pass
    builder.close()
    solution = extract_solution(build.workshop, build.task.controller, build.task.root)
    assert len(solution.diagrams) == merger.diagrams
    return solution


def moves_of(solution: Solution) -> dict[int, int | None]:
    """What is played at each node, but for leaves with a diagram."""
    return {key: node.move for key, node in solution.nodes.items()}


@pytest.mark.parametrize("name", ["5x4", "4x5 after a1", "6x4"])
def test_the_nodes_stay_and_their_diagrams_become_fewer(name: str) -> None:
    before = solve(name)
    after = merge_all(*revive(name))
    assert moves_of(after) == moves_of(before)
    assert after.sizes.certificates < before.sizes.certificates
    assert list(find_solution_flaws(file_of(after))) == []
    assert list(find_solution_flaws(file_of(after), check_by_text)) == []


def test_any_number_of_threads_gives_the_same() -> None:
    assert merge_all(*revive("5x4")).to_text() == merge_all(*revive("5x4", jobs=3)).to_text()


def test_it_ends_where_no_leaf_can_have_the_diagram_of_another() -> None:
    build, builder = revive("5x4")
    merge_all(build, builder)
    assert any(asked.is_refuted for asked in build.merges.values())
    workshop = build.workshop
    parts: dict[int, list[Stones]] = {}
    for key, node in workshop.nodes.items():
        if node.leaf is not None:
            parts.setdefault(node.leaf, []).append(workshop.turn(key, node.mirrored))
    assert len(parts) > 1
    thread = FinderThread(builder.oracle)
    for number, part in parts.items():
        for mine in (each for group, each in parts.items() if group != number and len(each) <= len(part)):
            for leaf in mine:
                for image in (leaf, workshop.turn(leaf)):
                    with pytest.raises(NoDiagramError):
                        SatFinder(thread.oracle, [*part, image]).find()


def test_what_was_asked_is_known_after_a_stop(tmp_path: Path) -> None:
    build, builder = revive("5x4")
    merge_all(build, builder)
    save_build(build, tmp_path / "x.build")
    again = load_build(tmp_path / "x.build")
    assert again.merges == build.merges
    for merges, is_asked in ((again.merges, False), ({}, True)):
        builder = new_builder(again)
        assert bool(Merger(builder, merges).merge_round()) == is_asked
        builder.close()


def test_a_search_that_gives_up_is_tried_again_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    build, builder = revive("5x4")
    offered: dict[tuple[Stones, ...], list[tuple[int, bool]]] = {}

    def give_up(
        oracle: OracleThread, roots: list[Stones], most_steps: int, *, needs_ties: bool, **options: object
    ) -> SatAnswer:
        offered.setdefault(tuple(sorted(roots)), []).append((most_steps, needs_ties))
        return SatAnswer(needs_ties=True)

    monkeypatch.setattr(builder_module, "find_by_sat", give_up)
    merge_all(build, builder)
    expected = [(builder.effort.sat * work, number > 0) for number, work in enumerate(SAT_WORKS)]
    assert offered
    assert all(each == expected for each in offered.values())
    # What was not found with little work is asked again with more.
    builder = new_builder(build)
    assert Merger(builder, build.merges).merge_round() == 0
    builder.effort.sat *= 10
    assert Merger(builder, build.merges).merge_round() > 0
    builder.effort.sat = 0
    assert Merger(builder, build.merges).merge_round() == 0
    builder.close()


def test_what_is_refuted_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    build, builder = revive("5x4")
    asked: list[frozenset[Stones]] = []

    def refute(oracle: OracleThread, roots: list[Stones], most_steps: int, **options: object) -> SatAnswer:
        asked.append(frozenset(build.workshop.canonical(*root) for root in roots))
        return SatAnswer(needs_ties=True, is_barren=True)

    monkeypatch.setattr(builder_module, "find_by_sat", refute)
    merge_all(build, builder)
    # Once as they lie, and once with the leaf turned over.
    assert 0 < max(Counter(asked).values()) <= 2


@pytest.mark.parametrize("name", ["5x4", "6x4"])
def test_a_run_for_fewer_certificates_writes_them(name: str, tmp_path: Path) -> None:
    build, builder = revive(name)
    work, out = tmp_path / "x.json.build", tmp_path / "x.json"
    solve(name).save(out)
    before = Solution.load(out).sizes
    progress = list(Construction(build, builder, work, out, {}).run(seconds=None, aim=Aim.CERTIFICATES))
    builder.close()
    after = Solution.load(out).sizes
    assert progress[-1].certificates == after.certificates < before.certificates
    assert (after.moves, after.leaves) == (before.moves, before.leaves)
    assert load_build(work).merges == build.merges != {}


def test_a_file_with_fewer_certificates_is_not_replaced(tmp_path: Path) -> None:
    """How few will do is known only when a solution is written; what the nodes of a build have is more."""
    out = tmp_path / "5x4.json"
    merge_all(*revive("5x4")).save(out)
    before = out.read_bytes()
    build, builder = revive("5x4")
    construction = Construction(build, builder, tmp_path / "5x4.json.build", out, {})
    construction._is_unsaved = True
    construction._save(measure(build))
    builder.close()
    worse = extract_solution(build.workshop, build.task.controller, build.task.root)
    assert worse.sizes.certificates > Solution.load(out).sizes.certificates
    assert out.read_bytes() == before
