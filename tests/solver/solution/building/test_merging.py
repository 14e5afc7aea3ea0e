"""Fewer diagrams for the same leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimeven.solver.solution.building.builder import Builder
from claimeven.solver.solution.building.construction import Aim, Construction
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.leaf_diagrams import DiagramLeaf, LeafDiagrams
from claimeven.solver.solution.building.merging import NEVER, Merger
from claimeven.solver.solution.building.outcome import Leaves
from claimeven.solver.solution.building.revival import revive_build
from claimeven.solver.solution.building.work_file import Build, load_build, save_build
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.sat_finder import NoDiagramError, SatAnswer, SatFinder
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
    solution = merge_all(build, builder)
    assert list(build.merges.values()).count(NEVER) > 0
    merged = revive_build(solution)
    other = new_builder(merged)
    parts: dict[int, list[tuple[int, int]]] = {}
    mirror = solution.board.mirror
    for key, node in merged.workshop.nodes.items():
        if node.leaf is not None:
            parts.setdefault(node.leaf, []).append((mirror(key[0]), mirror(key[1])) if node.mirrored else key)
    assert len(parts) > 1
    with other.threads.lend() as thread:
        for number, part in parts.items():
            for mine in (each for group, each in parts.items() if group != number and len(each) <= len(part)):
                for own, other_stones in mine:
                    for leaf in ((own, other_stones), (mirror(own), mirror(other_stones))):
                        with pytest.raises(NoDiagramError):
                            SatFinder(thread.oracle, [*part, leaf]).find()
    other.close()


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
    works: list[int] = []

    def give_up(*arguments: object, **options: object) -> object:
        works.append(int(str(arguments[2])))
        return SatAnswer()

    monkeypatch.setattr("claimeven.solver.solution.building.merging.find_by_sat", give_up)
    before = len(build.workshop.library)
    merge_all(build, builder)
    assert max(works) > min(works)
    assert set(build.merges.values()) == {NEVER}
    assert len(build.workshop.library) == before


def test_a_run_for_fewer_certificates_writes_them(tmp_path: Path) -> None:
    build, builder = revive("5x4")
    work, out = tmp_path / "5x4.json.build", tmp_path / "5x4.json"
    solve("5x4").save(out)
    before = Solution.load(out).sizes
    progress = list(Construction(build, builder, work, out, {}).run(seconds=None, aim=Aim.CERTIFICATES))
    builder.close()
    after = Solution.load(out).sizes
    assert after.certificates == progress[-1].certificates < before.certificates
    assert (after.moves, after.leaves) == (before.moves, before.leaves)
    assert load_build(work).merges == build.merges != {}


@pytest.mark.parametrize("leaves", [Leaves.BOTH, Leaves.DIAGRAMS])
def test_diagrams_are_valid_for_the_leaves_that_get_them(leaves: Leaves) -> None:
    """However often the library is looked up."""
    build, builder = revive("6x4", leaves)
    workshop = build.workshop
    found = [
        DiagramLeaf(*key, node.leaf, node.mirrored) for key, node in workshop.nodes.items() if node.leaf is not None
    ]
    known = LeafDiagrams(workshop, found)
    known.look_up(0)
    parts = known.choose()
    assert sorted(place for part in parts.values() for place, _ in part) == list(range(len(found)))
    with builder.threads.lend() as thread:
        for number, part in parts.items():
            for place, mirrored in part:
                stones = found[place].own, found[place].other
                own, other = (workshop.board.mirror(each) for each in stones) if mirrored else stones
                assert thread.is_valid(workshop.library[number], own, other)
    builder.close()
    assert len(parts) <= len({leaf.number for leaf in found})
