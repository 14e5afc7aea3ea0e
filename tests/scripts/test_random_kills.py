"""Runs killed at random moments, again and again: all but the position in work is kept, and nothing is wrong.

The small version of this, with three moments, is `test_lost_work`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from claimeven.db.books.packed import read_shipped_book
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.notation import parse_position
from claimeven.solver.positions import keys_of
from claimeven.solver.verdicts import VerdictBatch
from tests.scripts.test_lost_work import count_stored

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for the time that a process has used"),
]

MOMENTS = 30
MOST_SECONDS = 2.0
"""Of work lost beside the position that was being searched."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
GAMES = [f"{one}{two}{three}4{four}{five}" for one in "1234567" for two in "123" for three in "567" for four in "17"
         for five in "1234567"]  # fmt: skip


def cpu_seconds(process: int) -> float:
    """The time that a process has used: the clock on the wall says little where others work too."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_and_kill(command: list[str], path: Path, how: signal.Signals, moment: float) -> tuple[int, float]:
    """Let a command work on a store for so many seconds of its own time, whatever it has stored by then, and stop it.

    Gives how many positions are stored, and for how long it had worked since it stored the last, or since it began.
    """
    stored, last = count_stored(path), 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while True:
            assert process.poll() is None, f"{command} ended by itself"
            now, number = cpu_seconds(process.pid), count_stored(path)
            if number > stored:
                stored, last = number, now
            if now >= moment:
                break
            time.sleep(0.05)
        lost = cpu_seconds(process.pid) - last
        process.send_signal(how)
        process.wait(120)
    kept = count_stored(path)
    assert kept >= stored
    return kept, lost


def store_one(command: list[str], path: Path) -> None:
    """Let a command run until it has stored one more position."""
    before = count_stored(path)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while count_stored(path) == before:
            assert process.poll() is None, f"{command} ended by itself"
            time.sleep(0.1)
        process.kill()


def kill_again_and_again(command: list[str], path: Path, latest: float) -> None:
    """Stop a command at moments between its start and the latest one: only the position in work may be lost.

    A search has no state to keep, so a position that takes longer than a run is begun again by the next one.
    """
    store_one(command, path)  # so that kernels are compiled when moments are counted
    chance = random.Random(11)
    kept, losses = 0, []
    for number, how in zip(range(MOMENTS), cycle(SIGNALS), strict=False):
        moment = chance.uniform(0.5, latest)
        now, lost = run_and_kill(command, path, how, moment)
        print(
            f"{number + 1:>2}  {how.name:<8}at {moment:5.2f} s{now:>6} stored, {lost:5.2f} s since the last", flush=True
        )
        assert now >= kept
        kept = now
        losses.append(lost)
    store_one(command, path)  # what all of the last runs may have been at is then known to the store with its price
    with Store.open(str(path)) as store:
        dearest = max(effort.seconds for effort in store.read_efforts(Board()))
    few = sum(lost <= MOST_SECONDS for lost in losses)
    print(
        f"{few} of {MOMENTS} lost {MOST_SECONDS} s or less, {max(losses):.2f} s at most; the dearest: {dearest:.2f} s"
    )
    assert max(losses) <= MOST_SECONDS + dearest


def compare_with_book(path: Path, look_up: Callable[[Store], VerdictBatch]) -> int:
    """How many positions a store knows the value of, all of them as the book that comes along has it."""
    book = read_shipped_book()
    assert book is not None
    with Store.open(str(path)) as store:
        known = look_up(store)
    known = known.select(known.is_exact)
    expected = book.lookup(Board(), known.keys)
    assert expected.is_exact.all()
    assert (known.least == expected.least).all()
    return len(known)


def test_solve_into_a_store(tmp_path: Path) -> None:
    path, file = tmp_path / "store.db", tmp_path / "positions.txt"
    file.write_text("".join(f"{game}\n" for game in GAMES))
    command = [
        sys.executable,
        "-m",
        "claimeven",
        "solve",
        str(file),
        "--db",
        str(path),
        "--jobs",
        "1",
        "--memory",
        "2M",
        "--no-book",
    ]
    kill_again_and_again(command, path, latest=4.0)
    keys = keys_of(Board(), [parse_position(game, Board(), "columns") for game in GAMES])
    assert compare_with_book(path, lambda store: store.lookup(Board(), keys)) > MOMENTS


def test_book_of_hard_positions(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    command = [sys.executable, "-m", "claimeven", "book", "build", "--ply", "3", "--db", str(path), "--jobs", "1"]
    kill_again_and_again(command, path, latest=8.0)
    (keys,) = (keys for ply, keys in enumerate_plies(Board(), 3) if ply == 3)
    assert compare_with_book(path, lambda store: store.lookup(Board(), keys)) > 0
