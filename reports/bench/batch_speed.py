"""How fast `claimeven solve` goes through a file, and how much memory it takes, beside an older version and bitbully.

Every run is a process of its own. What a process takes for a file of one line, the start, is measured too and taken
off, so that lines a second are those of the work.
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
MIDDLE = (24, 34)
LATE = (36, 40)
"""Stones of the positions: the first have to be searched for, the last are decided at once."""
GAMES = 20_000
"""Games played at once."""


@dataclass(frozen=True, slots=True)
class BatchCase:
    """A way to solve a file: what is measured, the options of `solve`, and whether every thousandth line is broken."""

    name: str
    options: tuple[str, ...]
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class BatchSpeed:
    """One run of `solve`: lines in and out, those answered with `invalid`, seconds of wall time, peak memory."""

    name: str
    version: str
    lines: int
    answered: int
    invalid: int
    expected_invalid: int
    status: int
    seconds: float
    start_seconds: float
    cpu_seconds: float
    peak_bytes: int

    @property
    def lines_per_second(self) -> float:
        """Lines a second without the start."""
        return self.lines / max(self.seconds - self.start_seconds, 1e-3)

    @property
    def is_right(self) -> bool:
        """Whether every line was answered, and the broken ones, and no others, with `invalid`."""
        is_counted = self.answered == self.lines and self.invalid == self.expected_invalid
        return is_counted and self.status == int(self.expected_invalid > 0)


def random_lines(
    number: int, seed: int, stones: tuple[int, int] = LATE, broken_every: int | None = BROKEN_EVERY
) -> Iterator[str]:
    """Lines of 7x6 positions of random games with so many stones, every thousandth of them broken.

    >>> lines = list(random_lines(2000, seed=1))
    >>> len(lines), [number for number, line in enumerate(lines, 1) if not set(line) <= set("1234567")]
    (2000, [1000, 2000])
    """
    chance = np.random.default_rng(seed)
    made = 0
    while True:
        for game in _random_games(Board(), chance, stones):
            made += 1
            yield game + "?" if broken_every is not None and made % broken_every == 0 else game
            if made == number:
                return


def measure_solve(version: str, command: Sequence[str], case: BatchCase, file: Path, output: Path) -> BatchSpeed:
    """Run `solve` on a file of such lines, and on its first line alone, each as a process of its own."""
    with file.open(encoding="utf-8") as stream:
        lines = sum(1 for _ in stream)
    single = file.with_name("single-line.txt")
    with file.open(encoding="utf-8") as stream:
        single.write_text(stream.readline(), encoding="utf-8")
    start = min(_run([*command, *case.options], single, output)[0] for _ in range(2))
    seconds, status, cpu_seconds, peak = _run([*command, *case.options], file, output)
    with output.open(encoding="utf-8") as stream:
        answers = [line.endswith(" invalid\n") for line in stream]
    return BatchSpeed(
        name=case.name,
        version=version,
        lines=lines,
        answered=len(answers),
        invalid=sum(answers),
        expected_invalid=lines // BROKEN_EVERY if case.is_broken else 0,
        status=status,
        seconds=seconds,
        start_seconds=start,
        cpu_seconds=cpu_seconds,
        peak_bytes=peak,
    )


def measure_parsing(file: Path) -> float:
    """Lines a second that become arrays, in this process."""
    from claimeven.solver.notation.stream import LineStream

    content = file.read_bytes()
    LineStream(Board()).read(content[:1000])
    start = time.perf_counter()
    lines = LineStream(Board()).read(content)
    return len(lines) / (time.perf_counter() - start)


def measure_rule_kernel(file: Path, threads: int) -> float:
    """Positions a second of the nine rules alone, in this process: what `--engine rules` is held against."""
    from claimeven.solver.notation.stream import LineStream
    from claimeven.solver.proof.proof_batch import prove_many

    lines = LineStream(Board()).read(file.read_bytes())
    prove_many(Board(), lines.white[:10], lines.black[:10], threads=threads, certificates=False)
    start = time.perf_counter()
    prove_many(Board(), lines.white, lines.black, threads=threads, certificates=False)
    return len(lines) / (time.perf_counter() - start)


def measure_yardstick(file: Path, number: int) -> float:
    """Exact scores a second of bitbully, on one thread and without its book, for the first lines of a file."""
    from claimeven.reports.bench.search_speed import Yardstick

    with file.open(encoding="utf-8") as stream:
        texts = [line.strip() for line, _ in zip(stream, range(number), strict=False)]
    yardstick = Yardstick()
    yardstick.score(texts[0])
    start = time.perf_counter()
    for text in texts:
        yardstick.score(text)
    return len(texts) / (time.perf_counter() - start)


def format_batch_speeds(speeds: Sequence[BatchSpeed], rates: Mapping[str, float], run: Mapping[str, str]) -> str:
    """A page with one row a run, the rates that they are held against, and where it was measured."""
    rows = [
        "# `claimeven solve` on files",
        "",
        f"Random 7x6 positions, one a line: *middle* ones have {MIDDLE[0]} to {MIDDLE[1]} stones, *late* ones "
        f"{LATE[0]} to {LATE[1]}, and every {BROKEN_EVERY:,}th of their lines is broken. A process of its own each, "
        "kernels compiled before. `start` is what the same command takes for one line; lines a second are without it. "
        "Peak is the largest resident size.",
        "",
        "| what | version | lines | seconds | start | CPU s | lines/s | peak MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {speed.name} | {speed.version} | {speed.lines:,} | {speed.seconds:,.2f} | {speed.start_seconds:,.2f} "
        f"| {speed.cpu_seconds:,.2f} | {speed.lines_per_second:,.0f} | {speed.peak_bytes / 2**20:,.0f} |"
        for speed in speeds
    ]
    rows += ["", "| for scale, in this process | positions/s |", "|---|--:|"]
    rows += [f"| {name} | {rate:,.0f} |" for name, rate in rates.items()]
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _run(command: Sequence[str], file: Path, output: Path) -> tuple[float, int, float, int]:
    """Seconds, status, CPU seconds and peak bytes of a command on a file."""
    start = time.perf_counter()
    with (
        output.open("wb") as out,
        subprocess.Popen([*command, str(file)], stdout=out, stderr=subprocess.DEVNULL) as run,
    ):
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    return seconds, run.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def _random_games(board: Board, chance: np.random.Generator, stones: tuple[int, int]) -> Iterator[str]:
    """Games of random moves, none of them a winning one, up to a random ply; those that cannot go on are left out."""
    least, greatest = stones
    keys = np.repeat(as_keys([Position.start(board).key]), GAMES)
    length = chance.integers(least, greatest, size=GAMES, endpoint=True)
    played = np.zeros((greatest, GAMES), dtype=np.uint8)
    goes_on = np.ones(GAMES, dtype=np.bool_)
    names = np.frombuffer(alphabet(board).encode(), dtype=np.uint8)
    for ply in range(greatest):
        split = split_keys(board, keys)
        moves = [play_column(board, split, column) for column in range(board.columns)]
        allowed = np.array([move.legal & ~move.wins for move in moves])
        chosen = np.argmax(np.where(allowed, chance.random(allowed.shape), -1.0), axis=0)
        goes_on &= allowed.any(axis=0) | (ply >= length)
        played[ply] = names[chosen]
        keys = np.where(goes_on & (ply < length), np.choose(chosen, [move.keys for move in moves]), keys)
    for game in np.flatnonzero(goes_on):
        yield played[: length[game], game].tobytes().decode()
