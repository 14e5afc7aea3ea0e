"""The page in a real browser: the opening table walked through by mouse and keyboard, and compared with the store."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from claimeven.db.position_answer import PositionAnswer, answer
from claimeven.db.store import Store
from claimeven.reports.page.report import build_page
from claimeven.reports.page.style import SOURCES, VALUES
from claimeven.solver.board import Board
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position
from claimeven.solver.proof.explanation import describe_instances
from claimeven.solver.verdict import BLACK_WINS, UNKNOWN, Source, Verdict
from tests.positions import at
from tests.reports.graph.test_picture import contrast
from tests.reports.page.browser import address, open_browser, prefer, requests, resize
from tests.reports.stores import LAST_PLY, SMALL

BACKSPACE, ENTER, LEFT, RIGHT, UP, DOWN, HOME, TAB = (
    "\ue003",
    "\ue007",
    "\ue012",
    "\ue014",
    "\ue013",
    "\ue015",
    "\ue011",
    "\ue004",
)


@dataclass(frozen=True)
class Shown:
    """The texts of the opening table, and the stones of its picture as a position prints them."""

    board: str
    moves: list[int]
    picture: str
    value: str
    turn: str
    live: str
    hint: str
    table: list[list[str]]

    @property
    def position(self) -> Position:
        return Position.from_moves(Board.parse(self.board), self.moves)


class Page:
    """The opened page, and what its opening table shows."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser, self.path = browser, path

    def load(self) -> None:
        """Load the page anew, and wait until its script has run and what was there before is gone."""
        self.run("window.isOld = true")
        self.browser.get(address(self.path))
        self.wait()

    def wait(self) -> None:
        """Wait until the script of a new page has run."""
        for _ in range(200):
            if self.run("return !window.isOld && !!document.querySelector('#walker:not([hidden]) svg')"):
                return
            time.sleep(0.05)
        pytest.fail("the opening table does not appear")

    def run(self, script: str, *arguments: object) -> Any:
        return self.browser.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def press(self, keys: str) -> None:
        self.browser.switch_to.active_element.send_keys(keys)

    def jump(self, board: str, moves: str) -> None:
        """Follow the address of a position."""
        self.run(
            """const [hash] = arguments;
            if (location.hash === `#${hash}`) return null;
            return new Promise(done => {
                addEventListener("hashchange", () => setTimeout(done, 0), { once: true });
                location.hash = hash;
            });""",
            f"{board}:{moves}",
        )

    def read(self) -> Shown:
        """What the opening table shows, with one question to the browser."""
        fields = self.run(
            """
            const text = id => document.getElementById(id).textContent;
            const walker = document.getElementById("walker");
            return {
                board: walker.dataset.board,
                moves: walker.dataset.moves ? walker.dataset.moves.split(",").map(Number) : [],
                cells: [...document.querySelectorAll("#walker-picture .cell")].map(cell => {
                    const middle = name => +cell.getAttribute(name) + cell.getAttribute("width") / 2;
                    const stone = [...document.querySelectorAll("#walker-picture circle:not(.last)")].find(each =>
                        +each.getAttribute("cx") === middle("x") && +each.getAttribute("cy") === middle("y"));
                    return [stone ? stone.getAttribute("class") : "cell", middle("x"), middle("y")];
                }),
                value: text("walker-value"), turn: text("walker-turn"), live: text("walker-live"),
                hint: text("walker-hint"),
                table: [...document.querySelectorAll("#walker-moves tbody tr")].map(
                    row => [...row.children].map(cell => cell.textContent)),
            }"""
        )
        rows: dict[float, dict[float, str]] = {}
        for kind, x, y in fields.pop("cells"):
            rows.setdefault(y, {})[x] = {"white-stone": "x", "black-stone": "o", "cell": "."}[kind]
        picture = "\n".join("".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items()))
        return Shown(picture=picture, **fields)

    @property
    def moves(self) -> list[int]:
        return self.read().moves

    @property
    def position(self) -> Position:
        return self.read().position


@pytest.fixture(scope="module")
def store(report_store: Path) -> Iterator[Store]:
    with Store.open(report_store, writable=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def opened(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(build_page(store, store.boards(), datetime.now(UTC)), encoding="utf-8")
    with open_browser() as browser:
        yield Page(browser, path)


@pytest.fixture
def page(opened: Page) -> Iterator[Page]:
    """The page as it is after loading; afterwards it has neither complained nor asked for anything but itself."""
    requests(opened.browser, address(opened.path))
    opened.load()
    yield opened
    assert opened.browser.get_log("browser") == []
    assert requests(opened.browser, address(opened.path)) == {address(opened.path)}


def check(page: Page, store: Store) -> Shown:
    """What the table shows is what the store says."""
    shown = page.read()
    found = answer(shown.position, store)
    assert shown.picture == str(found.position)
    words = VALUES[str(found.verdict.bounds)].words
    assert shown.value == words
    assert words in shown.live
    if not found.position.is_over and found.position.ply < LAST_PLY:
        turn = f"{found.position.to_move} to move"
        turn += "" if found.verdict.score is None else f", score {signed(found.verdict.score)}"
        assert shown.turn == f"{turn}, decided by {SOURCES[str(found.verdict.source)].words}"
        assert shown.table == [expected_row(found, number) for number in range(len(found.moves))]
    elif not found.position.is_over:
        # Beyond the table is what the position itself says of its moves, as query infers it.
        known = [number for number, move in enumerate(found.moves) if move.verdict.bounds != UNKNOWN.bounds]
        assert shown.table == [expected_row(found, number) for number in known]
    return shown


def expected_row(found: PositionAnswer, number: int) -> list[str]:
    move = found.moves[number]
    star = "★ " if move.column in found.best_columns else ""
    return [
        f"{star}{move.column + 1}",
        move.square,
        VALUES[str(move.verdict.bounds)].words,
        "" if move.score is None else signed(move.score),
        "" if move.verdict.source is None else SOURCES[str(move.verdict.source)].words,
    ]


def signed(score: int) -> str:
    return f"{score:+d}".replace("-", "−") if score else "0"


def test_walks_by_mouse_and_by_keyboard_show_what_the_store_says(page: Page, store: Store) -> None:
    chance = random.Random(4)
    shown = check(page, store)
    for walk in range(4):
        while shown.position.ply < LAST_PLY and not shown.position.is_over:
            column = chance.choice(shown.position.legal_columns)
            expected = shown.position.play(column)
            match chance.randrange(4 if walk else 1):
                case 0:
                    page.all("#walker-columns button")[column].click()
                case 1:
                    page.press(str(column + 1))
                case 2:
                    page.all("#walker-picture .target")[column].click()
                case 3:
                    page.run("document.querySelectorAll('#walker-columns button')[arguments[0]].focus()", column)
                    page.press(ENTER)
            shown = check(page, store)
            assert shown.position == expected
        assert "claimeven analyze" in shown.hint
        match walk % 3:
            case 0:
                page.one("#walker-start").click()
            case 1:
                page.all("#walker-columns button")[0].click()
                page.press(HOME)
            case 2:
                page.all("#walker-path button")[0].click()
                page.run("document.querySelector('#walker-columns button').focus()")
        shown = page.read()
        assert shown.moves == []


def test_the_sooner_win_is_best_and_what_is_only_possible_is_not(page: Page, store: Store) -> None:
    for keys in enumerate_ply(SMALL, LAST_PLY - 1):
        known = (answer(Position.from_key(SMALL, key), store) for key in keys.tolist())
        found = next(each for each in known if 0 < len(each.best_columns) < count_keeping(each))
        page.jump("5x4", columns.write(some_moves(found.position), SMALL))
        check(page, store)
    page.jump("7x6", "1")
    shown = check(page, store)
    assert [row[2] for row in shown.table[:2]] == ["unknown", "Black at least draws"]
    assert not any(row[0].startswith("★") for row in shown.table)


def count_keeping(found: PositionAnswer) -> int:
    """How many moves keep the value."""
    return sum(move.verdict.bounds == found.verdict.bounds for move in found.moves)


def test_arrows_choose_a_column_and_backspace_takes_back(page: Page, store: Store) -> None:
    page.run("document.querySelector('#walker-columns button[tabindex=\"0\"]').focus()")
    page.press(LEFT)
    page.press(LEFT)
    page.press(DOWN)
    assert page.moves == [0]
    page.press(LEFT)
    page.press(DOWN)
    page.press(RIGHT)
    page.press(DOWN)
    assert page.moves == [0, 4, 0]
    check(page, store)
    page.press(BACKSPACE)
    assert page.moves == [0, 4]
    page.press(UP)
    page.one("#walker-back").click()
    assert page.moves == []
    page.one("#walker-back").click()
    assert page.moves == []
    check(page, store)


def test_the_path_leads_back(page: Page, store: Store) -> None:
    for column in (1, 1, 2):
        page.all("#walker-columns button")[column].click()
    steps = page.all("#walker-path button")
    assert [step.text for step in steps] == ["start", "1. b1", "b2", "2. c1"]
    steps[2].click()
    assert page.moves == [1, 1]
    check(page, store)


def test_a_full_column_and_a_finished_game_go_no_further(page: Page, store: Store) -> None:
    for column in (0, 0, 0, 0):
        page.all("#walker-columns button")[column].click()
    assert page.all("#walker-columns button")[0].get_attribute("aria-disabled") == "true"
    page.run("document.querySelector('#walker-columns button').focus()")
    page.press("1")
    assert page.moves == [0, 0, 0, 0]
    check(page, store)
    page.jump("7x6", "1212121")
    assert page.one("#walker-turn").text == "The game is over."
    assert page.read().value == "White wins"
    page.press("4")
    assert page.position == at("1212121")


@pytest.mark.parametrize("moves", ["12", "76", "444433351225255", "444455537663633"])
def test_a_proof_is_shown_with_its_picture_and_its_sentences(page: Page, store: Store, moves: str) -> None:
    page.jump("7x6", moves)
    assert page.position == at(moves)
    certificate = store.get_proof(at(moves))
    assert certificate is not None
    proof = page.one("#walker-proof")
    assert proof.is_displayed()
    assert proof.find_element("css selector", "h3").text.startswith("Rule proof: ")
    assert marks(page.run("return document.querySelector('#walker-proof figure svg').outerHTML")) == marks(
        draw_position(at(moves), proof=certificate, key=False)
    )
    # The same squares whichever of the mirror images is looked at; the order of the squares may be the other's.
    shown = [words(item.text.partition("\n")[2]) for item in page.all(".solutions li")]
    expected = [words(sentence.replace("; this kills", ". It kills")) for sentence in describe_instances(certificate)]
    assert shown == expected
    if certificate.win_condition is not None:
        condition = page.one("#walker-proof > p").text
        assert condition.startswith("Win condition: the odd threat a3" if moves[-1] == "5" else "Win condition: the")
        assert f"column {'a' if moves[6] != '5' else 'g'}," in condition


def marks(svg: str) -> set[tuple[str, int, int]]:
    """What a picture of a proof has on its squares: the kind of each mark and the middle of it, letters apart."""
    found = set()
    for element in ET.fromstring(svg).iter():
        kind = element.get("class") or ""
        if kind in ("white-stone", "black-stone", "threat"):
            found.add((kind, round(float(element.get("cx", 0))), round(float(element.get("cy", 0)))))
        elif kind in ("ours", "theirs", "shared", "part"):
            x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            found.add((kind, round(x + width / 2), round(y + height / 2)))
    return found


def words(sentence: str) -> list[str]:
    return sorted(re.findall(r"[\w']+", sentence))


def test_a_solution_marks_its_squares(page: Page) -> None:
    page.jump("7x6", "12")
    assert page.all("#walker-proof .faint") == []
    first = page.one(".solutions li")
    page.run("arguments[0].focus()", first)
    squares = re.match(r"\w+((?: [a-g][1-6])+):", first.text.partition("\n")[2])
    assert squares is not None
    clear = page.all("#walker-proof [data-solution]:not(.faint) rect")
    assert len(clear) == len(squares[1].split())
    assert page.all("#walker-proof .faint")


def test_another_board_is_chosen(page: Page, store: Store) -> None:
    names = [option.text for option in page.all("#walker-board option")]
    assert names == ["5x4", "7x6"]
    page.all("#walker-board option")[1].click()
    assert page.position == Position.start()
    assert page.read().value == "White wins"  # as one of the moves does
    page.jump("7x6", "11")
    assert page.read().value == "unknown"
    assert page.read().hint.endswith("To solve it: claimeven solve 11")


def test_the_examples_of_the_page_lead_into_the_table(page: Page, store: Store) -> None:
    button = page.one("#slowest .jump")
    moves = button.text
    button.click()
    for _ in range(100):
        if page.moves:
            break
        time.sleep(0.05)
    assert page.position == at(moves, "5x4")
    assert page.position.canonical_key == store.read_efforts(SMALL)[0].position.canonical_key
    assert page.run("return document.activeElement.parentNode.id") == "walker-columns"


def test_every_position_has_an_address_of_its_own(page: Page, store: Store) -> None:
    for column in (1, 1, 2):
        page.all("#walker-columns button")[column].click()
    link = page.browser.current_url
    assert link.endswith("#5x4:223")
    page.load()
    page.browser.get("about:blank")
    page.browser.get(link)
    page.wait()
    assert check(page, store).position == at("223", "5x4")
    page.run("location.hash = '7x6:nonsense'")
    assert page.position == at("223", "5x4")
    for each in page.all("a.jump"):
        address = str(each.get_attribute("href")).partition("#")[2]
        board, _, moves = address.partition(":")
        in_table = len(moves) <= LAST_PLY or board == "7x6"
        assert in_table or page.all(f'[id="{address}"]')


def test_children_of_a_lost_position_are_lost(tmp_path: Path, opened: Page) -> None:
    """Nothing is said of them in the store, and query infers it."""
    path = tmp_path / "lost.db"
    lost = at("21", "4x4x3")
    with Store.open(path) as store:
        store.put(lost, Verdict(BLACK_WINS, Source.SEARCH))
        store.put(at("211", "4x4x3"), UNKNOWN)
        store.put(at("2112", "4x4x3"), Verdict(BLACK_WINS, Source.SEARCH))
        page_path = tmp_path / "index.html"
        page_path.write_text(build_page(store, store.boards(), datetime.now(UTC)), encoding="utf-8")
        other = Page(opened.browser, page_path)
        other.load()
        other.jump("4x4x3", "21")
        shown = check(other, store)
    assert {row[2] for row in shown.table} == {"Black wins"}


def test_the_first_tab_skips_to_the_content(page: Page) -> None:
    page.press(TAB)
    assert page.browser.switch_to.active_element.text == "Skip to the content"
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.press(ENTER)
    assert page.run("return document.activeElement.id") == "content"


TEXTS = {
    "body": 7,
    "header .muted": 4.5,
    "nav a": 4.5,
    "summary": 4.5,
    "#walker-value": 7,
    "#walker-turn": 4.5,
    "#walker-columns button b": 4.5,
    "#walker-columns .best .star": 4.5,
    "#walker-path button": 4.5,
    "#walker-moves td": 7,
    "thead th": 4.5,
    ".jump": 4.5,
    ".note": 7,
    "footer": 4.5,
    ".solutions p": 7,
    ".solutions small": 4.5,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in_both_schemes(page: Page, scheme: str) -> None:
    prefer(page.browser, scheme)
    page.jump("7x6", "12")
    page.run("document.querySelectorAll('details').forEach(each => each.open = true)")
    first = ("#walker-moves td", "#walker-columns .best .star")
    shown = {selector: find_colours(page, selector) for selector in TEXTS if selector not in first}
    page.run("document.getElementById('walker-start').click()")
    page.all("#walker-board option")[0].click()
    shown |= {selector: find_colours(page, selector) for selector in first}
    for selector, (ink, ground) in shown.items():
        assert contrast(ink, ground) >= TEXTS[selector], (selector, ink, ground)
    grounds = {ground for _, ground in shown.values()}
    assert all((contrast(ground, "#ffffff") > 10) == (scheme == "dark") for ground in grounds)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_plots_and_stones_stand_out_in_both_schemes(page: Page, scheme: str) -> None:
    prefer(page.browser, scheme)
    fill = "return getComputedStyle(arguments[0]).fill"
    ground = find_colours(page, "body")[1]
    texts = page.all(".plot text")
    assert texts
    for text in texts:
        assert contrast(as_hex(page.run(fill, text)), ground) >= 7
    page.all("#walker-columns button")[0].click()
    page.all("#walker-columns button")[0].click()
    cell = as_hex(page.run(fill, page.one("#walker-picture .cell")))
    stroke = "return getComputedStyle(arguments[0]).stroke"
    for stone in ("white", "black"):
        circle = page.one(f"#walker-picture .{stone}-stone")
        assert max(contrast(as_hex(page.run(paint, circle)), cell) for paint in (fill, stroke)) >= 3


def find_colours(page: Page, selector: str) -> tuple[str, str]:
    """The colour of a text and that of what is behind it."""
    script = """
        let ground = arguments[0];
        while (/rgba\\(.*, 0\\)/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
        return [getComputedStyle(arguments[0]).color, getComputedStyle(ground).backgroundColor];
    """
    ink, ground = page.run(script, page.one(selector))
    return as_hex(ink), as_hex(ground)


def as_hex(colour: str) -> str:
    channels = re.match(r"rgba?\((\d+), (\d+), (\d+)", colour)
    assert channels is not None, colour
    return "#" + "".join(f"{int(channel):02x}" for channel in channels.groups())


@pytest.mark.parametrize("width", [360, 800])
def test_a_narrow_page_does_not_scroll_sideways(page: Page, width: int) -> None:
    resize(page.browser, width)
    try:
        page.jump("7x6", "12")
        page.run("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.run("return document.documentElement.scrollWidth") <= width
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
