"""The page of a solution, walked through in a real browser and compared with the solution itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven.reports.solution.page import cells, render_page
from claimeven.solver.solution.guide import Guide
from claimeven.solver.solution.solution import Solution
from tests.reports.page.browser import address, open_browser, prefer, requests, resize
from tests.solver.solution.test_building import solve


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve("5x4")


@pytest.fixture
def page(browser: Any, solution: Solution, tmp_path: Path) -> str:
    path = tmp_path / "5x4.html"
    path.write_text(render_page(solution, "5x4.json"), encoding="utf-8")
    requests(browser, address(path))
    browser.get(address(path))
    return address(path)


def shown_cells(browser: Any, solution: Solution) -> str:
    """The stones of the board on the page, as the page's own data writes them."""
    classes = browser.execute_script("return [...document.querySelectorAll('#board span')].map(s => s.className)")
    stones = ["x" if "x" in each.split() else "o" if "o" in each.split() else "." for each in classes]
    columns, rows = solution.board.columns, solution.board.rows
    return "".join(stones[(rows - 1 - row) * columns + column] for column in range(columns) for row in range(rows))


def press(browser: Any, key: str) -> None:
    browser.find_element("css selector", "body").send_keys(key)


def test_games_on_the_page_are_those_of_the_solution(browser: Any, solution: Solution, page: str) -> None:
    rng = random.Random(1)
    home = "\ue011"
    for _ in range(12):
        press(browser, home)
        guide = Guide(solution)
        guide.play(guide.advise().column)
        while not guide.position.is_over:
            assert shown_cells(browser, solution) == cells(solution, guide.position)
            column = rng.choice(guide.position.legal_columns)
            if rng.random() < 0.5:
                press(browser, str(column + 1))
            else:
                browser.find_elements("css selector", "#columns button")[column].click()
            guide.play(column)
            if not guide.position.is_over:
                guide.play(guide.advise().column)
        assert shown_cells(browser, solution) == cells(solution, guide.position)
        live = browser.find_element("css selector", "#live").text
        assert ("won" in live) == (guide.position.winner is not None)
    assert requests(browser, page) == {page}


def test_moves_are_taken_back(browser: Any, solution: Solution, page: str) -> None:
    before = shown_cells(browser, solution)
    press(browser, "1")
    assert shown_cells(browser, solution) != before
    press(browser, "\ue003")
    assert shown_cells(browser, solution) == before


def test_the_graph_has_every_node_and_leads_there(browser: Any, solution: Solution, page: str) -> None:
    buttons = browser.find_elements("css selector", "#graph button")
    assert len(buttons) == len(solution.nodes)
    leaves = browser.find_elements("css selector", "#graph .leaf")
    assert len(leaves) == solution.sizes.leaves
    for leaf in leaves:
        leaf.click()
        cells = browser.execute_script("return [...document.querySelectorAll('#board span')].map(s => s.textContent)")
        rules = browser.find_element("css selector", "#rules").text
        is_diagram = ", diagram " in leaf.get_attribute("title")
        assert any(each.isdigit() for each in cells) == is_diagram
        assert bool(rules) != is_diagram
        assert len(browser.find_elements("css selector", "#graph .here")) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_in_both_colour_schemes(browser: Any, solution: Solution, page: str, scheme: str) -> None:
    resize(browser, 360)
    prefer(browser, scheme)
    browser.get(page)
    wide = browser.execute_script("return document.documentElement.scrollWidth > window.innerWidth")
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    resize(browser, 1200)
    assert not wide
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
