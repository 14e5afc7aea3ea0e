"""What the tests of clusters share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.processes import Machines, machines


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Machines]:
    """A scheduler and room for workers, as processes of their own."""
    with machines(tmp_path) as started:
        yield started
