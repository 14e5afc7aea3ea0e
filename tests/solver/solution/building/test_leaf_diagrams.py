"""Which diagrams the leaves of a build get."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from claimeven.solver.board import bits
from claimeven.solver.solution.building import leaf_diagrams
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.leaf_diagrams import DiagramLeaf, LeafDiagrams, Parts
from claimeven.solver.solution.building.outcome import Leaves
from claimeven.solver.solution.building.revival import revive_build
from claimeven.solver.solution.building.workshop import Workshop
from claimeven.solver.solution.diagram import BLANK
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.finder import FinderThread, Library
from claimeven.solver.solution.finding.oracle import Oracle
from tests.solver.solution.building.test_building import MEMORY, TASKS, file_of, solve


def leaves_of(workshop: Workshop) -> list[DiagramLeaf]:
    return [
        DiagramLeaf(*key, node.leaf, node.mirrored) for key, node in workshop.nodes.items() if node.leaf is not None
    ]


def assert_valid(workshop: Workshop, leaves: list[DiagramLeaf], parts: Parts) -> None:
    """Every leaf has one diagram, which the check accepts there."""
    assert sorted(place for part in parts.values() for place, _ in part) == list(range(len(leaves)))
    thread = FinderThread(Oracle(workshop.board, workshop.is_win, MEMORY))
    for number, part in parts.items():
        for place, mirrored in part:
            stones = workshop.turn((leaves[place].own, leaves[place].other), mirrored)
            assert thread.is_valid(workshop.library[number], *stones)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("leaves", [Leaves.BOTH, Leaves.DIAGRAMS])
def test_diagrams_are_valid_for_the_leaves_that_get_them(name: str, leaves: Leaves) -> None:
    workshop = revive_build(solve(name, leaves)).workshop
    found = leaves_of(workshop)
    known = LeafDiagrams(workshop, found, workshop.library)
    before = known.choose()
    assert_valid(workshop, found, before)
    known.spread(before)
    after = known.choose()
    assert_valid(workshop, found, after)
    assert len(after) <= len(before) <= len({leaf.number for leaf in found})


def test_blank_diagrams_are_added_once() -> None:
    workshop = revive_build(solve("6x4", Leaves.DIAGRAMS)).workshop
    found = leaves_of(workshop)
    sizes = [len(workshop.library)]
    for _ in range(3):
        known = LeafDiagrams(workshop, found, workshop.library)
        known.spread({leaf.number: [(place, leaf.mirrored)] for place, leaf in enumerate(found)})
        sizes.append(len(workshop.library))
    assert sizes[0] < sizes[1] == sizes[2] == sizes[3]
    words = [workshop.library[number].tobytes() for number in range(sizes[0], sizes[1])]
    assert len(set(words)) == len(words)


def test_what_is_blank_is_valid_for_more_leaves() -> None:
    """A diagram of two leaves gets digits that do not matter at the first and stand in the way of the second."""
    workshop = revive_build(solve("6x4", Leaves.DIAGRAMS)).workshop
    found = leaves_of(workshop)
    thread = FinderThread(Oracle(workshop.board, workshop.is_win, MEMORY))
    stones = [workshop.turn((leaf.own, leaf.other), leaf.mirrored) for leaf in found]
    seen = 0
    for first, second in permutations(range(len(found)), 2):
        number = found[first].number
        if found[second].number != number:
            continue
        spoiled = workshop.library[number].copy()
        for square in bits(int(spoiled[BLANK])):
            trial = spoiled.copy()
            trial[BLANK] ^= np.uint64(1 << square)
            trial[0] |= np.uint64(1 << square)
            if thread.is_valid(trial, *stones[first]):
                spoiled = trial
        if thread.is_valid(spoiled, *stones[second]):
            continue
        library = Library(workshop.board)
        mine = [replace(found[first], number=library.add(spoiled))]
        mine.append(replace(found[second], number=library.add(workshop.library[number])))
        # Of the two only the spoiled one is left to be tried.
        known = LeafDiagrams(workshop, mine, library)
        known.spread({0: [(0, mine[0].mirrored)]})
        assert thread.is_valid(library[2], *stones[first])
        seen += thread.is_valid(library[2], *stones[second])
        if seen:
            break
    assert seen


def test_a_leaf_that_lies_the_other_way_round_gets_the_same_diagram() -> None:
    workshop = revive_build(solve("5x4")).workshop
    leaf = next(leaf for leaf in leaves_of(workshop) if workshop.turn((leaf.own, leaf.other)) != (leaf.own, leaf.other))
    own, other = workshop.turn((leaf.own, leaf.other))
    library = workshop.library.copy()
    again = library.add(library[leaf.number])
    turned = DiagramLeaf(own, other, again, not leaf.mirrored)
    parts = LeafDiagrams(workshop, [leaf, turned], library).choose()
    assert [sorted(part) for part in parts.values()] == [[(0, leaf.mirrored), (1, not leaf.mirrored)]]


@pytest.mark.parametrize("name", TASKS)
def test_a_leaf_keeps_its_diagram_where_that_reaches_more_than_can_be_looked_up(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve(name)
    build = revive_build(solution)
    monkeypatch.setattr(leaf_diagrams, "ROOM", 2)
    again = extract_solution(build.workshop, build.task.controller, build.task.root)
    assert list(find_solution_flaws(file_of(again))) == []
    assert again.sizes.leaves == solution.sizes.leaves
