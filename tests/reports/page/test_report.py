"""The page as text: whole, valid, escaped, stable, and with nothing that it would have to fetch."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from claimeven.db.counts.contents import count_board
from claimeven.db.store import Store
from claimeven.reports.page import report as page_module
from claimeven.reports.page.report import build_page
from claimeven.reports.page.section import PageSource, Section, render
from claimeven.reports.page.sections import SECTIONS
from claimeven.solver.board import Board
from tests.reports.stores import SMALL

MADE = datetime(2024, 2, 28, 12, 30, tzinfo=UTC)
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Outline(HTMLParser):
    """What a page is made of: its elements, closed in the right order, its ids, links and texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(" ".join(data.split()))

    def all(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.elements if (value := attributes.get(attribute))]


@pytest.fixture(scope="module")
def html(report_store: Path) -> str:
    with Store.open(report_store, writable=False) as store:
        return build_page(store, store.boards(), MADE)


@pytest.fixture(scope="module")
def outline(html: str) -> Outline:
    return Outline(html)


def test_the_same_store_gives_the_same_page_but_for_the_time(html: str, report_store: Path) -> None:
    with Store.open(report_store, writable=False) as store:
        again = build_page(store, store.boards(), MADE.replace(year=2025))
    assert again != html
    assert again.replace("2025-02", "2024-02") == html


def test_ids_are_unique_and_what_refers_to_them_finds_them(outline: Outline) -> None:
    ids = outline.all("id")
    assert len(ids) == len(set(ids))
    links = [link for name in ("href", "xlink:href") for link in outline.all(name)]
    assert links
    # The script of the table follows the addresses of its positions.
    assert all(link[1:] in ids or re.fullmatch(r"#(5x4|7x6):[1-7]*", link) for link in links)
    labels = " ".join(outline.all("aria-labelledby")).split()
    assert set(labels) <= set(ids)


def test_nothing_is_fetched(html: str, outline: Outline) -> None:
    assert set(re.findall(r"https?://[^\"'\s<\\]+", html)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    tags = {tag for tag, _ in outline.elements}
    assert not tags & {"link", "img", "iframe", "base", "object"}
    assert outline.all("src") == []
    assert "@import" not in html


def test_all_sections_are_there_in_order(outline: Outline) -> None:
    anchors = [str(attributes["id"]) for tag, attributes in outline.elements if tag == "section"]
    assert anchors == ["openings", "positions", "sources", "rules", "slowest", "arenas", "runs"]


def test_what_users_wrote_is_escaped(html: str, outline: Outline) -> None:
    assert "<b> &" not in html
    assert any("note <b> & 'c'" in text for text in outline.texts)


def test_numbers_are_those_of_the_store(outline: Outline, report_store: Path) -> None:
    with Store.open(report_store, writable=False) as store:
        counts = count_board(store, SMALL)
        efforts = store.read_efforts(SMALL)
    words = " ".join(outline.texts)
    assert f"{counts.positions:,}" in outline.texts
    for ply in counts.plies:
        assert f"{ply.positions:,}" in outline.texts
    assert efforts
    assert f"{efforts[0].nodes:,} nodes" in words
    assert "7x6: 2 proofs" in words


def test_one_board_alone(report_store: Path) -> None:
    with Store.open(report_store, writable=False) as store:
        words = Outline(build_page(store, [SMALL], MADE)).texts
    assert "5x4" in words
    assert "7x6" not in words


def test_an_empty_store() -> None:
    with Store.open("sqlite://") as store:
        outline = Outline(build_page(store, [], MADE))
    assert any("Nothing is known yet" in text for text in outline.texts)
    assert [tag for tag, _ in outline.elements if tag == "section"] == []


def test_a_new_section_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def extra(source: PageSource) -> Section | None:
        return Section("extra", "Extra <1>", render("runs.html", {"runs": []}))

    monkeypatch.setattr(page_module, "SECTIONS", (*SECTIONS, extra))
    with Store.open("sqlite://") as store:
        outline = Outline(build_page(store, [Board()], MADE))
    assert "#extra" in outline.all("href")
    assert "Extra <1>" in outline.texts
