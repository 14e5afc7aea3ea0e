"""A server for the tests of the API that do not ask for a special one."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from claimeven.db.books.packed import NO_BOOK
from tests.reports.web.serving import client_of, serve


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A server without a store; with the book, where a test takes its variable away: one for all of them must not."""
    with serve(uses_book=True) as served:
        yield served


@pytest.fixture
def client(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.delenv(NO_BOOK, raising=False)
    with client_of(address) as opened:
        yield opened
