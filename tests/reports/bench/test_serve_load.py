"""The server under a small load and a few wrong requests; the whole campaign is `claimeven bench serve`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from claimeven.db.books.packed import NO_BOOK
from claimeven.reports.bench.serve_fuzz import fuzz
from claimeven.reports.bench.serve_load import Flood, ask_all, make_questions, percentile
from tests.reports.web.serving import serve


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve(uses_book=True) as served:
        yield served


def test_every_answer_is_right_alone_and_beside_a_flood(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NO_BOOK, raising=False)
    questions = make_questions(60, seed=3)
    waits, _ = ask_all(address, questions, clients=12)
    assert [wait.wrong for wait in waits if wait.wrong] == []
    assert len(waits) == 60
    assert percentile(waits, "stored", 0.5) <= percentile(waits, "stored", 1)
    with Flood(address, 4):
        waits, _ = ask_all(address, questions, clients=12)
    assert [wait.wrong for wait in waits if wait.wrong] == []


def test_a_wrong_answer_is_noticed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NO_BOOK, raising=False)
    questions = [
        replace(each, expected={"pos": "other"}) for each in make_questions(10, seed=4) if each.kind == "stored"
    ]
    waits, _ = ask_all(address, questions, clients=2)
    assert all(wait.wrong for wait in waits)


def test_wrong_requests_are_answered(
    address: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(NO_BOOK, raising=False)
    found = fuzz(address, 300, seed=5)
    assert found.failures == []
    assert found.statuses[400] >= 40
    assert "Traceback" not in capfd.readouterr().err
