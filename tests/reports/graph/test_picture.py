"""The SVG of a graph: well-formed, complete, inside its frame, and readable in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from claimeven.reports.graph.layout import CHARACTER, lay_out, nodes_of
from claimeven.reports.graph.picture import draw_graph, tag_chosen
from claimeven.reports.graph.style import STYLE
from claimeven.solver.drawing.picture import draw_position
from tests.positions import at
from tests.reports.graph.graphs import PROVED, SAMPLES, UNPROVED, Sample

SVG = "{http://www.w3.org/2000/svg}"


def picture_of(sample: Sample) -> ET.Element:
    return ET.fromstring(draw_graph(*sample))


CENTRED = ("axis", "label", "tag", "danger", "label muted", "tag-text")


def placed(element: ET.Element, x: float = 0.0, y: float = 0.0) -> Iterator[tuple[ET.Element, float, float]]:
    """Every element with its place on the page."""
    shift = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    if shift:
        x, y = x + float(shift[1]), y + float(shift[2])
    yield element, x + float(element.get("x", 0)), y + float(element.get("y", 0))
    for child in element:
        yield from placed(child, x, y)


def texts(element: ET.Element, kind: str) -> list[str]:
    """The texts of one class, in their order."""
    return [str(each.text) for each in element.iter(f"{SVG}text") if kind in each.get("class", "").split()]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_everything_is_inside_the_frame(sample: Sample) -> None:
    svg = picture_of(sample)
    width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
    assert svg.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    for element, x, y in placed(svg):
        if element.tag == f"{SVG}text":
            length = len("".join(element.itertext()).strip()) * CHARACTER
            left = (
                x - length / 2
                if element.get("class") in ("axis", "label", "tag", "danger", "label muted", "tag-text")
                else x
            )
            assert left >= 0
            assert left + length <= width, "".join(element.itertext())
            assert 0 <= y <= height
        elif element.tag == f"{SVG}rect":
            assert x + float(element.get("width", 0)) <= width + 1
            assert y + float(element.get("height", 0)) <= height + 1


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_every_box_and_line_of_the_layout_is_drawn(sample: Sample) -> None:
    svg, layout = picture_of(sample), lay_out(sample.graph, tag_chosen(sample.certificate))
    assert texts(svg, "mono") == [box.text for box in layout.boxes]
    lines = [path for path in svg.iter(f"{SVG}path") if "line" in path.get("class", "").split()]
    assert len(lines) == len(layout.lines)
    assert sum("main" in line.get("class", "").split() for line in lines) == sum(
        line.kind == "main" for line in layout.lines
    )


def test_the_chosen_set_carries_the_letters_of_the_explanation() -> None:
    assert texts(picture_of(PROVED["odd threat"]), "tag-text") == ["A", "B", "C", "D", "E", "F"]
    assert texts(picture_of(UNPROVED["many solutions"]), "tag-text") == []


def test_the_counts_by_rule_add_up() -> None:
    svg = picture_of(PROVED["odd threat"])
    counts = [*texts(svg, "chosen-count"), *(text for text in texts(svg, "muted") if text.isdecimal())]
    solutions = len(nodes_of(PROVED["odd threat"].graph, "solution"))
    assert sum(int(count.split(",")[0]) for count in counts) == solutions
    assert texts(svg, "chosen-count") == ["10, 5 chosen", "1, 1 chosen"]


def test_the_board_shows_stones_claims_and_the_threat() -> None:
    svg = picture_of(PROVED["odd threat"])
    kinds = [element.get("class") for element in svg.iter()]
    assert (kinds.count("white-stone"), kinds.count("black-stone")) == (8, 7)
    assert kinds.count("ours") == 5
    assert texts(svg, "danger") == ["!"]


def test_the_board_is_drawn_as_everywhere() -> None:
    sample = PROVED["odd threat"]
    alone = draw_position(sample.position, proof=sample.certificate, key=False)
    for kind in ("cell", "ours", "theirs", "shared", "threat", "white-stone", "label", "tag"):
        here, there = (
            sum(each.get("class") == kind for each in svg.iter()) for svg in (picture_of(sample), ET.fromstring(alone))
        )
        assert here == there + (6 if kind == "tag" else 0)  # the graph tags its solutions too


def test_beside_its_board_it_is_the_graph_alone() -> None:
    sample = PROVED["odd threat"]
    bare = ET.fromstring(draw_graph(sample.graph, sample.position, sample.certificate, is_alone=False))
    whole = picture_of(sample)
    assert texts(bare, "mono") == texts(whole, "mono")
    assert not [each for each in bare.iter() if each.get("class") in ("cell", "bar", "page")]
    assert float(bare.get("width", 0)) < 520


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_title_and_description_say_what_the_picture_shows(sample: Sample) -> None:
    svg = picture_of(sample)
    title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    if sample.certificate is None:
        assert title.text == "Nothing proved: unknown"
        assert "The problems with the fewest solutions are " in str(description.text)
    else:
        for instance in sample.certificate.instances:
            assert instance.describe(sample.position.board) in str(description.text)


def test_names_from_outside_are_escaped() -> None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("p", kind="problem", squares="<b> & 'c'")
    drawn = draw_graph(graph, at(""))
    assert "<b>" not in drawn
    assert texts(ET.fromstring(drawn), "mono") == ["<b>-&-'c'"]


def luminance(colour: str) -> float:
    """The relative luminance of #rgb or #rrggbb (WCAG 2.1)."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_lines_stand_out_from_the_page(scheme: str) -> None:
    light, dark = STYLE.split("@media (prefers-color-scheme:dark)")
    style = light if scheme == "light" else dark

    def fill(selector: str) -> str:
        found = re.search(re.escape(selector) + r"\{fill:(#\w+)", style)
        assert found is not None
        return found[1]

    page = fill(".page")
    assert contrast(fill("text"), page) >= 7
    assert contrast(fill(".heading"), page) >= 4.5
    hues = re.findall(r"\.hue\d \.tag\{fill:(#\w+)", style)
    assert len(hues) == 6
    for hue in hues:
        assert contrast(hue, page) >= 4.5
