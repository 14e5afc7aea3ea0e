"""What is taken from a build into its solution."""

from __future__ import annotations

import pytest

from claimeven.solver.solution.building import leaf_diagrams
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.revival import revive_build
from claimeven.solver.solution.file_check import find_solution_flaws
from tests.solver.solution.building.test_building import TASKS, file_of, solve


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
