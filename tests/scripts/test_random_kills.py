"""Runs killed at random moments, again and again: all but about two seconds of work is kept, and nothing is wrong.

Work is counted in seconds of the processor. A chain of killed runs must come as far as a run that is left alone, for at
most two seconds and a start more a kill. The small version of this, with three moments, is `test_lost_work`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
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
"""Of work lost by a kill."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
GAMES = [f"{one}{two}{three}4{four}{five}" for one in "1234567" for two in "123" for three in "567" for four in "17"
         for five in "1234567"]  # fmt: skip
SOLVE = [sys.executable, "-m", "claimeven", "solve"]
ALONE = ["--jobs", "1", "--no-book"]


def cpu_seconds(process: int) -> float:
    """The time that a process has used: the clock on the wall says little where others work too."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def listen() -> None:
    """Let Ctrl-C be heard, which is ignored by what was started in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def run_until(
    command: list[str], is_enough: Callable[[int], bool], how: signal.Signals = signal.SIGKILL
) -> tuple[float, bool]:
    """Let a command run until something is true of its process, and stop it; gives its seconds, and whether it ended
    by itself before that.
    """
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=listen)
    is_stopped = False
    while True:
        number, status, used = os.wait4(process.pid, os.WNOHANG)
        if number:
            process.returncode = os.waitstatus_to_exitcode(status)
            assert is_stopped or process.returncode == 0, f"{command} failed"
            return used.ru_utime + used.ru_stime, not is_stopped
        if not is_stopped and is_enough(process.pid):
            process.send_signal(how)
            is_stopped = True
        time.sleep(0.02)


def start_seconds(path: Path) -> float:
    """What a command takes before it has anything to do: twice, as the first one may compile."""
    command = [*SOLVE, "4444445267", "--db", str(path), *ALONE]
    run_until(command, lambda process: False)
    path.unlink()
    return run_until(command, lambda process: False)[0]


def kill_again_and_again(command: Callable[[Path], list[str]], folder: Path, latest: float) -> Path:
    """Stop a command at moments up to the latest one, of its own time, then compare with one that is left alone.

    Gives the store of the chain. It is compared at a moment at which both have just stored a position, or at the end.
    """
    start = start_seconds(folder / "start.db")
    path, other = folder / "chain.db", folder / "alone.db"
    chance, total, is_over, kills, last = random.Random(11), 0.0, False, 0, 0
    for how in islice(cycle(SIGNALS), MOMENTS):
        moment = chance.uniform(0.5, latest)
        used, is_over = run_until(command(path), lambda process, at=moment: cpu_seconds(process) >= at, how)  # type: ignore[misc]
        total += used
        if is_over:
            break
        kills += 1
        assert count_stored(path) >= last
        last = count_stored(path)
        findings = count_stored(path, "findings")
        print(f"{kills:>2}  {how.name:<8}at {used:5.2f} s{last:>6} stored, {findings:,} on the way", flush=True)
    if not is_over:
        used, is_over = run_until(command(path), lambda process: count_stored(path) > last)
        total += used
    target = count_stored(path)
    alone, _ = run_until(command(other), lambda process: not is_over and count_stored(other) >= target)
    lost = (total - alone) / kills - start
    print(
        f"{kills} kills, {target} stored: {total:.1f} s, left alone {alone:.1f} s, a start {start:.2f} s; "
        f"lost by a kill: {lost:.2f} s"
    )
    assert kills >= 3
    assert lost <= MOST_SECONDS
    return path


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
    file = tmp_path / "positions.txt"
    file.write_text("".join(f"{game}\n" for game in GAMES))
    path = kill_again_and_again(
        lambda path: [*SOLVE, str(file), "--db", str(path), "--memory", "2M", *ALONE], tmp_path, latest=4.0
    )
    keys = keys_of(Board(), [parse_position(game, Board(), "columns") for game in GAMES])
    assert compare_with_book(path, lambda store: store.lookup(Board(), keys)) > MOMENTS


@pytest.mark.parametrize("options", [[], ["--score"]], ids=["value", "score"])
def test_solve_one_hard_position(options: list[str], tmp_path: Path) -> None:
    path = kill_again_and_again(
        lambda path: [*SOLVE, "12", "--db", str(path), "--memory", "32M", *ALONE, *options], tmp_path, latest=6.0
    )
    keys = keys_of(Board(), [parse_position("12", Board(), "columns")])
    compare_with_book(path, lambda store: store.lookup(Board(), keys))


def test_book_of_hard_positions(tmp_path: Path) -> None:
    book = [sys.executable, "-m", "claimeven", "book", "build", "--ply", "3", "--jobs", "1"]
    path = kill_again_and_again(lambda path: [*book, "--db", str(path)], tmp_path, latest=8.0)
    (keys,) = (keys for ply, keys in enumerate_plies(Board(), 3) if ply == 3)
    assert compare_with_book(path, lambda store: store.lookup(Board(), keys)) > 0
