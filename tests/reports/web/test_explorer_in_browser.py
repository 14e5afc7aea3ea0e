"""The explorer in a real browser: a game played, pasted and linked to, a proof walked through, a search stopped."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

import claimeven
from claimeven.db.books.packed import NO_BOOK
from claimeven.solver.board import Board
from claimeven.solver.notation import columns, format_position
from claimeven.solver.position import Position
from claimeven.solver.score import describe_score
from tests.positions import at
from tests.reports.page.browser import open_browser, prefer, requests, resize
from tests.reports.page.test_report_in_browser import BACKSPACE, DOWN, ENTER, HOME, LEFT, RIGHT, TAB
from tests.reports.web.serving import client_of

PROVED = "444433351225255"
HARD = "?board=8x7&pos=44"
END, ESCAPE = "\ue010", "\ue00c"


class Explorer:
    """The page, and what it shows."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address = browser, address

    def run(self, script: str, *arguments: object) -> Any:
        return self.browser.execute_script(script, *arguments)

    def one(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def open(self, path: str = "") -> None:
        self.browser.get(f"{self.address}/{path}")
        self.wait(lambda: self.all("#picture svg"))

    def follow(self, path: str) -> None:
        """Go to an address of the page as Back and Forward do, without loading it again."""
        self.run("history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", path)

    def wait(self, condition: Callable[[], object], seconds: float = 30) -> Any:
        """What a condition gives, once it gives something."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(Exception):  # elements come and go while the page is drawn
                if found := condition():
                    return found
            time.sleep(0.03)
        pytest.fail(f"this does not become true: {condition}; {self.text('#problem')}")

    def press(self, keys: str) -> None:
        self.browser.switch_to.active_element.send_keys(keys)

    def tab_to(self, name: str) -> None:
        """Press Tab until the element of an id, or the summary of one, has the focus."""
        for _ in range(120):
            if self.run("return [document.activeElement.id, document.activeElement.parentElement?.id]").count(name):
                return
            self.press(TAB)
        pytest.fail(f"Tab does not lead to {name}")

    @property
    def moves(self) -> str:
        """The game up to the position shown, by the address of the page."""
        return str(self.run("const f = new URLSearchParams(location.search); return f.get('pos') || ''"))

    @property
    def stones(self) -> str:
        """The stones of the picture, as a position prints them."""
        found = self.run(
            """
            const cells = [...document.querySelectorAll('#picture .cell')];
            const stones = [...document.querySelectorAll('#picture circle.white-stone, #picture circle.black-stone')]
                .filter(each => +each.getAttribute('r') > 15);
            return cells.map(cell => {
                const x = +cell.getAttribute('x'), y = +cell.getAttribute('y');
                const stone = stones.find(each => Math.abs(+each.getAttribute('cx') - x - 20) < 5
                    && Math.abs(+each.getAttribute('cy') - y - 20) < 5);
                return [x, y, stone ? (stone.classList.contains('white-stone') ? 'x' : 'o') : '.'];
            });"""
        )
        rows: dict[float, dict[float, str]] = {}
        for x, y, stone in found:
            rows.setdefault(y, {})[x] = stone
        return "\n".join("".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items()))

    def shows(self, position: Position) -> bool:
        """Whether the picture is this position and every score is there."""
        return self.stones == str(position) and "…" not in self.text("#columns") and "?" not in self.text("#columns")

    @property
    def scores(self) -> list[tuple[str, str]]:
        """What stands under the columns: the number and the words."""
        told = self.run(
            """return [...document.querySelectorAll('#columns button')].map(
                each => [...each.children].slice(0, 3).map(part => part.textContent));"""
        )
        return [(number, f"{verb} {rest}".strip()) for number, verb, rest in told]


@pytest.fixture(scope="module")
def opened(address: str) -> Iterator[Explorer]:
    with open_browser() as browser:
        yield Explorer(browser, address)


@pytest.fixture
def explorer(opened: Explorer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Explorer]:
    """The page at the empty board; afterwards it has complained of nothing and asked nobody but its server."""
    monkeypatch.delenv(NO_BOOK, raising=False)
    opened.browser.get_log("browser")
    requests(opened.browser, "")
    opened.open()
    yield opened
    wrong = [entry for entry in opened.browser.get_log("browser") if "status of 4" not in entry["message"]]
    assert wrong == []
    asked = requests_of(opened)
    assert all(each.startswith((opened.address, "data:")) for each in asked), asked


def requests_of(explorer: Explorer) -> set[str]:
    found = explorer.run("return performance.getEntriesByType('resource').map(each => each.name)")
    return set(map(str, found))


def expected_scores(position: Position) -> list[tuple[str, str]]:
    """What the library says, as it is to stand under the columns."""
    scores = claimeven.analyze(position).scores
    shown = []
    for column in range(position.board.columns):
        score = scores.get(column)
        if score is None:
            shown.append(("–", ""))
        else:
            number = f"{score:+d}".replace("-", "−") if score else "0"
            shown.append((number, describe_score(position.board.cells, position.ply, score)))
    return shown


@pytest.mark.parametrize("positions", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_scores_are_those_of_the_library(explorer: Explorer, positions: int) -> None:
    chance = random.Random(50)
    compared = 0
    while compared < positions:
        board = Board(5, 4) if compared % 5 == 4 else Board()
        position, game = Position.start(board), list[int]()
        while position.ply < board.cells * 4 // 7 and not position.is_over:
            column = chance.choice(position.legal_columns)
            game.append(column)
            position = position.play(column)
        if position.is_over:
            continue
        explorer.follow(f"/?board={board}&pos={columns.write(game, board)}")
        explorer.wait(lambda position=position: explorer.shows(position))  # type: ignore[misc]
        assert explorer.scores == expected_scores(position)
        compared += 1


def test_a_game_is_played_by_mouse(explorer: Explorer) -> None:
    position = Position.start()
    for column in (3, 3, 4, 4, 5, 1, 6):
        explorer.wait(lambda position=position: explorer.shows(position))  # type: ignore[misc]
        if position.ply % 2:
            explorer.all("#columns button")[column].click()
        else:
            cell = explorer.one(f'#picture [data-square="{"abcdefg"[column]}4"]')
            explorer.run(
                """const box = arguments[0].getBoundingClientRect();
                document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).dispatchEvent(
                    new MouseEvent('click', {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + 5}))""",
                cell,
            )
        position = position.play(column)
    explorer.wait(lambda: explorer.text("#verdict") == "White has won")
    assert explorer.stones == str(position)
    assert explorer.all("#picture line.won")
    assert explorer.moves == "4455627"
    assert "Move 6, Black b1" not in explorer.text("#turns")
    explorer.wait(lambda: "Move 4, Black e2: a draw before it" in explorer.text("#turns") or explorer.text("#turns"))


def test_the_value_over_the_game_says_where_it_was_lost(explorer: Explorer) -> None:
    explorer.open("?pos=4344445323")
    with client_of(explorer.address) as client:
        values = [verdict_of(client, at("4344445323"[:ply])) for ply in range(11)]
    expected = [ply + 1 for ply in range(10) if values[ply] != values[ply + 1]]
    explorer.wait(lambda: len(explorer.all("#turns li")) == len(expected))
    told = [int(number) for number in re.findall(r"Move (\d+)", explorer.text("#turns"))]
    assert told == expected
    explorer.one("#turns button").click()
    explorer.wait(lambda: explorer.stones == str(at("4344445323"[: expected[0] - 1])))


def verdict_of(client: httpx.Client, position: Position) -> str:
    """The value by an address that the page does not use."""
    answer = client.get("/solve", params={"pos": format_position(position)}).json()
    best = max(score for score in answer["score"] if score != 100)
    return "draw" if best == 0 else "white" if (best > 0) == (position.ply % 2 == 0) else "black"


@pytest.mark.parametrize("notation", ["columns", "allis", "kaggle", "board"])
def test_any_notation_is_pasted(explorer: Explorer, notation: str) -> None:
    position = at("4433551")
    field = explorer.one("#entry-text")
    # As the browser tells a paste: a board has several lines, which the field would join without a trace.
    is_taken = not explorer.run(
        """const data = new DataTransfer();
        data.setData("text", arguments[1]);
        const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
        return arguments[0].dispatchEvent(event);""",
        field,
        text := format_position(position, notation),
    )
    assert is_taken == ("\n" in text)
    field.send_keys(ENTER if is_taken else text + ENTER)
    explorer.wait(lambda: explorer.shows(position))
    field.send_keys("4899" + ENTER)
    explorer.wait(lambda: "not a column" in explorer.text("#problem"))
    assert explorer.stones == str(position)


def test_a_link_leads_to_the_same_position_and_back_leads_back(explorer: Explorer) -> None:
    explorer.open("?pos=44335&at=3")
    explorer.wait(lambda: explorer.shows(at("443")))
    assert explorer.one("#slider").get_attribute("max") == "5"
    link = explorer.browser.current_url
    explorer.press("1")
    explorer.wait(lambda: explorer.shows(at("4431")))
    explorer.browser.back()
    explorer.wait(lambda: explorer.shows(at("443")))
    assert explorer.browser.current_url == link
    explorer.open("?pos=999")
    explorer.wait(lambda: "not a column" in explorer.text("#problem"))
    explorer.wait(lambda: explorer.shows(Position.start()))


def test_the_slider_goes_through_the_game(explorer: Explorer) -> None:
    explorer.open("?pos=44335")
    for ply in (2, 5, 0):
        explorer.run(
            "const s = document.getElementById('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
            ply,
        )
        explorer.wait(lambda ply=ply: explorer.shows(at("44335"[:ply])))  # type: ignore[misc]


def test_the_line_of_values_is_dragged_along(explorer: Explorer) -> None:
    explorer.open("?pos=44335")
    explorer.run(
        """const place = document.getElementById('curve'), box = place.getBoundingClientRect();
        place.setPointerCapture = () => {};
        place.hasPointerCapture = () => true;
        const send = (name, part) => place.dispatchEvent(
            new PointerEvent(name, {clientX: box.left + box.width * part, bubbles: true}));
        send('pointerdown', 0.99);
        send('pointermove', 0.6);
        send('pointermove', 0.1);"""
    )
    explorer.wait(lambda: explorer.shows(Position.start()))


def test_a_proof_is_walked_through_step_by_step(explorer: Explorer) -> None:
    explorer.open(f"?pos={PROVED}")
    proof = claimeven.prove(PROVED)
    assert proof is not None
    explorer.wait(lambda: explorer.all(".solutions li"))
    told = [item.text for item in explorer.all(".solutions li")]
    assert [name in text for name, text in zip(proof.solutions, told, strict=True)] == [True] * len(told)
    explorer.one("#walk-all").click()
    explorer.wait(lambda: len(explorer.all("#picture [class^=hue]")) >= len(proof.solutions))
    for number, name in enumerate(proof.solutions, 1):
        explorer.one("#walk-on").click()
        explorer.wait(lambda: explorer.all("#picture .killed"))
        explorer.wait(lambda name=name: name in explorer.text("#live"))  # type: ignore[misc]
        assert explorer.text("#walk-words") == f"{number} of {len(proof.solutions)}"
        pressed = explorer.all('.solutions [aria-pressed="true"]')
        assert [name in each.text for each in pressed] == [True]
    explorer.press(ESCAPE)
    explorer.wait(lambda: not explorer.all("#picture [class^=hue]"))
    explorer.one("#graph-panel summary").click()
    explorer.wait(
        lambda: explorer.run("return !!document.querySelector('#graph div')?.shadowRoot?.querySelector('svg')")
    )
    assert faint_of_graph(explorer) == []
    explorer.one("#walk-on").click()
    explorer.wait(lambda: faint_of_graph(explorer) == list("BCDEF"))  # the graph follows the walk


def faint_of_graph(explorer: Explorer) -> list[str]:
    """The letters of the solutions that stand back in the graph."""
    return list(
        explorer.run(
            """const svg = document.querySelector('#graph div').shadowRoot;
            return [...svg.querySelectorAll('g.faint[data-tag]')].map(each => each.dataset.tag)"""
        )
    )


def test_a_link_to_a_proof_shows_it_on_the_board(explorer: Explorer) -> None:
    explorer.open(f"?pos={PROVED}&show=proof")
    explorer.wait(lambda: explorer.all("#picture [class^=hue]"))
    explorer.run("navigator.clipboard.writeText = () => Promise.reject()")  # as where it is not allowed
    explorer.one("#share").click()
    explorer.wait(lambda: explorer.text("#problem").endswith(f"?pos={PROVED}&show=proof"))


def test_best_play_leads_to_a_proof(explorer: Explorer) -> None:
    explorer.open(f"?pos={PROVED[:-1]}")
    explorer.wait(lambda: explorer.all("#follow"))
    explorer.one("#follow").click()
    explorer.wait(lambda: explorer.all(".solutions li"))
    assert explorer.moves.startswith(PROVED[:-1])
    assert claimeven.prove(explorer.moves) is not None


def test_a_long_search_tells_how_far_it_is_and_is_stopped(explorer: Explorer) -> None:
    explorer.open(HARD)
    explorer.wait(lambda: explorer.one("#search").is_displayed() and "nodes" in explorer.text("#search-words"))
    explorer.one("#search-stop").click()
    explorer.wait(lambda: explorer.one("#search-more").is_displayed())
    assert not explorer.one("#search-stop").is_displayed()
    assert explorer.text("#verdict") == "Not decided yet"
    explorer.one("#search-more").click()
    explorer.wait(lambda: explorer.one("#search-stop").is_displayed() and "nodes" in explorer.text("#search-words"))
    explorer.open()
    explorer.wait(lambda: explorer.shows(Position.start()))


def test_all_of_it_by_keyboard(explorer: Explorer) -> None:
    explorer.press(TAB)
    assert explorer.run("return document.activeElement.textContent") == "Skip to the board"
    explorer.press(ENTER)
    assert explorer.run("return document.activeElement.id") == "columns"
    for key in "445566":
        explorer.press(key)
    explorer.wait(lambda: explorer.shows(at("445566")))
    explorer.press("t")
    explorer.wait(lambda: "White completes a line on c1, at once" in explorer.text("#threat-list"))
    assert explorer.all("#picture .threat-mark")
    explorer.press("t")
    explorer.press("b")
    explorer.wait(lambda: explorer.text("#verdict") == "White has won")
    explorer.press(LEFT)
    explorer.wait(lambda: explorer.shows(at("445566")))
    explorer.press("l")
    explorer.wait(lambda: len(explorer.all("#picture .to-come")) == 1)
    explorer.press(RIGHT)
    explorer.press(HOME)
    explorer.wait(lambda: explorer.shows(Position.start()))
    explorer.press(END)
    explorer.press(BACKSPACE)
    explorer.wait(lambda: explorer.shows(at("445566")))
    explorer.tab_to("setup-panel")
    explorer.press(ENTER)
    explorer.wait(lambda: explorer.one("#setup").is_displayed())
    explorer.press("n")
    explorer.wait(lambda: explorer.shows(Position.start()))
    explorer.press("r")
    assert "A 7x6 board with no stones" in explorer.text("#live")
    assert "Column 4, d1: wins in 21" in explorer.text("#live")
    explorer.press("n")
    explorer.press("w")  # nothing to walk through, and nothing happens
    explorer.wait(lambda: "The empty board" in explorer.text("#live"))


def test_panels_players_and_searches_by_keyboard(explorer: Explorer) -> None:
    explorer.tab_to("entry-text")
    explorer.press(PROVED + ENTER)
    explorer.wait(lambda: explorer.all(".solutions li"))
    explorer.tab_to("best")
    explorer.press("w")
    explorer.press("w")
    explorer.wait(lambda: explorer.text("#walk-words") == "2 of 6" and explorer.all("#picture .killed"))
    explorer.press(ESCAPE)
    explorer.wait(lambda: not explorer.all("#picture .killed"))
    explorer.tab_to("walk-on")
    explorer.press(ENTER)
    explorer.wait(lambda: explorer.text("#walk-words") == "1 of 6")
    explorer.tab_to("black-player")
    explorer.press(DOWN)  # random is the first
    explorer.wait(lambda: len(explorer.moves) == len(PROVED) + 1)
    explorer.tab_to("graph-panel")
    explorer.press(ENTER)
    explorer.wait(lambda: explorer.one("#graph-panel").get_attribute("open"))
    explorer.open(HARD)
    explorer.wait(lambda: explorer.one("#search").is_displayed() and "nodes" in explorer.text("#search-words"))
    explorer.tab_to("search-stop")
    explorer.press(ENTER)
    explorer.wait(lambda: explorer.one("#search-more").is_displayed())


def test_a_solution_shows_its_digits_and_plays(explorer: Explorer) -> None:
    explorer.wait(lambda: explorer.one("#solution-panel").is_displayed())  # the board that it begins with has one
    explorer.open("?board=5x5&pos=3132")
    explorer.wait(lambda: "White plays c3" in explorer.text("#solution-words"))
    explorer.press("d")
    explorer.wait(lambda: len(explorer.all("#picture .digit")) == 21)
    assert explorer.one("#solution-digits").get_attribute("aria-pressed") == "true"
    assert len(explorer.all("#picture .chosen")) == 1
    explorer.one("#solution-play").click()
    explorer.wait(lambda: explorer.moves == "31323" and len(explorer.all(".answers li")) == 5)
    explorer.wait(lambda: len(explorer.all("#picture .digit")) == 20)  # they stay on the board
    explorer.press("1")
    explorer.press("1")
    explorer.wait(lambda: "a move before was not its own" in explorer.text("#solution-words"))
    assert not explorer.all("#picture .digit")


def test_a_position_is_set_up(explorer: Explorer) -> None:
    explorer.one("#setup-panel summary").click()
    explorer.wait(lambda: len(explorer.all("#setup button")) == 42)
    cell = {each.get_attribute("aria-label")[:2]: each for each in explorer.all("#setup button")}
    for name, presses in (("d1", 1), ("d2", 2), ("e2", 1)):
        for _ in range(presses):
            explorer.run("arguments[0].click()", cell[name])
    explorer.one("#setup-use").click()
    explorer.wait(lambda: "floats" in explorer.text("#setup-words"))
    explorer.run("arguments[0].click(); arguments[0].click(); arguments[1].click()", cell["e2"], cell["e1"])
    grounds = [
        explorer.run("return getComputedStyle(arguments[0]).backgroundColor", cell[each]) for each in ("d1", "d2")
    ]
    assert grounds == ["rgb(255, 255, 255)", "rgb(21, 24, 28)"]  # White's and Black's look like it
    explorer.one("#setup-use").click()
    explorer.wait(lambda: explorer.shows(at("445")))


def test_another_board(explorer: Explorer) -> None:
    field = explorer.one("#board-size")
    field.clear()
    field.send_keys("5x4" + ENTER)
    explorer.wait(lambda: explorer.shows(Position.start(Board(5, 4))))
    explorer.all("#columns button")[2].click()
    explorer.wait(lambda: explorer.shows(at("3", "5x4")))
    assert explorer.scores == expected_scores(at("3", "5x4"))


def test_a_player_answers(explorer: Explorer) -> None:
    explorer.wait(lambda: len(explorer.all("#black-player option")) > 5)
    explorer.run(
        """const s = document.getElementById('black-player'); s.value = 'random';
        s.dispatchEvent(new Event('change'))"""
    )
    explorer.press("4")
    explorer.wait(lambda: len(explorer.moves) == 2)
    assert explorer.moves.startswith("4")
    assert "random played column" in explorer.wait(lambda: explorer.text("#player-words"))


@pytest.mark.parametrize(("width", "height"), [(1200, 760), (1400, 900), (390, 800)])
def test_every_score_stands_below_its_column(explorer: Explorer, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    explorer.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        explorer.open(f"?pos={PROVED}&show=proof")
        explorer.wait(lambda: explorer.all("#picture [class^=hue]") and explorer.shows(at(PROVED)))
        centres = explorer.run(
            """const middle = each => { const box = each.getBoundingClientRect(); return box.left + box.width / 2; };
            return [...document.querySelectorAll('#columns button')].map((each, column) => middle(each)
                - middle(document.querySelector(`#picture [data-square="${'abcdefg'[column]}1"]`)));"""
        )
        assert all(abs(each) < 4 for each in centres), centres
        below = explorer.run("return document.querySelector('.tools').getBoundingClientRect().bottom")
        assert width < 600 or below <= height  # nothing of the game is out of reach
    finally:
        explorer.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_game_is_played_on_a_telephone(explorer: Explorer) -> None:
    resize(explorer.browser, 390)
    try:
        explorer.open(f"?pos={PROVED[:-1]}")
        explorer.wait(lambda: explorer.shows(at(PROVED[:-1])))
        buttons = explorer.all("#columns button")
        assert all(each.rect["width"] >= 40 and each.rect["height"] >= 44 for each in buttons)  # a finger's breadth
        buttons[4].click()
        explorer.wait(lambda: explorer.shows(at(PROVED)))
        box = explorer.one("#columns").rect
        assert box["y"] + box["height"] <= 900  # board and scores are seen together
        assert explorer.scores == expected_scores(at(PROVED))
    finally:
        explorer.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_keeps_anybody_out(explorer: Explorer, scheme: str, width: int) -> None:
    """axe-core finds nothing of weight, on a telephone and on a desk, light and dark; nothing scrolls sideways."""
    axe = pytest.importorskip("axe_selenium_python", reason="axe-core is not installed; it is in the extra 'test'")
    prefer(explorer.browser, scheme)
    resize(explorer.browser, width)
    try:
        explorer.open(f"?pos={PROVED}")
        explorer.wait(
            lambda: explorer.shows(at(PROVED)) and explorer.all(".solutions li") and explorer.all(".chart .point")
        )
        explorer.run("document.querySelectorAll('details').forEach(each => each.open = true)")
        explorer.press("t")
        explorer.one("#walk-on").click()
        explorer.wait(lambda: explorer.all("#picture .killed") and explorer.all("#setup button"))
        checker = axe.Axe(explorer.browser)
        checker.inject()
        found = checker.run()["violations"]
        heavy = [
            (each["id"], [node["html"][:200] for node in each["nodes"][:3]])
            for each in found
            if each["impact"] in ("serious", "critical", "moderate")
        ]
        assert heavy == []
        assert explorer.run("return document.documentElement.scrollWidth") <= width
        ground = explorer.run("return getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(13, 17, 23)") == (scheme == "dark")
    finally:
        explorer.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
