"""A run that is stopped, by whatever means, keeps all but a second or two of its work, and goes on from there."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.solver.board import Board
from tests.scripts.stores import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

HARD = ("--memory", "2M", "--jobs", "1", "--no-book")
"""A small table makes early positions hard, so that each of them takes a noticeable time."""
FINDINGS = 1_000
"""So much is found of a position before it is stopped; going on from there takes a tenth less at the least."""


def count_stored(path: Path, table: str = layout.POSITION_TABLE) -> int:
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=30)
    try:
        (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(number)
    except sqlite3.OperationalError:  # its tables are not made yet
        return 0
    finally:
        connection.close()


def wait_for(
    path: Path,
    number: int,
    process: subprocess.Popen[bytes],
    table: str = layout.POSITION_TABLE,
    seconds: float = 120,
) -> None:
    until = time.monotonic() + seconds
    while count_stored(path, table) < number:
        assert process.poll() is None, "it ended before it was stopped"
        assert time.monotonic() < until, "it stored nothing"
        time.sleep(0.1)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_solve_keeps_what_it_has_decided_and_printed(how: signal.Signals, tmp_path: Path) -> None:
    path, file, out = tmp_path / "store.db", tmp_path / "positions.txt", tmp_path / "answers"
    games = [f"{one}{two}" for one in "123" for two in "1234567"]
    file.write_text("".join(f"{game}\n" for game in games))
    lines = file.read_text().splitlines()
    command = [sys.executable, "-m", "claimeven", "solve", str(file), "--db", str(path), *HARD]
    with out.open("wb") as answers, subprocess.Popen(command, stdout=answers, stderr=subprocess.PIPE) as process:
        wait_for(path, 3, process)
        process.send_signal(how)
        process.wait(30)
    stored = count_stored(path)
    printed = out.read_text().splitlines()
    # What is printed is stored; what is stored is printed but for what waits for a line before it.
    assert 0 < stored < len(lines)
    assert len(printed) <= stored
    assert [line.split()[0] for line in printed] == lines[: len(printed)]
    again = run("solve", str(file), "--db", str(path), "--no-book")
    assert again.exit_code == 0
    assert again.stdout.splitlines()[: len(printed)] == printed


def test_a_book_of_hard_positions_is_stored_as_it_is_decided(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    command = [sys.executable, "-m", "claimeven", "book", "build", "--ply", "6", "--db", str(path), "--memory", "2M"]
    with subprocess.Popen([*command, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(path, 2, process)
        time.sleep(2)
        process.kill()
    first = count_stored(path)
    with subprocess.Popen([*command, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(path, first + 1, process)
        process.kill()
    assert count_stored(path) > first


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_the_position_in_work_is_gone_on_with(how: signal.Signals, tmp_path: Path) -> None:
    """One that takes seconds, with a table that is much too small for it."""
    path, whole = tmp_path / "store.db", tmp_path / "whole.db"
    options = [*HARD, *(["--score"] if how is signal.SIGTERM else [])]
    assert run("solve", "3", "--db", str(whole), *options).exit_code == 0
    command = [sys.executable, "-m", "claimeven", "solve", "3", "--db", str(path), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(path, FINDINGS, process, layout.FINDING_TABLE)
        process.send_signal(how)
        process.wait(30)
    assert count_stored(path) == 0
    assert count_stored(path, layout.FINDING_TABLE) >= FINDINGS
    query = run("query", "3", "--db", str(path), "--no-book")
    assert "draw" not in query.stdout  # what was found on the way is no verdict
    again = run("solve", "3", "--db", str(path), *options)
    assert again.exit_code == 0
    assert again.stdout == run("solve", "3", "--db", str(whole), *options).stdout
    assert nodes_of(path) < nodes_of(whole) * 0.95
    assert count_stored(path, layout.FINDING_TABLE) == 0
    assert run("verify", "--db", str(path)).exit_code == 0


def nodes_of(path: Path) -> int:
    """What the dearest position took in the run that decided it."""
    with Store.open(path, writable=False) as store:
        return store.read_efforts(Board())[0].nodes
