"""A position as an SVG picture, with what is asked for: scores of moves, threats, a line of play, a proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from claimeven.solver.drawing.colours import Scheme, scope_of, style_sheet
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.move_marks import SCORES, draw_last_move, draw_line_of_play, draw_scores, draw_won_lines
from claimeven.solver.drawing.svg import NAMESPACE, add, write
from claimeven.solver.drawing.threats import draw_threats
from claimeven.solver.position import Position, Side, describe_end

if TYPE_CHECKING:
    from claimeven.solver.board import Square
    from claimeven.solver.proof.certificate import Certificate
    from claimeven.solver.solution.diagram import PriorityDiagram

CELL = 44.0
MARGIN = 14.0
AXIS = 18.0
TITLE = 28.0
GAP = 4.0
ZUGZWANG = "ringed: a zugzwang gives it to its owner"
KEY_ROW = 16.0
KEY_CHARACTER = 7.0
TITLE_CHARACTER = 9.5
"""The width of a character of the title, with room to spare for wider fonts."""


def draw_position(
    position: Position,
    *,
    proof: Certificate | None = None,
    solution: int | None = None,
    diagram: PriorityDiagram | None = None,
    chosen: Square | None = None,
    scores: Mapping[int, int | None] | None = None,
    threats: bool = False,
    line: Sequence[int] = (),
    last: int | None = None,
    scheme: Scheme | str = Scheme.AUTO,
    title: str | None = None,
    key: bool = True,
) -> str:
    """The text of an SVG file, which can also be put into a page as it is.

    `scores` are those of moves, by column from 0, and the best are marked unless one is None. `threats` marks the empty
    squares that complete a line, for either side. `line` is a line of play, by columns from 0, and `last` the column of
    the last move. The certificate is one of this position and is taken to hold; with `solution`, the number of one of
    its solutions from 0, that one stands out and the groups that it kills are crossed out. Without `key` nothing beside
    the board says what a proof is made of. `diagram` is a priority diagram of a solution as it lies on this board, and
    `chosen` the square that is played by it.

    >>> from claimeven import Position
    >>> draw_position(Position("4455"), scores={3: 2}, line=(2, 1), scheme="dark").startswith("<svg ")
    True
    """
    scheme = Scheme(scheme)
    has_title = title is not None or (proof is not None and key)
    grid = _grid_of(position, has_title=has_title)
    width = grid.left + grid.width + MARGIN
    below = grid.top + grid.height + AXIS
    height = below + (SCORES if scores else 0) + MARGIN

    svg = ET.Element("svg", {"xmlns": NAMESPACE, "class": scope_of(scheme), "role": "img"})
    add(svg, "title", describe_position(position, proof))
    add(svg, "style", style_sheet(scheme))
    page = add(svg, "rect", class_="page", x=0.5, y=0.5, rx=6)
    draw_board(svg, grid, position)
    if proof is not None:
        from claimeven.solver.drawing.proof_marks import draw_key, draw_kills, draw_proof

        if solution is not None:
            draw_kills(svg, grid, proof, solution)
        verdict = draw_proof(svg, grid, proof, solution)
        if key:
            title = title or verdict
            width, height = draw_key(svg, grid, proof, height)
    if diagram is not None:
        from claimeven.solver.drawing.diagram_marks import draw_diagram

        draw_diagram(svg, grid, position, diagram, chosen)
    draw_won_lines(svg, grid, position)
    if last is not None:
        draw_last_move(svg, grid, position, last)
    end = draw_line_of_play(svg, grid, position, line)
    has_ring = threats and draw_threats(svg, grid, position, free=end.empty)
    if has_ring and key:
        add(svg, "text", ZUGZWANG, class_="muted", x=grid.left, y=height)
        height += KEY_ROW
        width = max(width, grid.left + KEY_CHARACTER * len(ZUGZWANG) + MARGIN)
    if scores:
        draw_scores(svg, grid, position, scores, below)
    if title is not None:
        add(svg, "text", title, class_="title", x=MARGIN, y=MARGIN + 12)
        width = max(width, 2 * MARGIN + TITLE_CHARACTER * len(title))
    page.attrib |= {"width": f"{width - 1:g}", "height": f"{height - 1:g}"}
    svg.attrib |= {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    return write(svg)


def draw_proof_marks(certificate: Certificate) -> str:
    """A group with the marks of a proof alone, where they lie on the picture of the board without a title."""
    from claimeven.solver.drawing.proof_marks import draw_proof

    marks = ET.Element("g")
    draw_proof(marks, _grid_of(certificate.position, has_title=False), certificate)
    return write(marks)


def _grid_of(position: Position, *, has_title: bool) -> Grid:
    return Grid(position.board, CELL, MARGIN + AXIS, MARGIN + (TITLE if has_title else 0))


def draw_board(parent: ET.Element, grid: Grid, position: Position) -> None:
    """What every picture of a position begins with: the squares, their names and the stones."""
    size = grid.cell - GAP
    for square in grid.squares():
        x, y = grid.corner(square)
        cell = add(parent, "rect", class_="cell", x=x + GAP / 2, y=y + GAP / 2, width=size, height=size, rx=5)
        cell.set("data-square", grid.board.name(square))
    grid.draw_row_names(parent, grid.left - AXIS / 2 - 3)
    grid.draw_column_names(parent, AXIS - 3)
    grid.draw_stones(parent, position, 0.38)


def describe_position(position: Position, proof: Certificate | None = None) -> str:
    """The picture in words, for those who do not see it.

    >>> from claimeven import Position
    >>> describe_position(Position("44"))
    'A 7x6 board with 2 stones, White d1, Black d2; White is to move.'
    """
    names = position.board.names
    stones = [f"{side} {' '.join(names(position.stones(side)))}" for side in Side if position.stones(side)]
    state = f"the game is over: {describe_end(position)}" if position.is_over else f"{position.to_move} is to move"
    number = "one stone" if position.ply == 1 else f"{position.ply or 'no'} stones"
    words = f"A {position.board} board with {', '.join([number, *stones])}; {state}."
    if proof is not None:
        chosen = "; ".join(instance.describe(position.board) for instance in proof.instances)
        words += f" Proof for {proof.controller}: {chosen or 'an empty set'}."
    return words
