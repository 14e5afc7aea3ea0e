"""What the store's bench measures is there, and the page says it."""

from __future__ import annotations

import sys
from pathlib import Path

from claimeven.db.store import Store
from claimeven.reports.bench.store_speed import format_store_speeds, measure_store
from claimeven.solver.board import Board

QUERY = [sys.executable, "-m", "claimeven", "query"]


def test_a_store_of_the_wanted_size_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    speed = measure_store(path, 10_000, 1, QUERY)
    with Store.open(path, writable=False) as store:
        assert sum(store.count_positions(Board()).values()) == 10_000
    assert speed.bytes_per_position == path.stat().st_size / 10_000
    assert min(speed.written_per_second, speed.looked_up_per_second, speed.read_per_second) > 1000
    assert 0 < speed.interpreter_seconds <= speed.query_seconds <= speed.query_worst
    assert f"| 10,000 | {speed.written_per_second:,.0f} |" in format_store_speeds([speed], {"commit": "x"})


def test_no_argument_of_a_query_names_the_store(tmp_path: Path) -> None:
    path, told = tmp_path / "secret.db", tmp_path / "told"
    program = (
        "import os, pathlib, sys\n"
        f"pathlib.Path({str(told)!r}).write_text(os.environ['CLAIMEVEN_DB'] + ' '.join(sys.argv))"
    )
    measure_store(path, 100, 1, [sys.executable, "-c", program])
    assert told.read_text() == f"{path}-c 4435 --no-book"
