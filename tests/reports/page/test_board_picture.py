"""The small picture of a position: every stone in its place."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from claimeven.reports.page.board_picture import CELL, draw_board
from claimeven.solver.position import Position
from tests.positions import at
from tests.solver.games import positions


@settings(max_examples=30)
@given(positions())
def test_the_picture_is_the_position(position: Position) -> None:
    svg = ET.fromstring(draw_board(position, "a label"))
    rows = [["?"] * position.board.columns for _ in range(position.board.rows)]
    for circle in svg.iter("circle"):
        column, row = (int(float(circle.get(name, 0)) // CELL) for name in ("cx", "cy"))
        rows[row][column] = {"white-stone": "x", "black-stone": "o", "hole": "."}[circle.get("class", "")]
    assert "\n".join(map("".join, rows)) == str(position)


@pytest.mark.parametrize("label", ["after 44", '<b> & "c"'])
def test_the_label_is_read_aloud(label: str) -> None:
    assert ET.fromstring(draw_board(at("44"), label)).get("aria-label") == label
