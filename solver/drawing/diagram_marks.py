"""A priority diagram on the picture of its board: the digit of every empty square, and the one that decides.

The lower the digit the darker its square, and a square that can be played has a frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from claimeven.solver.board import Square, bits
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.svg import add
from claimeven.solver.position import Position

if TYPE_CHECKING:
    from claimeven.solver.solution.diagram import PriorityDiagram

INSET = 4.0


def draw_diagram(
    parent: ET.Element, grid: Grid, position: Position, diagram: PriorityDiagram, chosen: Square | None = None
) -> None:
    """The digits on the empty squares, those that can be played framed, and a ring around the square `chosen`."""
    from claimeven.solver.solution.diagram import LEVELS

    marks = add(parent, "g", class_="digits")
    for square in bits(position.empty):
        digit = diagram.digit(square)
        if digit is None:
            continue
        (left, top), (x, y) = grid.corner(square), grid.centre(square)
        size = grid.cell - 2 * INSET
        ground = add(marks, "rect", class_="level", x=left + INSET, y=top + INSET, width=size, height=size, rx=4)
        ground.set("style", f"fill-opacity:{0.42 * (1 - digit / (LEVELS - 1)):.2f}")
        if position.playable >> square & 1:
            add(marks, "rect", class_="playable", x=left + INSET, y=top + INSET, width=size, height=size, rx=4)
        add(marks, "text", f"{digit}", class_="digit", x=x, y=y + 5)
    if chosen is not None:
        x, y = grid.centre(chosen)
        add(marks, "circle", class_="chosen", cx=x, cy=y, r=grid.cell * 0.34)
