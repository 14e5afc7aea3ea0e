"""Kernels are compiled while the server answers: who needs none is not kept waiting, who needs one waits for it."""

from __future__ import annotations

import asyncio
import threading

import httpx
import pytest

from claimeven.db.books.packed import NO_BOOK
from claimeven.reports.web import kernels
from claimeven.reports.web.kernels import Kernels
from tests.reports.web.serving import client_of, serve


def test_each_is_ready_in_its_turn() -> None:
    async def run() -> None:
        gate = threading.Event()

        def fail() -> None:
            raise RuntimeError("no kernel")

        loading = Kernels({"one": lambda: None, "two": fail, "three": gate.wait})
        assert not loading.is_ready("one")
        assert loading.is_ready("anything else")
        loading.begin()
        await loading.wait("one")
        await loading.wait("two")
        assert loading.is_ready("two")
        await loading.wait("three", 0.05)
        assert not loading.are_ready
        gate.set()
        await loading.wait("three")
        assert loading.are_ready

    asyncio.run(run())


def test_the_end_of_the_server_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Who waits for a kernel when the server is stopped gets an answer, and the log no traceback."""
    gate, is_asked = threading.Event(), threading.Event()
    wait = Kernels.wait

    async def note(loading: Kernels, name: str, seconds: float | None = None) -> None:
        is_asked.set()
        await wait(loading, name, seconds)

    monkeypatch.setattr(Kernels, "wait", note)
    monkeypatch.setattr(kernels, "_steps", lambda: {kernels.PROOFS: gate.wait})
    answers: list[httpx.Response] = []

    def ask(address: str) -> None:
        with client_of(address) as client:
            answers.append(client.get("/prove", params={"pos": "12"}))

    with serve(waits=False) as address:
        asking = threading.Thread(target=ask, args=(address,))
        asking.start()
        assert is_asked.wait(60)
    asking.join()
    gate.set()
    assert [(each.status_code, each.json()["type"]) for each in answers] == [(503, "urn:claimeven:problem:stopping")]
    assert "Traceback" not in capfd.readouterr().err


def test_known_positions_are_answered_while_kernels_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NO_BOOK, raising=False)
    gate = threading.Event()
    steps = kernels._steps() | {kernels.SEARCH: gate.wait}
    monkeypatch.setattr(kernels, "_steps", lambda: steps)
    with serve(uses_book=True, waits=False) as address, client_of(address) as client:
        assert client.get("/solve", params={"pos": "475"}).json()["score"] == [-18, -2, -2, -18, -18, -2, -18]
        assert client.get("/status").json()["compiling"] is True
        with client.stream(
            "GET", "/analyze", params={"pos": "4344445323"}, headers={"Accept": "text/event-stream"}
        ) as response:
            lines = response.iter_lines()
            assert next(lines) == "event: progress"
            assert '"compiling": true' in next(lines)
            gate.set()
            assert any('"whole": true' in line for line in lines)
