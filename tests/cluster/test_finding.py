"""Searches for diagrams by workers give the solution that there is without them, and what is false is not let in."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimeven.cluster import finding
from claimeven.cluster.errors import DisagreementError
from claimeven.cluster.finding import FinderOrder, FinderQuestion, accept
from claimeven.scripts.solution.building import work_file_of
from claimeven.solver.board import Board
from claimeven.solver.notation import parse_position
from claimeven.solver.solution.building.work_file import load_build
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.finding.finder import Attempt, FinderThread
from claimeven.solver.solution.finding.oracle import Oracle
from tests.cluster.processes import Machines
from tests.scripts.stores import run

BOARD = Board(5, 4)
BUILD = [
    "solution",
    "build",
    "--board",
    "5x4",
    "--memory",
    "4M",
    "--work",
    "200000",
    "--leaves",
    "diagrams",
    "--jobs",
    "1",
]


def order_of(position: str = "") -> FinderOrder:
    at = parse_position(position, BOARD)
    return FinderOrder(
        FinderQuestion(BOARD, False, 4 << 20), at.white, at.black, 100_000, 1, np.zeros((0, LEVELS), np.uint64), None
    )


def test_a_worker_searches_as_its_order_says() -> None:
    order = order_of("13245132")
    one, other = finding.find(order), finding.find(order)
    assert one.levels is not None
    assert other.levels is not None
    assert (one.mistakes, one.work, one.levels.tolist()) == (other.mistakes, other.work, other.levels.tolist())
    assert accept(order, one) is one


def first_level(word: int) -> np.ndarray:
    levels = np.zeros(LEVELS, np.uint64)
    levels[0] = word
    return levels


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "its answer is none"),
        (Attempt(-1, None, 5), "there are none of"),
        (Attempt(0, None, 5), "there are none of"),
        (Attempt(3, np.zeros(3, np.uint64), 5), "no diagram"),
        (Attempt(3, np.zeros(LEVELS, np.int64), 5), "no diagram"),
        (Attempt(3, first_level(BOARD.squares & ~1), 5), "no level, or two"),
        (Attempt(3, np.full(LEVELS, BOARD.squares, np.uint64), 5), "no level, or two"),
        (Attempt(3, first_level(BOARD.squares), 5, [np.zeros(3, np.uint64)]), "no diagram"),
        (Attempt(3, None, 5, [first_level(BOARD.squares & ~1)]), "no level, or two"),
    ],
)
def test_what_cannot_be_tried_is_refused(answer: Any, reason: str) -> None:
    with pytest.raises(DisagreementError, match=reason):
        accept(order_of(), answer)


def read(path: Path) -> Any:
    """A solution without what depends on the clock."""
    solution = json.loads(path.read_text())
    solution["made"] = {name: value for name, value in solution["made"].items() if name in ("seed", "version")}
    return solution


LIAR = """
import numpy as np
import claimeven.cluster.finding as finding
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.finding.finder import Attempt, FinderThread
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.building.work_file import load_build
def lie(order):
    levels = np.zeros(LEVELS, np.uint64)
    levels[1] = order.question.board.squares
    return Attempt(0, levels, 1000)
finding.find = lie
"""
"""One that calls anything a valid diagram."""

DYING = """
import os
import claimeven.cluster.finding as finding
find = finding.own = getattr(finding, "own", finding.find)
left = [3]
def find_and_die(order):
    left[0] -= 1
    if not left[0]:
        os._exit(9)
    return find(order)
finding.find = find_and_die
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
class TestProcesses:
    """The same with real workers."""

    def test_a_build_with_workers_one_of_which_dies_is_the_one_without(self, cluster: Machines, tmp_path: Path) -> None:
        cluster.start_worker("dying", preload=DYING)
        cluster.start_worker("other")
        here, there = tmp_path / "here.json", tmp_path / "there.json"
        assert run(*BUILD, "--out", str(here)).exit_code == 0
        result = run(*BUILD, "--out", str(there), "--cluster", cluster.address)
        assert result.exit_code == 0, result.output
        assert "dashboard: http" in result.stderr
        assert read(here) == read(there)

    def test_a_false_diagram_is_not_let_in(self, cluster: Machines, tmp_path: Path) -> None:
        cluster.start_worker("liar", preload=LIAR)
        out = tmp_path / "out.json"
        result = run(*BUILD, "--out", str(out), "--seconds", "5", "--cluster", cluster.address)
        assert "Traceback" not in result.output
        workshop = load_build(work_file_of(out)).workshop
        checking = FinderThread(Oracle(BOARD, workshop.is_win, 4 << 20))
        leaves = [(key, node) for key, node in workshop.nodes.items() if node.leaf is not None]
        for key, node in leaves:
            own, other = (BOARD.mirror(stones) for stones in key) if node.mirrored else key
            assert node.leaf is not None
            assert checking.is_valid(workshop.library[node.leaf], own, other)
        assert any(node.work for node in workshop.nodes.values())  # it was asked
