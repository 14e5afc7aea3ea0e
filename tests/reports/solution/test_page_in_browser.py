"""The page of a solution, walked through in a real browser and compared with the solution itself."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from claimeven.reports.solution.page import render_page
from claimeven.reports.solution.page_data import cells, describe
from claimeven.solver.board import Board
from claimeven.solver.notation import columns
from claimeven.solver.position import Position
from claimeven.solver.solution.guide import Guide
from claimeven.solver.solution.solution import Solution
from tests.reports.page.browser import address, open_browser, prefer, requests, resize

HOME, BACKSPACE, ESCAPE, ENTER, DOWN, RIGHT = "\ue011", "\ue003", "\ue00c", "\ue007", "\ue015", "\ue014"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def solution() -> Solution:
    """One with leaves of both kinds."""
    return Solution.load(str(resources.files("claimeven.reports") / "solutions" / "6x4.json"))


@pytest.fixture
def page(browser: Any, solution: Solution, tmp_path: Path) -> str:
    return open_page(browser, solution, tmp_path)


def open_page(browser: Any, solution: Solution, folder: Path) -> str:
    path = folder / f"{solution.board}.html"
    path.write_text(render_page(solution, path.name), encoding="utf-8")
    requests(browser, address(path))
    browser.get_log("browser")
    browser.get(address(path))
    assert browser.get_log("browser") == []
    return address(path)


def shown_cells(browser: Any, board: Board) -> str:
    """The stones of the board on the page, as the page's own data writes them."""
    stones = browser.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('#picture [data-on]')].map("
        "each => [each.dataset.on, each.classList.contains('white-stone') ? 'x' : 'o']))"
    )
    squares = (board.square(column, row) for column in range(board.columns) for row in range(board.rows))
    return "".join(stones.get(board.name(square), ".") for square in squares)


def press(browser: Any, key: str) -> None:
    browser.find_element("css selector", "body").send_keys(key)


def text(browser: Any, selector: str) -> str:
    return str(browser.execute_script("return document.querySelector(arguments[0]).textContent", selector))


def count(browser: Any, selector: str) -> int:
    return int(browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector))


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("6x4", 4),
        ("5x5", 4),
        ("5x6", 12),  # few of its leaves are by rules
        *(pytest.param(name, 50, marks=pytest.mark.slow) for name in ("6x4", "5x5", "5x6")),
    ],
)
def test_games_on_the_page_are_those_of_the_solution(browser: Any, tmp_path: Path, name: str, games: int) -> None:
    """To their ends, by diagrams and by the rules, from the first move and from any leaf."""
    solution = Solution.load(str(resources.files("claimeven.reports") / "solutions" / f"{name}.json"))
    page = open_page(browser, solution, tmp_path)
    rng = random.Random(1)
    by_rules = 0
    for _ in range(games):
        press(browser, HOME)
        guide = Guide(solution)
        if guide.position.to_move is solution.controller:
            guide.play(guide.advise().column)
        while not guide.position.is_over:
            assert shown_cells(browser, solution.board) == cells(guide.position)
            column = rng.choice(guide.position.legal_columns)
            told = browser.find_elements("css selector", "#columns button")[column].text
            if rng.random() < 0.5:
                press(browser, str(column + 1))
            else:
                browser.find_elements("css selector", "#columns button")[column].click()
            guide.play(column)
            if not guide.position.is_over:
                advice = guide.advise()
                assert f"→ {solution.board.name(advice.square)}" in told
                by_rules += advice.leaf is not None and advice.leaf.proof is not None
                guide.play(advice.column)
        assert shown_cells(browser, solution.board) == cells(guide.position)
        assert ("won" in text(browser, "#live")) == (guide.position.winner is not None)
        assert browser.current_url.rpartition("#")[2].isdigit()
    assert (by_rules > 0) == (solution.sizes.rule_leaves > 0)
    assert {each.partition("#")[0] for each in requests(browser, page)} == {page}


def test_every_rule_leaf_is_played_on_as_the_proof_says(browser: Any, solution: Solution, page: str) -> None:
    rng = random.Random(2)
    rules = [node for node in solution.nodes.values() if node.proof is not None]
    assert rules
    for node in rng.sample(rules, min(len(rules), 12)):
        game = columns.parse(node.moves, solution.board)
        guide = Guide.in_game(solution, game)
        played = list(game)
        while not guide.position.is_over:
            is_ours = guide.position.to_move is solution.controller
            played.append(guide.advise().column if is_ours else rng.choice(guide.position.legal_columns))
            guide.play(played[-1])
        browser.execute_script(
            "location.hash = arguments[0]; dispatchEvent(new HashChangeEvent('hashchange'))",
            columns.write(played, solution.board),
        )
        assert shown_cells(browser, solution.board) == cells(guide.position)


def test_moves_are_taken_back(browser: Any, solution: Solution, page: str) -> None:
    before = shown_cells(browser, solution.board)
    press(browser, "1")
    assert shown_cells(browser, solution.board) != before
    press(browser, BACKSPACE)
    assert shown_cells(browser, solution.board) == before


def test_the_graph_has_every_node_and_leads_there(browser: Any, solution: Solution, page: str) -> None:
    assert count(browser, "#graph .node") == len(solution.nodes)
    assert count(browser, "#graph .leaf") == solution.sizes.leaves
    data = describe(solution)
    for number in range(0, len(data["nodes"]), 3):
        node = data["nodes"][number]
        browser.execute_script(
            "document.querySelectorAll('#graph .node')[arguments[0]].dispatchEvent("
            "new MouseEvent('click', {bubbles: true}))",
            number,
        )
        assert count(browser, "#graph .now") == 1
        assert browser.current_url.rpartition("#")[2].startswith(node["moves"])  # the game that leads there
        assert (count(browser, "#picture .digit") > 0) == ("diagram" in node)
        assert count(browser, "#rules li") == len(node.get("proof", {"solutions": []})["solutions"])
        assert (count(browser, "#picture [class^=hue]") > 0) == ("proof" in node)


def test_the_graph_by_keyboard(browser: Any, solution: Solution, page: str) -> None:
    browser.execute_script("document.querySelector('#graph [tabindex=\"0\"]').focus()")
    for key in (RIGHT, DOWN):
        browser.switch_to.active_element.send_keys(key)
    node = browser.execute_script("return document.activeElement.node.moves")
    assert len(node) == 3
    assert node in text(browser, "#pointed")
    browser.switch_to.active_element.send_keys(ENTER)
    assert browser.current_url.rpartition("#")[2].startswith(node)
    assert count(browser, '#graph [tabindex="0"]') == 1  # thousands of nodes are one stop


def test_of_a_large_graph_only_the_game_is_shown_until_all_is_asked_for(browser: Any, tmp_path: Path) -> None:
    """Thousands of nodes, as no solution of ours has: every move, and digits that nobody has checked, are made up."""
    board = Board()
    nodes: dict[str, Any] = {}
    waiting = [("", Position.start(board))]
    while waiting and len(nodes) < 3000:
        moves, position = waiting.pop(0)
        after = position.play(column := position.legal_columns[len(nodes) % len(position.legal_columns)])
        nodes[moves] = {"move": board.name((position.occupied ^ after.occupied).bit_length() - 1)}
        if not after.is_over:
            replies = ((reply, after.play(reply)) for reply in after.legal_columns)
            waiting += [(f"{moves}{column + 1}{reply + 1}", child) for reply, child in replies if not child.is_over]
    made = {"format": "claimeven solution 1", "board": "7x6", "root": "", "controller": "white", "claim": "win"}
    solution = Solution.from_json(made | {"diagrams": [], "nodes": nodes})
    assert len(solution.nodes) > 1000
    open_page(browser, solution, tmp_path)
    assert count(browser, "#graph .node") <= 8
    for number in (1, 2, 3):
        press(browser, "1")
        assert count(browser, "#graph .here") == number + 1
        assert count(browser, "#graph .node") <= 7 * (number + 1) + 1
    browser.find_element("css selector", "#whole").click()
    assert count(browser, "#graph .node") == len(solution.nodes)
    assert count(browser, "#graph .here") == 4
    browser.find_element("css selector", "#whole").click()
    assert count(browser, "#graph .node") <= 29


def test_a_proof_is_walked_through(browser: Any, solution: Solution, page: str) -> None:
    node = next(node for node in solution.nodes.values() if node.proof is not None)
    assert node.proof is not None
    browser.execute_script("location.hash = arguments[0]", node.moves)
    wait(lambda: count(browser, "#rules li"))
    for number, instance in enumerate(node.proof.instances):
        press(browser, "w")
        assert instance.describe(solution.board) in text(browser, "#live")
        assert count(browser, "#picture .killed") == len(describe_kills(solution, node.moves)[number])
        assert count(browser, '#rules [aria-pressed="true"]') == 1
    press(browser, ESCAPE)
    assert count(browser, "#picture .killed") == 0


def describe_kills(solution: Solution, moves: str) -> list[list[Any]]:
    node = next(each for each in describe(solution)["nodes"] if each["moves"] == moves)
    return [each["kills"] for each in node["proof"]["solutions"]]


def wait(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_in_both_colour_schemes(browser: Any, solution: Solution, page: str, scheme: str) -> None:
    """Nothing scrolls sideways but the graph, and axe-core finds nothing of weight."""
    axe = pytest.importorskip("axe_selenium_python", reason="axe-core is not installed; it is in the extra 'test'")
    node = next(node for node in solution.nodes.values() if node.proof is not None)
    resize(browser, 360)
    prefer(browser, scheme)
    try:
        browser.get("about:blank")
        browser.get(f"{page}#{node.moves}")
        press(browser, "w")
        wide = browser.execute_script("return document.documentElement.scrollWidth > window.innerWidth")
        background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        checker = axe.Axe(browser)
        checker.inject()
        found = checker.run()["violations"]
    finally:
        resize(browser, 1200)
    heavy = [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] != "minor"]
    assert heavy == []
    assert not wide
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
