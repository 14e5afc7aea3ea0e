"""The arenas of the report: what is shown, escaped, and in well-formed plots."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from claimeven.db.store import Store
from claimeven.reports.arena.table import BOUNDED_NOTE
from claimeven.reports.page.arena_section import arenas
from claimeven.reports.page.section import PageSource
from claimeven.reports.page.sections import SECTIONS
from tests.reports.arena.arenas import QUALITY, store_arena


def test_a_store_without_arenas_has_no_section() -> None:
    with Store.open("sqlite://") as store:
        store.start_run("arena", {"players": ["a", "b"], "game": "7x6", "seed": 1, "seconds": None})
        assert arenas(PageSource(store, (), ())) is None


def test_results_and_plots_are_shown() -> None:
    with Store.open("sqlite://") as store:
        store_arena(store, QUALITY)
        section = arenas(PageSource(store, (), ()))
    assert section is not None
    body = str(section.body)
    assert (section.anchor, section.title) == ("arenas", "Arenas")
    assert "Arena 1: 6 games of 5x4, 2.5 s a move, seed 7" in body
    assert "chance &lt;&amp;&gt;" in body
    assert "chance <&>" not in body
    plots = re.findall(r"<svg.*?</svg>", body, re.DOTALL)
    assert len(plots) == 2
    texts = [" ".join(ElementTree.fromstring(plot).itertext()) for plot in plots]
    assert "±" in texts[0]
    assert "left" in texts[0]
    assert "83.3%" in texts[1]
    assert "87.5%" in texts[1]
    assert "none judged" in texts[1]
    assert BOUNDED_NOTE in body
    assert body.count("RuntimeError: lost its mind") == 4


def test_ids_of_several_arenas_do_not_clash() -> None:
    with Store.open("sqlite://") as store:
        for quality in (QUALITY, None, QUALITY):
            store_arena(store, quality)
        section = arenas(PageSource(store, (), ()))
    assert section is not None
    ids = re.findall(r'\bid="([^"]+)"', str(section.body))
    assert len(ids) == len(set(ids))
    assert str(section.body).count("<svg") == 5


def test_the_page_has_the_section() -> None:
    assert arenas in SECTIONS
