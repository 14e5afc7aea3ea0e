"""A build that is killed at any moment, or has company, ends with the book of one that was left alone."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from pathlib import Path

import numpy as np
import pytest

from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from tests.scripts.processes import SMALL_BATCHES, finish, start
from tests.scripts.stores import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

BOARD, PLY, BATCH = Board(5, 4), 6, 64
BUILD = ["book", "build", "--board", str(BOARD), "--ply", str(PLY), "--memory", "1M"]
KEYS = np.concatenate(list(enumerate_ply(BOARD, PLY)))


def export(path: Path) -> bytes:
    out = path.with_suffix(".jsonl")
    result = run("book", "export", "--format", "jsonl", "--board", str(BOARD), "--db", str(path), "--out", str(out))
    assert result.exit_code == 0, result.output
    return out.read_bytes()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("undisturbed") / "book.db"
    assert run(*BUILD, "--db", str(path)).exit_code == 0
    return export(path)


def count_rows(path: Path) -> int:
    """The positions of the deepest ply that another process has stored by now."""
    if not path.exists():
        return 0
    try:
        connection = sqlite3.connect(path, timeout=5)
        try:
            return int(connection.execute("SELECT count(*) FROM positions WHERE ply = ?", (PLY,)).fetchone()[0])
        finally:
            connection.close()
    except sqlite3.OperationalError:  # there are no tables yet
        return 0


def kill_when_stored(path: Path, rows: int, seconds: float) -> bool:
    """Start a build and kill it some time after so many rows are stored; whether it had not ended before."""
    with start(*BUILD, "--db", str(path), program=SMALL_BATCHES) as process:
        while count_rows(path) < rows and process.poll() is None:
            time.sleep(0.002)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return process.returncode == -signal.SIGKILL


def check_kills(path: Path, moments: int, undisturbed: bytes, chance: random.Random) -> None:
    """Kill one build after the other, each of which goes on where the one before was; then let one finish."""
    killed = 0
    # Spread over the build, the first before anything is stored.
    for rows in sorted(chance.randrange(len(KEYS)) for _ in range(moments - 1)):
        killed += kill_when_stored(path, 0 if not killed else rows, chance.random() * 0.05)
        check_only_one_batch_is_open(path)
    killed += kill_when_stored(path, len(KEYS), 0.0)
    before = check_only_one_batch_is_open(path)
    status, _, diagnostics = finish(start(*BUILD, "--db", str(path), program=SMALL_BATCHES))
    assert status == 0, diagnostics
    assert "Traceback" not in diagnostics
    assert killed >= moments - 1  # the last one may have been too late
    with Store.open(path, writable=False) as store:
        last = store.runs()[-1]
        assert last.counts is not None
        assert (last.counts["positions"], last.counts["known"]) == (len(KEYS), before)
        assert sum(each.ended is None for each in store.runs()) <= killed
    assert export(path) == undisturbed


def check_only_one_batch_is_open(path: Path) -> int:
    """Nothing is stored that comes after more than one batch of open positions; gives the number of decided ones.

    A run makes its batches of what it finds open, so one may reach over what another run had decided.
    """
    if not path.exists() or not path.stat().st_size:
        return 0
    with Store.open(path) as store:
        known = store.lookup(BOARD, KEYS)
    open_places = np.flatnonzero(~known.is_exact)
    if len(open_places) > BATCH:
        assert not known.is_known[open_places[BATCH] :].any()
    return len(KEYS) - len(open_places)


def test_three_kills(tmp_path: Path, undisturbed: bytes) -> None:
    check_kills(tmp_path / "book.db", 3, undisturbed, random.Random(1))


@pytest.mark.slow
def test_twenty_kills(tmp_path: Path, undisturbed: bytes) -> None:
    check_kills(tmp_path / "book.db", 20, undisturbed, random.Random())


def test_two_builds_of_one_book_at_once(tmp_path: Path, undisturbed: bytes) -> None:
    path = tmp_path / "book.db"
    both = [start(*BUILD, "--db", str(path), program=SMALL_BATCHES) for _ in range(2)]
    for process in both:
        status, _, diagnostics = finish(process)
        assert status == 0, diagnostics
    assert export(path) == undisturbed
    with Store.open(path, writable=False) as store:
        runs = store.runs()
    assert len(runs) == 2
    for each in runs:
        assert each.counts is not None
        assert each.counts["positions"] == len(KEYS)


def test_two_builds_of_a_whole_board_at_once(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    build = ["book", "build", "--board", "4x4", "--ply", "16", "--db", str(path)]
    for process in [start(*build) for _ in range(2)]:
        status, _, diagnostics = finish(process)
        assert status == 0, diagnostics
    assert run("book", "check", "--board", "4x4", "--db", str(path)).exit_code == 0
