"""The picture of a problem/solution graph as SVG: the board, what each rule finds, and the graph itself.

Nothing is said by colour alone, and whoever prefers dark pages gets a dark one.
"""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from xml.etree import ElementTree as ET

from claimeven.reports.graph.layout import (
    CHARACTER,
    COLUMN_GAP,
    PADDING,
    TAG,
    Box,
    Layout,
    ProblemGraph,
    count,
    lay_out,
    nodes_of,
)
from claimeven.reports.graph.style import STYLE
from claimeven.solver.drawing.colours import HUES, Scheme, scope_of, style_sheet
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.picture import draw_board
from claimeven.solver.drawing.proof_marks import draw_proof
from claimeven.solver.drawing.svg import NAMESPACE, add, shift, write
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.explanation import state_verdict
from claimeven.solver.proof.graph import solution_name
from claimeven.solver.proof.picture import label_solutions
from claimeven.solver.rules.rule import Rule

MARGIN = 28.0
HEADER = 128.0
CELL = 38.0
BOX = 22.0
ROW = 24.0
BAR = 200.0

KEY = (
    "Lines join solutions and the problems they solve, thick ones those that stand side by side. "
    "Numbers count the solutions of a problem."
)


def draw_graph(
    graph: ProblemGraph, position: Position, certificate: Certificate | None = None, *, is_alone: bool = True
) -> str:
    """The graph of a position as the text of an SVG file, with the certificate's chosen set marked if there is one.

    The chosen solutions of the graph have to be marked with that certificate's (see `mark_chosen`). Where it does not
    stand alone, but beside a picture of the position and its proof, it is the graph and nothing else.
    """
    layout = lay_out(graph, tag_chosen(certificate), gap=COLUMN_GAP if is_alone else COLUMN_GAP / 3)
    title, facts = _title(certificate), _facts(graph, position)
    if is_alone:
        margin, (board, rules) = MARGIN, (_size_of_board(position), _size_of_rules())
        below = HEADER + max(board[1], rules[1]) + 2 * MARGIN
        texts = CHARACTER * max(len(facts), len(KEY))
        width = max(layout.width, board[0] + rules[0] + 2 * MARGIN, texts) + 2 * MARGIN
    else:
        margin, below = 4.0, MARGIN
        width = layout.width + 2 * margin
    height = below + layout.height + margin

    svg = ET.Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {width:.0f} {height:.0f}",
            "width": f"{width:.0f}",
            "height": f"{height:.0f}",
            "role": "img",
            "aria-labelledby": "title description",
        },
    )
    add(svg, "title", title, id="title")
    add(svg, "desc", f"{facts} {_describe(layout)}", id="description")
    add(svg, "style", STYLE + style_sheet(Scheme.AUTO))
    if is_alone:
        add(svg, "rect", class_="page", width=width, height=height)
        add(svg, "text", title, class_="title", x=MARGIN, y=MARGIN + 18)
        add(svg, "text", facts, class_="muted", x=MARGIN, y=MARGIN + 42)
        add(svg, "text", KEY, class_="muted", x=MARGIN, y=MARGIN + 62)
        _draw_board(shift(svg, MARGIN, HEADER), position, certificate)
        _draw_rules(shift(svg, 3 * MARGIN + board[0], HEADER), graph)
    _draw_layout(shift(svg, margin, below), layout)
    ET.indent(svg, " ")
    return write(svg) + "\n"


def tag_chosen(certificate: Certificate | None) -> dict[str, str]:
    """The letters of the chosen solutions by their nodes, the same ones and in the same order as in the explanation."""
    if certificate is None:
        return {}
    board = certificate.position.board
    nodes = [solution_name(board, instance) for instance in certificate.instances]
    return dict(zip(nodes, label_solutions(len(nodes)), strict=True))


def _title(certificate: Certificate | None) -> str:
    verdict = state_verdict(certificate)
    return verdict[0].upper() + verdict[1:]


def _facts(graph: ProblemGraph, position: Position) -> str:
    problems, solutions = nodes_of(graph, "problem"), nodes_of(graph, "solution")
    condition = graph.graph.get("win_condition")
    if not condition and position.to_move is Side.BLACK:
        condition = "White has no win condition"
    return (
        f"{position.board} board, {count(position.ply, 'stone')}, {position.to_move} to move"
        + (f", {condition}" if condition else "")
        + f": {count(len(problems), 'problem')} ({position.to_move}'s open groups), "
        f"{count(len(solutions), 'solution')}."
    )


def _describe(layout: Layout) -> str:
    """The picture in words, for those who do not see it."""
    chosen = [f"{box.tag}: {box.text}" for box in layout.boxes if box.kind == "chosen"]
    if chosen:
        return f"The chosen set is {'; '.join(chosen)}."
    problems = [f"{box.text} ({box.note})" for box in layout.boxes if box.kind == "problem"]
    return f"The problems with the fewest solutions are {'; '.join(problems)}." if problems else ""


def _size_of_board(position: Position) -> tuple[float, float]:
    board = position.board
    return 20 + board.columns * CELL, ROW + board.rows * CELL + 20


def _draw_board(parent: ET.Element, position: Position, certificate: Certificate | None) -> None:
    """The position as it is drawn everywhere, with its proof if there is one."""
    grid = Grid(position.board, CELL, left=20, top=ROW)
    add(parent, "text", _board_heading(certificate), class_="heading", x=0, y=8)
    board = add(parent, "g", class_=scope_of(Scheme.AUTO))
    draw_board(board, grid, position)
    if certificate is not None:
        draw_proof(board, grid, certificate)


def _board_heading(certificate: Certificate | None) -> str:
    if certificate is None:
        return "the position"
    threat = "" if certificate.win_condition is None else ", !: the threat"
    return f"filled: {certificate.controller} gets it{threat}"


def _size_of_rules() -> tuple[float, float]:
    return 130 + BAR + 200, ROW * (len(Rule) + 1)


def _draw_rules(parent: ET.Element, graph: ProblemGraph) -> None:
    """How many solutions each rule has, and how many of them are chosen."""
    found = Counter(graph.nodes[node]["rule"] for node in nodes_of(graph, "solution"))
    chosen = Counter(graph.nodes[node]["rule"] for node in nodes_of(graph, "solution") if graph.nodes[node]["chosen"])
    most = max(found.values(), default=1)
    add(parent, "text", "solutions by rule", class_="heading", x=0, y=8)
    for number, rule in enumerate(map(str, Rule)):
        y = ROW + number * ROW
        add(parent, "text", rule, x=0, y=y + 15)
        if found[rule]:
            width = max(2.0, BAR * found[rule] / most)
            add(parent, "rect", class_="bar", x=130, y=y + 4, width=width, height=14)
            text = f"{found[rule]:,}" + (f", {chosen[rule]} chosen" if chosen[rule] else "")
            add(parent, "text", text, class_="chosen-count" if chosen[rule] else "muted", x=138 + width, y=y + 15)
        else:
            add(parent, "text", "none", class_="muted", x=130, y=y + 15)


def _draw_layout(parent: ET.Element, layout: Layout) -> None:
    for x, heading in layout.headings:
        add(parent, "text", heading, class_="heading", x=x, y=-14)
    hues = dict(zip((box.node for box in layout.boxes if box.x == 0), cycle(range(HUES))))
    for kind in ("other", "extra", "main"):  # what matters most is drawn last
        for line in layout.lines:
            if line.kind == kind:
                hue = "" if kind == "other" else f" hue{hues[line.left.node]}"
                path = add(parent, "path", class_=f"line {kind}{hue}", d=_curve(line.left, line.right, layout.gap))
                _name(path, {"data-tag": line.left.tag, "data-problem": line.right.text})
    for box in layout.boxes:
        _draw_box(parent, box, hues.get(box.node))


def _name(element: ET.Element, names: dict[str, str]) -> None:
    """Say which solution and which problem an element belongs to, for a page that follows a proof."""
    element.attrib |= {name: text for name, text in names.items() if text}


def _curve(left: Box, right: Box, gap: float) -> str:
    """From box to box, straight until it has left the column it comes from."""
    start, end = right.x - gap, right.x - 4
    middle = (start + end) / 2
    return (
        f"M{left.right:.1f} {left.y:.1f}H{start:.1f}"
        f"C{middle:.1f} {left.y:.1f} {middle:.1f} {right.y:.1f} {end:.1f} {right.y:.1f}"
    )


def _draw_box(parent: ET.Element, box: Box, hue: int | None) -> None:
    group = ET.SubElement(parent, "g", {"class": f"{box.kind}" + ("" if hue is None else f" hue{hue}")})
    _name(group, {"data-tag": box.tag, "data-problem": box.text if box.kind == "problem" else ""})
    add(group, "title", f"{box.text} {box.note}".strip())
    top = box.y - BOX / 2
    x = box.x + PADDING
    if box.kind != "problem":
        add(group, "rect", class_="box", x=box.x, y=top, width=box.width, height=BOX, rx=4)
    if box.tag:
        add(group, "rect", class_="tag", x=box.x, y=top, width=TAG, height=BOX, rx=4)
        add(group, "text", box.tag, class_="tag-text", x=box.x + TAG / 2, y=box.y + 4.5)
        x += TAG
    text = add(group, "text", box.text, class_="mono", x=x, y=box.y + 4.5)
    if box.note:
        add(text, "tspan", f"  {box.note}", class_="muted")
