"""How fast `claimeven solve` goes through a long file, and how much memory it takes for that.

The lines are late positions of random games, which search decides at once, so that what is measured is everything else:
reading, deciding without a proof, the store, writing. Every thousandth line is broken.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.enumeration import as_keys, play_column, split_keys
from claimeven.solver.notation.columns import alphabet
from claimeven.solver.position import Position

BROKEN_EVERY = 1000
LEAST_PLY, GREATEST_PLY = 36, 40
GAMES = 20_000
"""Games played at once."""


@dataclass(frozen=True, slots=True)
class BatchSpeed:
    """One run of `solve`: lines in and out, those answered with `invalid`, seconds of wall time, peak memory."""

    name: str
    lines: int
    answered: int
    invalid: int
    status: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int

    @property
    def lines_per_second(self) -> float:
        return self.lines / self.seconds

    @property
    def is_right(self) -> bool:
        """Whether every line was answered, and the broken ones, and no others, with `invalid`."""
        broken = self.lines // BROKEN_EVERY
        return self.answered == self.lines and self.invalid == broken and self.status == int(broken > 0)


def random_lines(number: int, seed: int) -> Iterator[str]:
    """Lines of 7x6 positions with few empty squares, every thousandth of them broken.

    >>> lines = list(random_lines(2000, seed=1))
    >>> len(lines), [number for number, line in enumerate(lines, 1) if not set(line) <= set("1234567")]
    (2000, [1000, 2000])
    """
    chance = np.random.default_rng(seed)
    made = 0
    while True:
        for game in _random_games(Board(), chance):
            made += 1
            yield game + "?" if made % BROKEN_EVERY == 0 else game
            if made == number:
                return


def measure_solve(name: str, command: Sequence[str], file: Path, output: Path) -> BatchSpeed:
    """Run a command on a file of such lines, as a process of its own, and look at what it wrote."""
    with file.open(encoding="utf-8") as stream:
        lines = sum(1 for _ in stream)
    start = time.perf_counter()
    with (
        output.open("wb") as out,
        subprocess.Popen([*command, str(file)], stdout=out, stderr=subprocess.DEVNULL) as run,
    ):
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    with output.open(encoding="utf-8") as stream:
        answers = [line.endswith(" invalid\n") for line in stream]
    return BatchSpeed(
        name=name,
        lines=lines,
        answered=len(answers),
        invalid=sum(answers),
        status=run.returncode,
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_bytes=usage.ru_maxrss * 1024,
    )


def format_batch_speeds(speeds: Sequence[BatchSpeed], run: Mapping[str, str]) -> str:
    """A page with one row a run, and where it was measured."""
    rows = [
        "# Long input of `claimeven solve`",
        "",
        f"7x6 positions with {LEAST_PLY} to {GREATEST_PLY} stones, one a line, every {BROKEN_EVERY:,}th line broken. A "
        "process of its own each, start included; peak is the largest resident size.",
        "",
        "| store | lines | answers | invalid | seconds | CPU s | lines/s | peak MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {speed.name} | {speed.lines:,} | {speed.answered:,} | {speed.invalid:,} | {speed.seconds:,.1f} "
        f"| {speed.cpu_seconds:,.1f} | {speed.lines_per_second:,.0f} | {speed.peak_bytes / 2**20:,.0f} |"
        for speed in speeds
    ]
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _random_games(board: Board, chance: np.random.Generator) -> Iterator[str]:
    """Games of random moves, none of them a winning one, up to a random ply; those that cannot go on are left out."""
    keys = np.repeat(as_keys([Position.start(board).key]), GAMES)
    length = chance.integers(LEAST_PLY, GREATEST_PLY, size=GAMES, endpoint=True)
    played = np.zeros((GREATEST_PLY, GAMES), dtype=np.uint8)
    goes_on = np.ones(GAMES, dtype=np.bool_)
    names = np.frombuffer(alphabet(board).encode(), dtype=np.uint8)
    for ply in range(GREATEST_PLY):
        stones = split_keys(board, keys)
        moves = [play_column(board, stones, column) for column in range(board.columns)]
        allowed = np.array([move.legal & ~move.wins for move in moves])
        chosen = np.argmax(np.where(allowed, chance.random(allowed.shape), -1.0), axis=0)
        goes_on &= allowed.any(axis=0) | (ply >= length)
        played[ply] = names[chosen]
        keys = np.where(goes_on & (ply < length), np.choose(chosen, [move.keys for move in moves]), keys)
    for game in np.flatnonzero(goes_on):
        yield played[: length[game], game].tobytes().decode()
