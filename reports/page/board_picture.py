"""A position as a small SVG picture for a page; its colours are the page's."""

from __future__ import annotations

from markupsafe import Markup, escape

from claimeven.solver.board import column_name
from claimeven.solver.position import Position

CELL = 20
_MARGIN = 3


def draw_board(position: Position, label: str) -> Markup:
    """The stones on their board; `label` says the same to those who do not see it.

    >>> draw_board(Position.start().play(3), "after d1").count('class="white-stone"')
    1
    """
    board = position.board
    width, height = board.columns * CELL + 2 * _MARGIN, board.rows * CELL + 2 * _MARGIN
    parts = [
        f'<svg class="board" viewBox="0 0 {width} {height + 14}" role="img" aria-label="{escape(label)}">',
        f'<rect class="frame" width="{width}" height="{height}" rx="6"/>',
    ]
    for column in range(board.columns):
        x = _MARGIN + (column + 0.5) * CELL
        for row in range(board.rows):
            y = _MARGIN + (board.rows - 1 - row + 0.5) * CELL
            kind = {"x": "white-stone", "o": "black-stone", ".": "hole"}[position.stone_at(board.square(column, row))]
            parts.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{CELL * 0.41:g}"/>')
        parts.append(f'<text class="axis" x="{x:g}" y="{height + 11}">{column_name(column)}</text>')
    parts.append("</svg>")
    return Markup("".join(parts))
