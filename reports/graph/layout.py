"""What a picture of a problem/solution graph shows, and where: the thousands of solutions of a graph fit no page.

Two pictures are possible. With a chosen set: its solutions on the left, all problems beside them and, where they are
few, the other solutions on the right. Without one: the problems that have the fewest solutions, and those solutions.
Every box of the second column stands beside one box of the first, its owner, so that the main lines never cross.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, TypeAlias

import networkx as nx

ProblemGraph: TypeAlias = "nx.Graph[Any]"

MAX_OTHERS = 40
MAX_HARDEST = 12
MAX_SHOWN_OF_ONE = 6

CHARACTER = 7.4  # the width of a character, on the safe side for every monospaced font
TAG = 26.0
PADDING = 8.0
COLUMN_GAP = 190.0
BLOCK_GAP = 10.0
STEP = {"problem": 20.0, "chosen": 28.0, "other": 28.0}


@dataclass(frozen=True, slots=True)
class Box:
    """A node and its place: `x` is its left side, `y` its middle. `tag` stands before its text, `note` after it."""

    node: str
    kind: str
    text: str
    tag: str = ""
    note: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        text = f"{self.text}  {self.note}" if self.note else self.text
        return len(text) * CHARACTER + 2 * PADDING + (TAG if self.tag else 0)

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Line:
    """A `solves` edge between a box and one on its right; `kind` is `main`, `extra` or `other`."""

    left: Box
    right: Box
    kind: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes and lines of a picture, from (0, 0) on, and the headings of its columns by their `x`."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    headings: tuple[tuple[float, str], ...]
    gap: float = COLUMN_GAP
    """The room between two columns."""

    @property
    def width(self) -> float:
        headings = [x + len(text) * CHARACTER for x, text in self.headings]
        return max([box.right for box in self.boxes] + headings, default=0.0)

    @property
    def height(self) -> float:
        return max((box.y + STEP[box.kind] / 2 for box in self.boxes), default=0.0)


def lay_out(graph: ProblemGraph, tags: Mapping[str, str], gap: float = COLUMN_GAP) -> Layout:
    """The layout of a graph; `tags` gives the chosen solutions their letters, in the order in which to show them."""
    solvers = {problem: solutions_of(graph, problem) for problem in nodes_of(graph, "problem")}
    if not solvers:
        return Layout((), (), ((0.0, "no problems, so nothing has to be solved"),))
    return _with_chosen_set(graph, solvers, tags, gap) if tags else _with_hardest_problems(graph, solvers, gap)


def nodes_of(graph: ProblemGraph, kind: str) -> list[str]:
    """The nodes of one kind, `problem` or `solution`."""
    return [node for node, data in graph.nodes(data=True) if data["kind"] == kind]


def solutions_of(graph: ProblemGraph, problem: str) -> list[str]:
    """The solutions that solve a problem."""
    return [node for node, data in graph[problem].items() if data["kind"] == "solves"]


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "solution"), count(1234, "solution"), count(0, "problem")
    ('1 solution', '1,234 solutions', 'no problems')
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}" if number < 1000 else f"{number:,} {noun}s"


def _with_chosen_set(
    graph: ProblemGraph, solvers: Mapping[str, Sequence[str]], tags: Mapping[str, str], gap: float
) -> Layout:
    chosen = [Box(node, "chosen", _name_solution(graph, node), tag=tag) for node, tag in tags.items()]
    problems = [
        Box(node, "problem", _name_problem(graph, node), note=f"{len(solutions)}")
        for node, solutions in solvers.items()
    ]
    links = {problem: [node for node in tags if node in solutions] for problem, solutions in solvers.items()}
    left, middle, lines = _fan_out(chosen, problems, links, gap)
    headings = [(0.0, f"chosen: {count(len(left), 'solution')}"), (middle[0].x, count(len(middle), "problem"))]
    others = [node for node in nodes_of(graph, "solution") if node not in tags]
    right: list[Box] = []
    if 0 < len(others) <= MAX_OTHERS:
        boxes = [Box(node, "other", _name_solution(graph, node)) for node in others]
        right, more = _lean_on(middle, boxes, {node: set(graph[node]) for node in others}, gap)
        lines += more
        headings.append((right[0].x, f"not chosen: {count(len(right), 'solution')}"))
    return Layout((*left, *middle, *right), tuple(lines), tuple(headings), gap)


def _with_hardest_problems(graph: ProblemGraph, solvers: Mapping[str, Sequence[str]], gap: float) -> Layout:
    hardest = sorted(solvers, key=lambda problem: len(solvers[problem]))[:MAX_HARDEST]
    shown: dict[str, list[str]] = {}
    for problem in hardest:
        for node in solvers[problem][:MAX_SHOWN_OF_ONE]:
            shown.setdefault(node, [])
    for node, solved in shown.items():
        solved += [problem for problem in hardest if node in solvers[problem]]
    problems = []
    for problem in hardest:
        number, visible = len(solvers[problem]), sum(problem in solved for solved in shown.values())
        note = count(number, "solution") if number else "no solution, so there is no proof"
        note += f", {visible} shown" if visible < number else ""
        problems.append(Box(problem, "problem", _name_problem(graph, problem), note=note))
    solutions = [Box(node, "other", _name_solution(graph, node)) for node in shown]
    left, right, lines = _fan_out(problems, solutions, shown, gap)
    headings = [(0.0, f"the problems with the fewest solutions: {len(left)} of {len(solvers)}")]
    if right:
        headings.append((right[0].x, "solutions"))
    return Layout((*left, *right), tuple(lines), tuple(headings), gap)


def _fan_out(
    hubs: Sequence[Box], leaves: Sequence[Box], links: Mapping[str, Sequence[str]], gap: float
) -> tuple[list[Box], list[Box], list[Line]]:
    """Place the hubs in one column and every leaf in the next, beside the hub of `links` that has the fewest leaves."""
    degree = {hub.node: sum(hub.node in linked for linked in links.values()) for hub in hubs}
    owner = {leaf.node: min(links[leaf.node], key=degree.__getitem__) for leaf in leaves}
    x = max((hub.width for hub in hubs), default=0.0) + gap
    placed_hubs: list[Box] = []
    placed_leaves: list[Box] = []
    top = 0.0
    for hub in hubs:
        owned = [leaf for leaf in leaves if owner[leaf.node] == hub.node]
        height = max(STEP[hub.kind], sum(STEP[leaf.kind] for leaf in owned))
        placed_hubs.append(replace(hub, y=top + height / 2))
        y = top + (height - sum(STEP[leaf.kind] for leaf in owned)) / 2
        for leaf in owned:
            placed_leaves.append(replace(leaf, x=x, y=y + STEP[leaf.kind] / 2))
            y += STEP[leaf.kind]
        top += height + BLOCK_GAP
    lines = [
        Line(hub, leaf, "main" if owner[leaf.node] == hub.node else "extra")
        for hub in placed_hubs
        for leaf in placed_leaves
        if hub.node in links[leaf.node]
    ]
    return placed_hubs, placed_leaves, lines


def _lean_on(
    column: Sequence[Box], boxes: Sequence[Box], links: Mapping[str, set[str]], gap: float
) -> tuple[list[Box], list[Line]]:
    """Place boxes to the right of a column, each as near as possible to what it is linked to."""
    linked = {box.node: [other for other in column if other.node in links[box.node]] for box in boxes}
    wanted = {node: fmean([other.y for other in others]) for node, others in linked.items()}
    x = max(box.right for box in column) + gap
    placed: list[Box] = []
    free = 0.0
    for box in sorted(boxes, key=lambda box: wanted[box.node]):
        y = max(free + STEP[box.kind] / 2, wanted[box.node])
        placed.append(replace(box, x=x, y=y))
        free = y + STEP[box.kind] / 2
    return placed, [Line(other, box, "other") for box in placed for other in linked[box.node]]


def _name_solution(graph: ProblemGraph, node: str) -> str:
    data = graph.nodes[node]
    return f"{data['rule']} {data['squares']}"


def _name_problem(graph: ProblemGraph, node: str) -> str:
    return str(graph.nodes[node]["squares"]).replace(" ", "-")
