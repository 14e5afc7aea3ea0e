"""Where the squares of a board lie in a picture, and what every picture of a board has: stones and the names of lines.

Colours are the style sheet's; the classes here are `white-stone`, `black-stone` and `axis`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from claimeven.solver.board import Board, Square, bits, column_name
from claimeven.solver.drawing.svg import add
from claimeven.solver.position import Position

STONES = {"x": "white-stone", "o": "black-stone"}
"""The class of a stone, by `Position.stone_at`."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares of `cell` x `cell` on a board whose upper left corner is at `left`, `top`.

    >>> Grid(Board(7, 6), cell=10).centre(0)
    (5.0, 55.0)
    """

    board: Board
    cell: float
    left: float = 0.0
    top: float = 0.0

    @property
    def width(self) -> float:
        return self.board.columns * self.cell

    @property
    def height(self) -> float:
        return self.board.rows * self.cell

    def column_middle(self, column: int) -> float:
        return self.left + (column + 0.5) * self.cell

    def row_middle(self, row: int) -> float:
        """The middle of a row, which counts from the bottom."""
        return self.top + (self.board.rows - 0.5 - row) * self.cell

    def centre(self, square: Square) -> tuple[float, float]:
        return self.column_middle(self.board.column_of(square)), self.row_middle(self.board.row_of(square))

    def corner(self, square: Square) -> tuple[float, float]:
        """The upper left corner of a square."""
        x, y = self.centre(square)
        return x - self.cell / 2, y - self.cell / 2

    def squares(self) -> Iterator[Square]:
        return bits(self.board.squares)

    def draw_stones(self, parent: ET.Element, position: Position, radius: float) -> None:
        """The stones; `radius` is in cells."""
        for square in bits(position.occupied):
            x, y = self.centre(square)
            add(parent, "circle", class_=STONES[position.stone_at(square)], cx=x, cy=y, r=radius * self.cell)

    def draw_column_names(self, parent: ET.Element, below: float) -> None:
        """The letters of the columns, their base line so far below the board."""
        for column in range(self.board.columns):
            y = self.top + self.height + below
            add(parent, "text", column_name(column), class_="axis", x=self.column_middle(column), y=y)

    def draw_row_names(self, parent: ET.Element, x: float) -> None:
        """The numbers of the rows, their middle at `x`."""
        for row in range(self.board.rows):
            add(parent, "text", f"{row + 1}", class_="axis", x=x, y=self.row_middle(row) + 4)
