"""What the tests of the report share: a store that is made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.stores import make_report_store


@pytest.fixture(scope="session")
def report_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two boards, for reading only."""
    return make_report_store(tmp_path_factory.mktemp("report") / "store.db")
