"""What an improver tries next: rates that follow what searches came to, and plans that need what is not known yet."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Side
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.solution.building.builder import Builder
from claimeven.solver.solution.building.outcome import Effort, Leaves
from claimeven.solver.solution.building.prospects import LOOK_AHEAD, Prospects, searches_of
from claimeven.solver.solution.building.work_file import Task
from claimeven.solver.solution.building.workshop import Key, Node, Workshop
from claimeven.solver.solution.diagram import Claim


def workshop_of(*nodes: Node) -> Workshop:
    """A workshop with an open root and nodes that nothing leads to."""
    workshop = Workshop(Board(), True, [(0, 0)])
    for number, node in enumerate(nodes, start=1):
        workshop.nodes[number, number] = node
    return workshop


def prospects_of(
    workshop: Workshop,
    is_searched: Callable[[Node], bool] = lambda _node: True,
    is_by_sat: Callable[[Node], bool] = lambda _node: False,
) -> Prospects:
    return Prospects(workshop, is_searched, is_by_sat)


def searched(ply: int, score: int, tries: int, mistakes: int = 5) -> Node:
    return Node(ply, leaf=None if mistakes else 0, work=1, mistakes=mistakes, tries=tries, score=score)


def test_rates_follow_what_searches_came_to() -> None:
    workshop = workshop_of(
        *[searched(10, 6, 1, mistakes=0) for _ in range(40)],
        *[searched(10, 1, 3) for _ in range(40)],
    )
    prospects = prospects_of(workshop)
    assert prospects.rate(Node(10, score=6)) > 0.9
    assert prospects.rate(Node(10, score=1)) < 0.1
    assert prospects.rate(Node(12, score=6)) > 0.8  # by the score, where a ply was never tried
    assert prospects.rate(searched(10, 1, 3)) < prospects.rate(Node(10, score=1)) < 0.5
    assert prospects.rate(Node(10, score=6, is_barren=True)) == 0


def test_rates_of_sat_are_its_own() -> None:
    """Local search failed everywhere, SAT found something at one half of the nodes and nothing at the second try."""
    by_sat = [Node(10, leaf=0, work=1, mistakes=0, tries=3, sat_tries=1, is_by_sat=True, score=2) for _ in range(40)]
    failed = [Node(10, work=1, mistakes=5, tries=3, sat_tries=2, score=2) for _ in range(40)]
    prospects = prospects_of(workshop_of(*by_sat, *failed), is_by_sat=lambda node: node.tries > 0)
    assert 0.4 < prospects.rate(searched(10, 2, 3)) < 0.6
    assert prospects.rate(failed[0]) < 0.02
    assert prospects.rate(Node(10, score=2)) < 0.05


def test_what_needs_ties_is_hardly_ever_found_by_sat() -> None:
    """SAT found something at once at one half of the nodes, and nothing after it had said that strict ones fail."""
    by_sat = [Node(10, leaf=0, work=1, mistakes=0, sat_tries=1, is_by_sat=True, score=2) for _ in range(40)]
    tied = [Node(10, mistakes=5, sat_tries=2, needs_ties=True, ties_from=1, score=2) for _ in range(40)]
    prospects = prospects_of(workshop_of(*by_sat, *tied), is_by_sat=lambda _node: True)
    assert 0.4 < prospects.rate(Node(10, score=2)) < 0.6
    assert prospects.rate(tied[0]) < 0.02 < prospects.rate(Node(10, sat_tries=1, score=2))
    # Known before any search, it counts from the first one on.
    known = [Node(10, mistakes=5, sat_tries=1, needs_ties=True, ties_from=0, score=2) for _ in range(40)]
    prospects = prospects_of(workshop_of(*by_sat, *known), is_by_sat=lambda _node: True)
    assert prospects.rate(Node(10, needs_ties=True, ties_from=0, score=2)) < 0.1 < prospects.rate(Node(10, score=2))


def test_what_local_search_finds_after_sat_has_failed_is_its_own() -> None:
    nodes = [Node(10, leaf=0, work=1, mistakes=0, tries=2, sat_tries=3, score=2) for _ in range(40)]
    prospects = prospects_of(workshop_of(*nodes), is_by_sat=lambda node: node.sat_tries > 0)
    assert prospects.rate(Node(10, work=1, tries=1, score=2)) > 0.8
    assert prospects.rate(Node(10, work=1, tries=1, sat_tries=2, score=2)) < 0.05


def test_where_sat_was_asked_local_search_hardly_ever_finds_anything() -> None:
    """It found something at once at one half of all nodes, and at none of those where SAT was asked."""
    found = [searched(10, 2, 1, mistakes=0) for _ in range(40)]
    failed = [Node(10, work=1, mistakes=5, tries=1, sat_tries=1, score=2) for _ in range(40)]
    prospects = prospects_of(workshop_of(*found, *failed), is_by_sat=lambda _node: False)
    assert 0.4 < prospects.rate(Node(10, score=2)) < 0.6
    assert prospects.rate(Node(10, sat_tries=1, score=2)) < 0.1
    assert prospects.rate(Node(12, sat_tries=2, score=3)) < 0.1  # wherever


def test_a_chance_is_that_of_a_few_searches_one_after_the_other() -> None:
    """Local search fails at first and then finds something at one half of the nodes; SAT is asked about the rest."""
    workshop = workshop_of(
        *[searched(10, 2, 2, mistakes=0) for _ in range(40)],
        *[Node(10, work=1, mistakes=5, tries=2, sat_tries=1, score=2) for _ in range(40)],
    )
    prospects = prospects_of(workshop, is_by_sat=lambda node: node.tries >= 2)
    for sat_tries, tries in ((0, 0), (0, 1), (0, 2), (1, 2)):
        node, miss = Node(10, tries=tries, sat_tries=sat_tries, score=2), 1.0
        for number in range(tries + sat_tries, tries + sat_tries + LOOK_AHEAD):
            later = Node(10, tries=min(number, 2), sat_tries=max(number - 2, 0), score=2)
            miss *= 1 - prospects.rate(later)
        assert prospects.chance(node) == pytest.approx(1 - miss)
    assert prospects.rate(Node(10, score=2)) < 0.05
    assert 0.4 < prospects.chance(Node(10, score=2)) < 0.6
    assert prospects.chance(Node(10, score=2, is_barren=True)) == 0


def test_sat_is_asked_about_the_best_solution_first() -> None:
    root, reply, leaf = (0, 0), (1, 2), (5, 10)
    workshop = Workshop(Board(), True, [root])
    workshop.nodes[root] = Node(0, work=1, tries=1, moves={1: (reply,)}, knows_moves=True)
    workshop.nodes[reply] = Node(2, work=1, tries=1, moves={4: (leaf,)}, knows_moves=True)
    workshop.nodes[leaf] = Node(4, leaf=0)

    def plan() -> list[tuple[Key, float]]:
        prospects = prospects_of(workshop, is_by_sat=lambda _node: True)
        return prospects.plan(random.Random(1), 9, lambda _key: 1).searched

    assert plan() == [(reply, 3), (root, 5)]  # the latest first
    workshop.nodes[reply].is_barren = True
    assert plan() == [(root, 5)]


def test_nothing_is_hoped_for_where_nothing_is_searched() -> None:
    prospects = prospects_of(workshop_of(searched(10, 6, 1, mistakes=0)), lambda node: node.ply >= 8)
    assert prospects.rate(Node(6, score=6)) == 0 < prospects.rate(Node(8, score=6))


def test_searches_of_files_that_did_not_count_them() -> None:
    assert [searches_of(node) for node in (Node(8), Node(8, work=5), Node(8, work=5, tries=3))] == [0, 1, 3]


@pytest.fixture
def built() -> Workshop:
    """6x4 by rules alone: complete, and nearly every node may become a leaf by a diagram."""
    task = Task(Board(6, 4), (), Side.BLACK, Claim.WIN)
    workshop = task.new_workshop()
    builder = Builder(
        workshop, jobs=1, seed=1, memory_bytes=1 << 22, effort=Effort(leaf=1000, first_ply=0), leaves=Leaves.RULES
    )
    while builder.build_round():
        pass
    builder.close()
    return workshop


def test_a_plan_needs_what_is_not_known_yet(built: Workshop) -> None:
    prospects = prospects_of(built)
    plans = [prospects.plan(random.Random(seed), 50, lambda _key: 1) for seed in range(5)]
    assert len({tuple(plan.searched) for plan in plans}) > 1
    for plan in plans:
        assert 0 < len(plan.searched) <= 50
        keys = [key for key, _ in plan.searched]
        assert len(set(keys)) == len(keys)
        assert not any(built.nodes[key].is_leaf for key in keys)
    again = prospects.plan(random.Random(0), 50, lambda _key: 1)
    assert again == plans[0]


def test_a_plan_takes_what_saves_most_for_its_work(built: Workshop) -> None:
    prospects = prospects_of(built)
    keys = [key for key, _ in prospects.plan(random.Random(0), 50, lambda _key: 1).searched]
    assert len(keys) > 6
    assert len(prospects.plan(random.Random(0), 3, lambda _key: 1).searched) == 3
    cheap = set(keys[::2])
    plan = prospects.plan(random.Random(0), 3, lambda key: 1 if key in cheap else 1 << 40)
    assert {key for key, _ in plan.searched} <= cheap


def test_without_hope_only_open_nodes_are_needed(built: Workshop) -> None:
    prospects = prospects_of(built, lambda _node: False)
    plans = [prospects.plan(random.Random(seed), 50, lambda _key: 1) for seed in range(5)]
    assert any(plan.searched for plan in plans)
    assert all(built.nodes[key].is_open for plan in plans for key, _ in plan.searched)


def test_where_no_draw_needs_anything_what_saves_most_is_tried() -> None:
    """A complete solution of one move, at which searches have nearly always failed."""
    root, reply = (0, 0), (1, 2)
    workshop = Workshop(Board(), True, [root])
    workshop.nodes[root] = Node(0, work=1, tries=500, score=1, moves={1: (reply,)}, knows_moves=True)
    workshop.nodes[reply] = Node(2, leaf=0)
    assert prospects_of(workshop).plan(random.Random(1), 9, lambda _key: 1).searched == [(root, 3)]
    workshop.nodes[root].is_barren = True
    assert not prospects_of(workshop).plan(random.Random(1), 9, lambda _key: 1).searched


def test_where_little_comes_up_the_luck_of_more_searches_is_drawn() -> None:
    """What would make the solution smaller hardly ever has a diagram: one draw in so many by the next few searches."""
    root, reply, other, leaf = (0, 0), (1, 2), (4, 8), (5, 10)
    workshop = Workshop(Board(), True, [root])
    workshop.nodes[root] = Node(0, is_barren=True, moves={1: (reply, leaf), 4: (other,)}, knows_moves=True)
    workshop.nodes[reply] = workshop.nodes[leaf] = Node(2, leaf=0)
    workshop.nodes[other] = Node(2, work=1, tries=5, score=1, moves={2: (reply, leaf)}, knows_moves=True)
    prospects = prospects_of(workshop)
    assert 0.01 < prospects.chance(workshop.nodes[other]) < 0.05
    plans = [prospects.plan(random.Random(seed), 9, lambda _key: 1).searched for seed in range(20)]
    assert sum(plan == [(other, 4)] for plan in plans) > 15


def test_scores_are_those_of_exact_search(built: Workshop) -> None:
    builder = Builder(built, jobs=1, seed=1, memory_bytes=1 << 22, effort=Effort(leaf=1000, first_ply=0))
    builder.improve_round()
    builder.close()
    scored = [(key, node.score) for key, node in built.nodes.items() if node.score is not None]
    assert len(scored) > 20
    searcher = Searcher(built.board, 1 << 22, 1)
    for key, score in scored[::7]:
        assert score == searcher.score(built.position(*key, key[0]))
        assert score > 0
