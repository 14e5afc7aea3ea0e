"""Exact search of this version beside that of another one, in turns and in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from claimeven.reports.bench.search_speed import QUESTIONS
from claimeven.reports.bench.suites import SuitePosition
from claimeven.solver.verdict import Value

PROCESS = Path(__file__).parent / "search_process.py"


class VersionError(RuntimeError):
    """A Python in which no version of this program can be measured."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What two versions took for the same positions, round by round; times are in seconds.

    `wrong` and `other_wrong` are of all rounds.
    """

    name: str
    kind: str
    positions: int
    threads: int
    seconds: tuple[float, ...]
    cpu_seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    wrong: int
    other_seconds: tuple[float, ...]
    other_cpu_seconds: tuple[float, ...]
    other_nodes: tuple[int, ...]
    other_wrong: int

    @property
    def ratios(self) -> list[float]:
        """How many times as fast this version is, in every round, the least first.

        >>> SideBySide("", "", 1, 1, (1, 2), (1, 2), (1, 1), 0, (3, 4), (3, 4), (1, 1), 0).ratios
        [2.0, 3.0]
        """
        return sorted(other / ours for ours, other in zip(self.seconds, self.other_seconds, strict=True))


class Version:
    """A running process of one version."""

    def __init__(self, python: str) -> None:
        self._python = python
        # Isolated: neither this directory nor PYTHONPATH may decide which version is imported.
        self._process = subprocess.Popen(
            [python, "-I", str(PROCESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

        self.description: str = self._read()

    def ask(self, kind: str, suite: Sequence[SuitePosition], threads: int, memory_bytes: int) -> dict[str, Any]:
        """What the positions of a suite cost, and the answers."""
        question = {
            "board": str(suite[0].position.board),
            "kind": kind,
            "moves": [entry.moves for entry in suite],
            "threads": threads,
            "memory": memory_bytes,
        }
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, which reading from it tells
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        found: dict[str, Any] = self._read()
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            said = self._process.communicate()[1].strip().splitlines()
            raise VersionError(f"{self._python}: {said[-1] if said else 'it does not answer'}")
        return json.loads(line)


@contextmanager
def two_versions(python: str) -> Iterator[tuple[Version, Version]]:
    """This version, and the one that is installed where `python` is."""
    started: list[Version] = []
    try:
        for each in (sys.executable, python):
            try:
                started.append(Version(each))
            except OSError as error:
                raise VersionError(f"{each}: {error.strerror or error}") from None
        yield started[0], started[1]
    finally:
        for version in started:
            version.close()


def measure_side_by_side(
    versions: tuple[Version, Version],
    name: str,
    kind: str,
    suite: Sequence[SuitePosition],
    threads: int,
    memory_bytes: int,
    rounds: int,
) -> SideBySide:
    """Solve a suite by both versions in turns, every time from an empty table, and compare every answer with it."""
    ours: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for round_ in range(rounds):
        for version, found in ((versions[0], ours), (versions[1], others))[:: 1 if round_ % 2 == 0 else -1]:
            found.append(version.ask(kind, suite, threads, memory_bytes))

    def wrong(found: list[dict[str, Any]]) -> int:
        expected = [_expected(kind, entry) for entry in suite]
        return sum(answer != right for each in found for answer, right in zip(each["answers"], expected, strict=True))

    return SideBySide(
        name=name,
        kind=kind,
        positions=len(suite),
        threads=threads,
        seconds=tuple(each["seconds"] for each in ours),
        cpu_seconds=tuple(each["cpu_seconds"] for each in ours),
        nodes=tuple(each["nodes"] for each in ours),
        wrong=wrong(ours),
        other_seconds=tuple(each["seconds"] for each in others),
        other_cpu_seconds=tuple(each["cpu_seconds"] for each in others),
        other_nodes=tuple(each["nodes"] for each in others),
        other_wrong=wrong(others),
    )


def format_side_by_side(measured: Sequence[SideBySide], other: str, run: Mapping[str, str]) -> str:
    """A page with one row a suite and question, and where it was measured."""
    threads, rounds = measured[0].threads, len(measured[0].seconds)
    rows = [
        "# Exact search beside another version",
        "",
        f"{threads} {'thread' if threads == 1 else 'threads'}, kernels compiled before, every run from an empty table, "
        f"the two versions in turns. Seconds, CPU seconds and nodes are medians of {rounds} rounds; `as fast` is the "
        "median of how many times as fast this version was in a round, with the least and the greatest. "
        "`value/score` is what the value takes of the time of the exact score, in this version.",
        f"The other version: {other}.",
        "",
        "| positions | question | wrong | seconds | other | as fast | CPU s | other | nodes | other | value/score |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    exact = {each.name: median(each.seconds) for each in measured if each.kind == "score"}
    for each in measured:
        ratios = each.ratios
        share = f"{median(each.seconds) / exact[each.name]:.2f}" if each.kind == "value" and each.name in exact else ""
        rows.append(
            f"| {each.name} | {QUESTIONS[each.kind]} | {each.wrong} | {median(each.seconds):,.3f} "
            f"| {median(each.other_seconds):,.3f} | {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) "
            f"| {median(each.cpu_seconds):,.3f} | {median(each.other_cpu_seconds):,.3f} "
            f"| {median(each.nodes):,.0f} | {median(each.other_nodes):,.0f} | {share} |"
        )
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _expected(kind: str, entry: SuitePosition) -> str | int:
    return entry.score if kind == "score" else str(Value.of_score(entry.score, entry.position.to_move))
