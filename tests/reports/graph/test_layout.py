"""The layout of a graph's picture: what is shown, and that nothing covers anything else."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest

from claimeven.reports.graph.layout import MAX_HARDEST, STEP, Layout, lay_out, nodes_of, solutions_of
from claimeven.reports.graph.picture import tag_chosen
from tests.reports.graph.graphs import PROVED, SAMPLES, UNPROVED, Sample


def layout_of(sample: Sample) -> Layout:
    return lay_out(sample.graph, tag_chosen(sample.certificate))


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_no_box_covers_another(sample: Sample) -> None:
    for one, other in combinations(layout_of(sample).boxes, 2):
        beside = one.right <= other.x or other.right <= one.x
        above = abs(one.y - other.y) >= (STEP[one.kind] + STEP[other.kind]) / 2 - 1e-6
        assert beside or above, (one, other)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_lines_are_edges_of_the_graph_and_run_to_the_right(sample: Sample) -> None:
    layout = layout_of(sample)
    drawn = [frozenset({line.left.node, line.right.node}) for line in layout.lines]
    assert len(drawn) == len(set(drawn))
    for line in layout.lines:
        assert line.left.right < line.right.x
        assert sample.graph.edges[line.left.node, line.right.node]["kind"] == "solves"
    shown = {box.node for box in layout.boxes}
    assert len(drawn) == sample.graph.subgraph(shown).number_of_edges()


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_main_lines_do_not_cross(sample: Sample) -> None:
    main = [line for line in layout_of(sample).lines if line.kind == "main"]
    assert len({line.right.node for line in main}) == len(main)
    for one, other in combinations(main, 2):
        assert (one.left.y - other.left.y) * (one.right.y - other.right.y) >= 0


@pytest.mark.parametrize("sample", PROVED.values(), ids=list(PROVED))
def test_a_proof_shows_its_set_and_every_problem(sample: Sample) -> None:
    assert sample.certificate is not None
    boxes = layout_of(sample).boxes
    chosen = [box.text for box in boxes if box.kind == "chosen"]
    board = sample.position.board
    assert chosen == [instance.describe(board) for instance in sample.certificate.instances]
    assert {box.node for box in boxes if box.kind == "problem"} == set(nodes_of(sample.graph, "problem"))


def test_the_other_solutions_are_shown_only_where_they_are_few() -> None:
    def others(name: str) -> int:
        return sum(box.kind == "other" for box in layout_of(PROVED[name]).boxes)

    few = PROVED["few solutions"]
    assert few.certificate is not None
    assert others("few solutions") == len(nodes_of(few.graph, "solution")) - len(few.certificate.instances)
    assert others("many solutions") == 0


@pytest.mark.parametrize("sample", UNPROVED.values(), ids=list(UNPROVED))
def test_without_a_proof_the_hardest_problems_are_shown(sample: Sample) -> None:
    solutions = {node: len(solutions_of(sample.graph, node)) for node in nodes_of(sample.graph, "problem")}
    shown = [box.node for box in layout_of(sample).boxes if box.kind == "problem"]
    assert [solutions[node] for node in shown] == sorted(solutions.values())[:MAX_HARDEST]


def test_a_problem_without_a_solution_says_so() -> None:
    boxes = layout_of(UNPROVED["a problem without a solution"]).boxes
    assert boxes[0].note == "no solution, so there is no proof"


def test_conflicts_are_not_drawn() -> None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("p", kind="problem", squares="a1 b1 c1 d1")
    for name in ("s", "t"):
        graph.add_node(name, kind="solution", rule="Baseinverse", squares="a1 b1", group="", chosen=name == "s")
        graph.add_edge("p", name, kind="solves")
    graph.add_edge("s", "t", kind="conflicts")
    for tags in ({}, {"s": "A"}):
        lines = lay_out(graph, tags).lines
        assert sorted(tuple(sorted((line.left.node, line.right.node))) for line in lines) == [("p", "s"), ("p", "t")]
