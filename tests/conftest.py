"""What holds for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.location import VARIABLE


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own: none may touch the one of whoever runs it."""
    store = tmp_path / "own-store.db"
    monkeypatch.setenv(VARIABLE, str(store))
    return store
