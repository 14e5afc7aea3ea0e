"""The explorer as it is served: a real server on loopback, in a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from claimeven.db.location import StoreLocation
from claimeven.reports.web.app import make_app
from claimeven.reports.web.known import Known
from claimeven.reports.web.limits import Limits
from claimeven.reports.web.listening import listen

COMPILING = 600.0
"""Seconds after which kernels are there on the slowest of machines."""
HARD = {"pos": "44", "board": "8x7"}
"""A position that no search of seconds decides."""


@contextmanager
def serve(
    store: StoreLocation | None = None,
    *,
    limits: Limits | None = None,
    uses_book: bool = False,
    writes: bool = False,
    waits: bool = True,
) -> Iterator[str]:
    """The address of a server that runs until the end of the block; it `waits` until all kernels are compiled."""
    uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed; it is in the extra 'web'")
    app = make_app(Known(store, uses_book=uses_book, writes=writes), limits or Limits(threads=1))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        for _ in range(600):
            if server.started or not thread.is_alive():
                break
            time.sleep(0.05)
        assert server.started
        until = time.monotonic() + COMPILING
        while waits and not app.state.explorer.kernels.are_ready:
            assert time.monotonic() < until
            time.sleep(0.01)
        yield address
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def client_of(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        yield client


def wait_until_idle(client: httpx.Client) -> None:
    """Wait until no search is under way."""
    for _ in range(200):
        if client.get("/status").json()["searches"] == 0:
            return
        time.sleep(0.05)
    pytest.fail("a search goes on that nobody waits for")
