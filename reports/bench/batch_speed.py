"""How fast `claimeven solve` goes through a file, and how much memory it takes, beside an older version and bitbully.

Every run is a process of its own. What a process takes for a file of one line, the start, is measured too and taken
off, so that lines a second are those of the work.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import PIPE

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.notation.columns import alphabet
from claimeven.solver.position import Position
from claimeven.solver.positions import as_keys, play_column, split_keys

BROKEN_EVERY = 1000
STARTS = 2
"""How often a single line is solved, to know what the start of the command takes."""
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
    start_cpu_seconds: float
    peak_bytes: int

    @property
    def lines_per_second(self) -> float:
        """Lines a second without the start."""
        return self.lines / max(self.seconds - self.start_seconds, 1e-3)

    @property
    def cpu_a_line(self) -> float:
        """Microseconds of CPU time a line without the start: what other programs on the machine change least."""
        return 1e6 * max(self.cpu_seconds - self.start_cpu_seconds, 0.0) / self.lines

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
    starts = [_run([*command, *case.options], single, output) for _ in range(STARTS)]
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
        start_seconds=min(start[0] for start in starts),
        cpu_seconds=cpu_seconds,
        start_cpu_seconds=min(start[2] for start in starts),
        peak_bytes=peak,
    )


def best_of_rounds(speeds: Iterable[BatchSpeed]) -> list[BatchSpeed]:
    """One speed a case and version: the least times of all rounds, as whatever else runs only adds to them."""
    best: dict[tuple[str, str, int], BatchSpeed] = {}
    for speed in speeds:
        case = speed.name, speed.version, speed.lines
        other = best.get(case, speed)
        best[case] = replace(
            speed,
            seconds=min(speed.seconds, other.seconds),
            start_seconds=min(speed.start_seconds, other.start_seconds),
            cpu_seconds=min(speed.cpu_seconds, other.cpu_seconds),
            start_cpu_seconds=min(speed.start_cpu_seconds, other.start_cpu_seconds),
            peak_bytes=max(speed.peak_bytes, other.peak_bytes),
        )
    return list(best.values())


def measure_parsing(file: Path) -> float:
    """Lines a second that become arrays, in this process."""
    from claimeven.solver.notation.stream import LineStream

    content = file.read_bytes()
    number = len(LineStream(Board()).read(content))
    return number / _least_seconds(lambda: LineStream(Board()).read(content))


def measure_rule_kernel(file: Path, threads: int) -> float:
    """Positions a second of the nine rules alone, in this process: what `--engine rules` is held against."""
    from claimeven.solver.notation.stream import LineStream
    from claimeven.solver.proof.proof_batch import prove_many

    lines = LineStream(Board()).read(file.read_bytes())
    prove_many(Board(), lines.white[:10], lines.black[:10], threads=threads, certificates=False)
    return len(lines) / _least_seconds(
        lambda: prove_many(Board(), lines.white, lines.black, threads=threads, certificates=False)
    )


def measure_yardstick(file: Path, number: int) -> float:
    """Exact scores a second of bitbully, on one thread and without its book, for the first lines of a file."""
    from claimeven.reports.bench.search_speed import Yardstick

    with file.open(encoding="utf-8") as stream:
        texts = [line.strip() for line, _ in zip(stream, range(number), strict=False)]
    yardstick = Yardstick()

    def score_all() -> None:
        for text in texts:
            yardstick.score(text)

    return len(texts) / _least_seconds(score_all)


def format_batch_speeds(
    speeds: Sequence[BatchSpeed], rates: Mapping[str, float], rounds: int, run: Mapping[str, str]
) -> str:
    """A page with one row a case and version, the rates that they are held against, and where it was measured."""
    rows = [
        "# `claimeven solve` on files",
        "",
        f"Random 7x6 positions, one a line: *middle* ones have {MIDDLE[0]} to {MIDDLE[1]} stones, *late* ones "
        f"{LATE[0]} to {LATE[1]}, and every {BROKEN_EVERY:,}th of their lines is broken. A process of its own each, "
        "kernels compiled before. `start` is what the same command takes for one line; lines a second, and "
        "microseconds of CPU time a line, are without it. *Many* are ten times as many lines, next to which the start "
        "and its chances count for little; they are other positions, but for those that are known, which are the same "
        "again. Peak is the largest resident size. "
        f"The least times of {rounds} {'round' if rounds == 1 else 'rounds'}, versions in turns; `times` is how "
        "many times as fast as the other version.",
        "",
        "| what | version | lines | seconds | start | CPU s | lines/s | times | CPU µs a line | peak MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    best = best_of_rounds(speeds)
    rows += [
        f"| {speed.name} | {speed.version} | {speed.lines:,} | {speed.seconds:,.2f} | {speed.start_seconds:,.2f} "
        f"| {speed.cpu_seconds:,.2f} | {speed.lines_per_second:,.0f} | {_times(speed, best)} "
        f"| {speed.cpu_a_line:,.1f} | {speed.peak_bytes / 2**20:,.0f} |"
        for speed in best
    ]
    rows += ["", "| for scale, in this process | positions/s |", "|---|--:|"]
    rows += [f"| {name} | {rate:,.0f} |" for name, rate in rates.items()]
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _times(speed: BatchSpeed, speeds: Iterable[BatchSpeed]) -> str:
    """How many times as fast as the other version this one is at the same case, if both were measured."""
    for other in speeds:
        if (
            speed.version == "this"
            and other.version != "this"
            and (other.name, other.lines) == (speed.name, speed.lines)
        ):
            return f"{speed.lines_per_second / other.lines_per_second:.1f}"
    return ""


_MEASURE = """
import os, subprocess, sys, time
start = time.perf_counter()
run = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(run.pid, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, file=sys.stderr)
os._exit(os.waitstatus_to_exitcode(status))
"""
"""What starts the command and tells seconds, CPU seconds and peak bytes.

A small process: what is started begins with the peak of the one that starts it.
"""


def _least_seconds(work: Callable[[], object], times: int = 3) -> float:
    """The seconds of the quickest of a few turns."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _run(command: Sequence[str], file: Path, output: Path) -> tuple[float, int, float, int]:
    """Seconds, status, CPU seconds and peak bytes of a command on a file."""
    with (
        output.open("wb") as out,
        subprocess.Popen([sys.executable, "-c", _MEASURE, *command, str(file)], stdout=out, stderr=PIPE) as run,
    ):
        assert run.stderr is not None
        seconds, cpu_seconds, peak = map(float, run.stderr.read().split())
    return seconds, run.returncode, cpu_seconds, int(peak)


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
