"""The picture of a position: every stone in its place, and nothing said by colour alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from claimeven import Position
from claimeven.solver.drawing.colours import DARK, LIGHT, Palette, Scheme, style_sheet
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.picture import AXIS, CELL, MARGIN, draw_position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import problems_solved_by
from tests.positions import at
from tests.reports.graph.test_picture import contrast
from tests.solver.games import positions
from tests.solver.proof.certificates import EMPTY_6X6, NEEDS_BEFORE, ODD_THREAT, THREE_IN_A_LINE

SVG = "{http://www.w3.org/2000/svg}"
PROOFS = {"6x6": EMPTY_6X6, "before": NEEDS_BEFORE, "odd threat": ODD_THREAT, "three in a line": THREE_IN_A_LINE}


def texts(svg: ET.Element, class_: str) -> list[str]:
    """The texts of a class, in their order."""
    return [str(text.text) for text in svg.iter(f"{SVG}text") if class_ in text.get("class", "").split()]


@settings(max_examples=30)
@given(positions())
def test_the_picture_is_the_position(position: Position) -> None:
    svg = ET.fromstring(draw_position(position))
    board = position.board
    rows = [["."] * board.columns for _ in range(board.rows)]
    for circle in svg.iter(f"{SVG}circle"):
        column = int((float(circle.get("cx", 0)) - MARGIN - AXIS) // CELL)
        row = int((float(circle.get("cy", 0)) - MARGIN) // CELL)
        rows[row][column] = {"white-stone": "x", "black-stone": "o"}[circle.get("class", "")]
    assert "\n".join(map("".join, rows)) == str(position)


def test_notebooks_show_it() -> None:
    assert at("4455")._repr_svg_() == draw_position(at("4455"))


def test_it_is_told_to_those_who_do_not_see_it() -> None:
    title = ET.fromstring(draw_position(at("4455"))).find(f"{SVG}title")
    assert title is not None
    assert title.text == "A 7x6 board with 4 stones, White d1 e1, Black d2 e2; White is to move."


def test_scores_stand_under_their_columns_and_the_best_are_marked() -> None:
    svg = ET.fromstring(draw_position(at("44"), scores={0: -2, 3: 1, 4: 0, 6: 1}))
    grid = Grid(at("44").board, CELL, MARGIN + AXIS)
    places = {text.get("x"): text.text for text in svg.iter(f"{SVG}text") if "score" in text.get("class", "")}
    assert places == {
        f"{grid.column_middle(column):g}": text for column, text in {0: "−2", 3: "+1", 4: "0", 6: "+1"}.items()
    }
    assert texts(svg, "best") == ["+1", "+1"]


def test_nothing_is_best_while_a_score_is_not_known() -> None:
    svg = ET.fromstring(draw_position(at("44"), scores={0: -2, 3: None}))
    assert (texts(svg, "score"), texts(svg, "best")) == (["−2", "?"], [])


@pytest.mark.parametrize("proof", PROOFS.values(), ids=list(PROOFS))
def test_every_square_of_every_solution_has_its_letter(proof: Certificate) -> None:
    svg = ET.fromstring(draw_position(proof.position, proof=proof))
    letters = [*texts(svg, "tag"), *texts(svg, "label")]
    for number, instance in enumerate(proof.instances):
        letter = "ABCDEFGHIJKLMNPQRSTUVWYZ"[number]
        assert letters.count(letter) == len(instance.squares) + 1  # and once in the list
        assert instance.describe(proof.position.board) in texts(svg, "list")


def test_a_threat_and_what_the_marks_mean() -> None:
    svg = ET.fromstring(draw_position(ODD_THREAT.position, proof=ODD_THREAT))
    words = [str(text.text) for text in svg.iter(f"{SVG}text")]
    assert texts(svg, "title") == ["White wins"]
    assert texts(svg, "danger") == ["!", "!"]  # on the board and in the key
    assert {"White gets it", "left to Black"} <= set(words)


@pytest.mark.parametrize("proof", PROOFS.values(), ids=list(PROOFS))
def test_nothing_lies_outside_the_picture(proof: Certificate) -> None:
    svg = ET.fromstring(draw_position(proof.position, proof=proof))
    width, height = (float(svg.get(name, 0)) for name in ("width", "height"))
    for element in svg.iter():
        assert 0 <= float(element.get("x", 0)) <= width
        assert 0 <= float(element.get("y", 0)) <= height


def test_a_style_holds_for_its_own_pictures_only() -> None:
    for scheme in Scheme:
        selectors = re.findall(r"(?:^|[{}])([^{}@]+)\{", style_sheet(scheme))
        parts = [part for selector in selectors for part in selector.split(",")]
        assert parts
        assert {part.split()[0] for part in parts} == {f".claimeven-{scheme}"}
        assert f'class="claimeven-{scheme}"' in draw_position(at(""), scheme=scheme)


def test_dark_only_where_it_is_preferred() -> None:
    light, dark = style_sheet(Scheme.AUTO).split("@media (prefers-color-scheme:dark)")
    assert LIGHT.page in light
    assert DARK.page in dark
    assert DARK.page not in light
    assert "@media" not in style_sheet(Scheme.LIGHT) + style_sheet(Scheme.DARK)


def test_a_scheme_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="'pink' is not a valid Scheme"):
        draw_position(at(""), scheme="pink")


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(colours: Palette) -> None:
    assert contrast(colours.ink, colours.page) >= 7
    assert contrast(colours.ink, colours.cell) >= 7
    assert contrast(colours.muted, colours.page) >= 4.5
    for hue in colours.hues:
        assert contrast(colours.page, hue) >= 4.5


@settings(max_examples=30)
@given(positions())
def test_a_line_that_won_is_struck_through(position: Position) -> None:
    svg = ET.fromstring(draw_position(position))
    assert (position.winner is not None) == bool(list(svg.iter(f"{SVG}line")))


def test_a_line_of_play_is_numbered_where_its_stones_will_lie() -> None:
    svg = ET.fromstring(draw_position(at("44"), line=(3, 4, 3)))
    grid = Grid(at("44").board, CELL, MARGIN + AXIS, MARGIN)
    places = {
        text.text: (float(text.get("x", 0)), float(text.get("y", 0)) - 4.5)
        for text in svg.iter(f"{SVG}text")
        if "number" in text.get("class", "")
    }
    board = at("44").board
    assert places == {
        "1": grid.centre(board.find_square("d3")),
        "2": grid.centre(board.find_square("e1")),
        "3": grid.centre(board.find_square("d4")),
    }


def test_scores_are_told_in_words() -> None:
    svg = ET.fromstring(draw_position(at("4455"), scores={2: 18, 0: 0, 1: -2, 3: None}))
    assert texts(svg, "words") == ["wins", "in 2", "draw", "loses", "in 18"]


def test_one_solution_stands_out_and_the_groups_it_kills_are_crossed_out() -> None:
    number = 1
    killed = problems_solved_by(NEEDS_BEFORE)[NEEDS_BEFORE.instances[number]]
    svg = ET.fromstring(draw_position(NEEDS_BEFORE.position, proof=NEEDS_BEFORE, solution=number, key=False))
    assert len(list(svg.iter(f"{SVG}line"))) == len(killed) > 0
    faint = [each for each in svg.iter(f"{SVG}g") if each.get("class") == "faint"]
    others = {square for each in NEEDS_BEFORE.instances for square in each.squares}
    assert len(faint) == len(others - set(NEEDS_BEFORE.instances[number].squares))
    assert texts(svg, "title") == texts(svg, "list") == []


def test_the_last_move_has_a_dot() -> None:
    svg = ET.fromstring(draw_position(at("4433"), last=2))
    (dot,) = [each for each in svg.iter(f"{SVG}circle") if "last" in each.get("class", "")]
    centre = Grid(at("44").board, CELL, MARGIN + AXIS, MARGIN).centre(at("44").board.find_square("c2"))
    assert (float(dot.get("cx", 0)), float(dot.get("cy", 0))) == centre
