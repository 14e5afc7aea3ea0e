"""A position as an SVG picture, with what is asked for: the scores of its moves, its threats, its proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from claimeven.solver.board import bits
from claimeven.solver.drawing.colours import Scheme, scope_of, style_sheet
from claimeven.solver.drawing.grid import STONES, Grid
from claimeven.solver.drawing.svg import NAMESPACE, add, write
from claimeven.solver.position import Position, Side, describe_end, has_line

if TYPE_CHECKING:
    from claimeven.solver.proof.certificate import Certificate

CELL = 44.0
MARGIN = 14.0
AXIS = 18.0
TITLE = 28.0
SCORES = 26.0
GAP = 4.0


def draw_position(
    position: Position,
    *,
    proof: Certificate | None = None,
    scores: Mapping[int, int | None] | None = None,
    threats: bool = False,
    scheme: Scheme | str = Scheme.AUTO,
    title: str | None = None,
) -> str:
    """The text of an SVG file, which can also be put into a page as it is.

    `scores` are those of moves, by column from 0, and the best are marked unless one is None. `threats` marks the empty
    squares that complete a line, for either side. The certificate is one of this position and is taken to hold.

    >>> from claimeven import Position
    >>> draw_position(Position("4455"), scores={3: 2}, scheme="dark").startswith("<svg ")
    True
    """
    scheme = Scheme(scheme)
    has_title = title is not None or proof is not None
    grid = Grid(position.board, CELL, MARGIN + AXIS, MARGIN + (TITLE if has_title else 0))
    width = grid.left + grid.width + MARGIN
    height = grid.top + grid.height + AXIS + (SCORES if scores else 0) + MARGIN

    svg = ET.Element("svg", {"xmlns": NAMESPACE, "class": scope_of(scheme), "role": "img"})
    add(svg, "title", describe_position(position, proof))
    add(svg, "style", style_sheet(scheme))
    page = add(svg, "rect", class_="page", x=0.5, y=0.5, rx=6)
    for square in grid.squares():
        x, y = grid.corner(square)
        add(svg, "rect", class_="cell", x=x + GAP / 2, y=y + GAP / 2, width=CELL - GAP, height=CELL - GAP, rx=5)
    grid.draw_row_names(svg, MARGIN + AXIS / 2 - 3)
    grid.draw_column_names(svg, AXIS - 3)
    if proof is not None:
        from claimeven.solver.drawing.proof_marks import draw_key, draw_proof

        title = title or draw_proof(svg, grid, proof)
        width, height = draw_key(svg, grid, proof, height)
    grid.draw_stones(svg, position, 0.38)
    if threats:
        _draw_threats(svg, grid, position)
    if scores:
        _draw_scores(svg, grid, scores)
    if title is not None:
        add(svg, "text", title, class_="title", x=MARGIN, y=MARGIN + 12)
    page.attrib |= {"width": f"{width - 1:g}", "height": f"{height - 1:g}"}
    svg.attrib |= {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    return write(svg)


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


def find_threats(position: Position, side: Side) -> int:
    """The empty squares, as a bitboard, with which a side would complete a line.

    >>> from claimeven import Position
    >>> position = Position("445566")
    >>> position.board.names(find_threats(position, Side.WHITE)), find_threats(position, Side.BLACK).bit_count()
    (['c1', 'g1'], 2)
    """
    stones = position.stones(side)
    return sum(1 << square for square in bits(position.empty) if has_line(position.board, stones | 1 << square))


def _draw_threats(parent: ET.Element, grid: Grid, position: Position) -> None:
    """A small stone of the side that waits for the square, with an exclamation mark; two where both do."""
    threats = {side: find_threats(position, side) for side in Side}
    for side, stone in ((Side.WHITE, "x"), (Side.BLACK, "o")):
        for square in bits(threats[side]):
            x, y = grid.centre(square)
            if threats[side.opponent] >> square & 1:
                x += CELL / 5 if side is Side.BLACK else -CELL / 5
            mark = add(parent, "g")
            add(mark, "title", f"{side} threatens {grid.board.name(square)}")
            add(mark, "circle", class_=STONES[stone], cx=x, cy=y, r=CELL * 0.18)
            add(mark, "text", "!", class_="danger on-white" if stone == "x" else "danger on-black", x=x, y=y + 5.5)


def _draw_scores(parent: ET.Element, grid: Grid, scores: Mapping[int, int | None]) -> None:
    known = [score for score in scores.values() if score is not None]
    best = max(known) if known and len(known) == len(scores) else None
    y = grid.top + grid.height + AXIS + SCORES / 2 + 4
    for column, score in scores.items():
        x = grid.column_middle(column)
        text = "?" if score is None else f"{score:+d}".replace("-", "−") if score else "0"
        is_best = score is not None and score == best
        if is_best:
            add(parent, "rect", class_="pill", x=x - 17, y=y - 14, width=34, height=20, rx=10)
        add(parent, "text", text, class_="score best" if is_best else "score", x=x, y=y)
