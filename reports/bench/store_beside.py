"""The store of this version beside that of another one, in turns and in the same run: bulk writing, lookup, queries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from claimeven.db.books.packed import NO_BOOK
from claimeven.reports.bench.search_beside import VersionError

PROCESS = Path(__file__).parent / "store_process.py"
QUERY = "query"
QUERIES = 5
"""Queries a round: they are short."""
MOVES = "4435"


@dataclass(frozen=True, slots=True)
class StoreBeside:
    """What two versions took for the same step, round by round, in seconds and in seconds of processor time."""

    step: str
    seconds: tuple[float, ...]
    cpu_seconds: tuple[float, ...]
    other_seconds: tuple[float, ...]
    other_cpu_seconds: tuple[float, ...]

    @property
    def share(self) -> float:
        """The median of this version's time as a share of the other's median.

        >>> StoreBeside("", (1, 2, 9), (1, 1, 1), (4, 4, 4), (1, 1, 1)).share
        0.5
        """
        return median(self.seconds) / median(self.other_seconds)

    @property
    def cpu_share(self) -> float:
        """The same of the processor time."""
        return median(self.cpu_seconds) / median(self.other_cpu_seconds)


def measure_beside(
    other: str, rows: int, rounds: int, seed: int, directory: Path
) -> tuple[list[StoreBeside], tuple[str, str]]:
    """Measure both versions in turns; also gives which they are. Raises VersionError for a Python without one."""
    pythons = (sys.executable, other)
    names: list[str] = ["", ""]
    spent: tuple[dict[str, list[list[float]]], ...] = ({}, {})
    for round_ in range(rounds):
        for place in (0, 1) if round_ % 2 == 0 else (1, 0):
            store = directory / f"{place}-{round_}.db"
            names[place], steps = _fill(pythons[place], store, rows, seed)
            steps[QUERY] = _ask(pythons[place], store)
            for step, times in steps.items():
                spent[place].setdefault(step, []).append(times)
            store.unlink()
    found = []
    for step in spent[0]:
        ours, theirs = (tuple(zip(*each[step], strict=True)) for each in spent)
        found.append(StoreBeside(step, ours[0], ours[1], theirs[0], theirs[1]))
    return found, (names[0], names[1])


def _fill(python: str, store: Path, rows: int, seed: int) -> tuple[str, dict[str, list[float]]]:
    # Isolated: neither this directory nor PYTHONPATH may decide which version is imported.
    command = [python, "-I", str(PROCESS), str(store), str(rows), str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        return str(found["version"]), dict(found["steps"])
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        words = str(getattr(error, "stderr", "") or error).strip().splitlines()[-1]
        raise _no_version(python, words) from error


def _ask(python: str, store: Path) -> list[float]:
    """Seconds and CPU seconds of a query as a process of its own, the medians of several."""
    command = [str(Path(python).parent / "claimeven"), "query", MOVES, "--db", str(store)]
    variables = os.environ | {NO_BOOK: "1"}  # it would contradict random values
    times: list[tuple[float, float]] = []
    for _ in range(QUERIES):
        start, before = time.perf_counter(), _cpu_of_children()
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=variables)
        except (OSError, subprocess.CalledProcessError) as error:
            raise _no_version(python, str(error)) from error
        times.append((time.perf_counter() - start, _cpu_of_children() - before))
    return [median(each) for each in zip(*times, strict=True)]


def _no_version(python: str, reason: str) -> VersionError:
    return VersionError(f"{python}: no version of claimeven can be measured there ({reason})")


def _cpu_of_children() -> float:
    """CPU seconds of all processes that were started here and have ended, 0 on Windows, which does not count them."""
    if sys.platform == "win32":
        return 0.0
    import resource  # os.times counts in hundredths of a second, a tenth of what a query takes

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def format_beside(
    found: Sequence[StoreBeside], rows: int, versions: tuple[str, str], rounds: int, run: Mapping[str, str]
) -> str:
    """A page with a row a step, and where it was measured."""
    lines = [
        "# Speed of the store beside another version",
        "",
        f"This is {versions[0]}, the other {versions[1]}; {rounds} rounds in turns, medians in seconds. {rows:,} "
        "positions of 7x6 are written in batches of 50,000 into a new SQLite file, ten batches of random ones of them "
        f"are looked up, all are read in order, and a query is a process of its own (median of {QUERIES} a round). A "
        "share below 1 means that this version is faster.",
        "",
        "| step | CPU s | other | share | s | other | share |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {each.step} | {median(each.cpu_seconds):.3f} | {median(each.other_cpu_seconds):.3f} | {each.cpu_share:.2f} "
        f"| {median(each.seconds):.3f} | {median(each.other_seconds):.3f} | {each.share:.2f} |"
        for each in found
    ]
    return "\n".join([*lines, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])
