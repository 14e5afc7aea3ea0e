"""What holds for all tests."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from claimeven.db.location import VARIABLE


def pytest_configure() -> None:
    # Shells let what they start in the background ignore Ctrl-C, and the processes that tests start would inherit that.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own: none may touch the one of whoever runs it."""
    store = tmp_path / "own-store.db"
    monkeypatch.setenv(VARIABLE, str(store))
    return store
