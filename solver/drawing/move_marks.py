"""What a picture says of moves: their scores under the columns, the last one, a line of play, the line that won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from claimeven.solver.board import Square, bits
from claimeven.solver.drawing.grid import STONES, Grid
from claimeven.solver.drawing.svg import add
from claimeven.solver.position import Position
from claimeven.solver.score import describe_score

SCORES = 58.0
"""The height of the scores below the names of the columns."""


def draw_scores(
    parent: ET.Element, grid: Grid, position: Position, scores: Mapping[int, int | None], top: float
) -> None:
    """Each score as a number and in words, the best ones framed if all are known; one that is not known is a `?`."""
    known = [score for score in scores.values() if score is not None]
    best = max(known) if known and len(known) == len(scores) else None
    for column, score in scores.items():
        x = grid.column_middle(column)
        is_best = score is not None and score == best
        if is_best:
            add(parent, "rect", class_="pill", x=x - 18, y=top + 2, width=36, height=SCORES - 6, rx=8)
        add(parent, "text", write_score(score), class_="score best" if is_best else "score", x=x, y=top + 20)
        words = "" if score is None else describe_score(grid.board.cells, position.ply, score)
        for number, part in enumerate(words.split(" ", 1) if words else []):
            add(parent, "text", part, class_="words", x=x, y=top + 34 + 12 * number)


def write_score(score: int | None) -> str:
    """A score with its sign.

    >>> write_score(3), write_score(-12), write_score(0), write_score(None)
    ('+3', '−12', '0', '?')
    """
    return "?" if score is None else f"{score:+d}".replace("-", "−") if score else "0"


def draw_line_of_play(parent: ET.Element, grid: Grid, position: Position, columns: Iterable[int]) -> Position:
    """Small stones, numbered, where stones are still to come; gives the position at the end of the line."""
    for number, column in enumerate(columns, 1):
        after = position.play(column)
        square = (after.occupied ^ position.occupied).bit_length() - 1
        x, y = grid.centre(square)
        stone = after.stone_at(square)
        mark = add(parent, "g", class_="to-come")
        add(mark, "circle", class_=STONES[stone], cx=x, cy=y, r=grid.cell * 0.26)
        add(mark, "text", f"{number}", class_=f"number {'on-white' if stone == 'x' else 'on-black'}", x=x, y=y + 4.5)
        position = after
    return position


def draw_last_move(parent: ET.Element, grid: Grid, position: Position, column: int) -> None:
    """A dot on the highest stone of a column."""
    taken = position.occupied & grid.board.column_squares(column)
    if taken:
        square = taken.bit_length() - 1
        x, y = grid.centre(square)
        kind = "on-white" if position.stone_at(square) == "x" else "on-black"
        add(parent, "circle", class_=f"last {kind}", cx=x, cy=y, r=grid.cell * 0.09)


def draw_won_lines(parent: ET.Element, grid: Grid, position: Position) -> None:
    """A stroke through every line that the winner has."""
    if position.winner is not None:
        stones = position.stones(position.winner)
        for group in position.board.groups:
            if group & stones == group:
                draw_stroke(parent, grid, tuple(bits(group)), "won")


def draw_stroke(parent: ET.Element, grid: Grid, squares: tuple[Square, ...], kind: str) -> None:
    """A stroke from the first to the last square of a line."""
    (x1, y1), (x2, y2) = grid.centre(min(squares)), grid.centre(max(squares))
    add(parent, "line", class_=kind, x1=x1, y1=y1, x2=x2, y2=y2)
