"""A position as a small SVG picture for a page; its colours are the page's."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from markupsafe import Markup

from claimeven.solver.board import bits
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.svg import add, write
from claimeven.solver.position import Position

CELL = 20
_MARGIN = 3
_RADIUS = 0.41


def draw_board(position: Position, label: str) -> Markup:
    """The stones on their board; `label` says the same to those who do not see it.

    >>> draw_board(Position.start().play(3), "after d1").count('class="white-stone"')
    1
    """
    grid = Grid(position.board, CELL, _MARGIN, _MARGIN)
    width, height = grid.width + 2 * _MARGIN, grid.height + 2 * _MARGIN
    view = f"0 0 {width:g} {height + 14:g}"
    svg = ET.Element("svg", {"class": "board", "viewBox": view, "role": "img", "aria-label": label})
    add(svg, "rect", class_="frame", width=width, height=height, rx=6)
    for square in bits(position.empty):
        x, y = grid.centre(square)
        add(svg, "circle", class_="hole", cx=x, cy=y, r=_RADIUS * CELL)
    grid.draw_stones(svg, position, _RADIUS)
    grid.draw_column_names(svg, below=_MARGIN + 11)
    return Markup(write(svg))
