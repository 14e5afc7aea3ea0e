"""The plots: the page's colours, well-formed, the same bytes every time, and everything in them as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from claimeven.reports.page.plots import draw_counts, draw_shares
from claimeven.reports.page.style import SOURCES, VALUES, variables
from claimeven.solver.verdict import Bounds, Source, Value

ROWS = {"ply 0": {"white": 1}, "ply 1": {"white": 1, "draw": 1, "black": 2}, "ply 2": {"not-white": 1234}}


def shares(prefix: str = "a") -> str:
    return draw_shares("shares & <more>", ROWS, VALUES, prefix=prefix)


def counts(prefix: str = "a") -> str:
    return draw_counts("counts", {"Claimeven": 12345, "Before": 0}, "--by-rules", prefix=prefix)


PLOTS = pytest.mark.parametrize("plot", [shares, counts])


@PLOTS
def test_the_same_numbers_give_the_same_bytes(plot: Callable[..., str]) -> None:
    assert plot() == plot()


@PLOTS
def test_all_colours_are_variables_of_the_page(plot: Callable[..., str]) -> None:
    svg = plot()
    used = set(re.findall(r"var\((--[a-z-]+)\)", svg))
    assert {"--ink", "--line"} <= used
    assert all(f"{name}:" in variables() for name in used)
    assert "#fe01" not in svg
    assert re.findall(r"(?:fill|stroke): ?#(?!000000)[0-9a-f]{3,6}", svg) == []
    for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        assert "var(--ink)" in element.get("style", ""), element.text


@PLOTS
def test_ids_of_two_plots_differ_and_references_hold(plot: Callable[..., str]) -> None:
    one, other = ET.fromstring(plot("a")), ET.fromstring(plot("b"))
    ids = [{element.get("id") for element in svg.iter() if element.get("id")} for svg in (one, other)]
    assert not ids[0] & ids[1]
    references = re.findall(r'(?:url\(#|href="#)([^")]+)', plot("a"))
    assert set(references) <= ids[0]


def test_every_number_is_there_as_text() -> None:
    texts = ["".join(element.itertext()).strip() for element in ET.fromstring(shares()).iter()]
    for text in ("ply 0", "ply 2", "1,234", "White wins", "a draw", "Black wins", "Black at least draws"):
        assert text in texts
    assert "unknown" not in texts
    assert ET.fromstring(shares()).get("aria-label") == "shares & <more>"
    texts = ["".join(element.itertext()).strip() for element in ET.fromstring(counts()).iter()]
    assert {"Claimeven", "12,345", "Before", "0"} <= set(texts)


def test_every_value_and_every_source_has_a_look() -> None:
    values = {str(Bounds(least, greatest)) for least in Value for greatest in Value if least.rank <= greatest.rank}
    assert set(VALUES) == values
    assert set(SOURCES) == {str(source) for source in Source}


def test_values_differ_by_hatching_too() -> None:
    hatches = [look.hatch for look in VALUES.values()]
    assert len(set(hatches)) == len(hatches)
    assert len({look.symbol for look in VALUES.values()}) == len(VALUES)
