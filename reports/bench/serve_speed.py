"""The measurement of the server: a process of its own, asked by many clients, alone and beside a flood, and fuzzed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimeven.reports.bench.serve_fuzz import Fuzzed, fuzz
from claimeven.reports.bench.serve_load import Flood, Question, Wait, ask_all, make_questions, percentile

KINDS = ("stored", "searched", "proved", "drawn", "batch")
SHARES = {"median": 0.5, "p99": 0.99, "worst": 1.0}


@dataclass(frozen=True, slots=True)
class Load:
    """What one round of questions took; memory is that of the server afterwards and at its peak, in MB, if known.

    `busy` is the load average of the machine before the round, that is what others had it do.
    """

    name: str
    waits: tuple[Wait, ...]
    seconds: float
    memory: float | None
    peak: float | None
    busy: float | None

    @property
    def wrong(self) -> list[str]:
        return [wait.wrong for wait in self.waits if wait.wrong is not None]

    @property
    def milliseconds(self) -> dict[str, dict[str, float]]:
        """For each kind of question how many there were, and the waits for them."""
        found: dict[str, dict[str, float]] = {}
        for kind in KINDS:
            count = sum(wait.kind == kind for wait in self.waits)
            if count:
                waits = {name: round(1000 * percentile(self.waits, kind, share), 1) for name, share in SHARES.items()}
                found[kind] = {"requests": count, **waits}
        return found

    def to_json(self) -> dict[str, Any]:
        """The round without every single wait."""
        return {
            "name": self.name,
            "seconds": self.seconds,
            "memory": self.memory,
            "peak": self.peak,
            "busy": self.busy,
            "wrong": self.wrong,
            "milliseconds": self.milliseconds,
        }


@dataclass(frozen=True, slots=True)
class ServeSpeed:
    """All of it: the rounds, what a bare interpreter takes to answer as much, and the fuzzed requests."""

    clients: int
    rounds: tuple[Load, ...]
    yardstick: float
    fuzzed: Fuzzed | None
    log: str


def measure_server(clients: int, requests: int, floods: int, fuzzed: int, seed: int) -> ServeSpeed:
    """Measure a server of this version that is started for it."""
    questions = make_questions(requests, seed)
    with _serving() as (address, process):
        rounds = [_measure("first round, what it loads included", address, process, questions, clients)]
        rounds.append(_measure("second round", address, process, questions, clients))
        if floods:
            with Flood(address, floods):
                name = f"beside {floods} searches that do not end"
                rounds.append(_measure(name, address, process, questions, clients))
        found = fuzz(address, fuzzed, seed) if fuzzed else None
        process.terminate()
        log = process.communicate()[1]
    return ServeSpeed(clients, tuple(rounds), _time_yardstick(), found, log)


def _measure(
    name: str, address: str, process: subprocess.Popen[str], questions: Sequence[Question], clients: int
) -> Load:
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    waits, seconds = ask_all(address, questions, clients)
    return Load(name, tuple(waits), seconds, _memory(process.pid, "VmRSS"), _memory(process.pid, "VmHWM"), busy)


@contextmanager
def _serving() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--no-cache"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.wait()


def _memory(process: int, name: str) -> float | None:
    try:
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def _time_yardstick() -> float:
    """Seconds that a bare interpreter takes for a fixed sum: how free the machine is."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "sum(i * i for i in range(5_000_000))"], check=True)
    return time.perf_counter() - start


def format_server_speed(speed: ServeSpeed, run: Mapping[str, str]) -> str:
    """A page with a table a round, and where it was measured."""
    number = len(speed.rounds[0].waits)
    lines = [
        "# The server under load",
        "",
        f"`claimeven serve` in a process of its own, {speed.clients} clients on loopback in another one on the same "
        f"machine, each with a connection of its own and without a pause; {number:,} requests a round, half of them of "
        "positions that are in the book. Every answer is compared: with the book, with a search that takes nothing "
        "from the rules, with the prover. Waits are in milliseconds, as the clients see them.",
    ]
    for load in speed.rounds:
        busy = "" if load.busy is None else f" The load average of the machine was {load.busy:.1f} before it."
        memory = "" if load.memory is None else f"; the server has {load.memory:.0f} MB, {load.peak:.0f} at its peak"
        lines += [
            "",
            f"## {load.name[0].upper()}{load.name[1:]}",
            "",
            f"{len(load.waits) / load.seconds:,.0f} requests a second, {len(load.wrong)} wrong answers{memory}.{busy}",
            "",
            f"| question | requests | {' | '.join(SHARES)} |",
            "|---|--:|--:|--:|--:|",
        ]
        for kind, shown in load.milliseconds.items():
            waits = " | ".join(f"{shown[name]:.1f}" for name in SHARES)
            lines.append(f"| {kind} | {shown['requests']:,} | {waits} |")
    if speed.fuzzed is not None:
        statuses = ", ".join(f"{count:,} times {status}" for status, count in sorted(speed.fuzzed.statuses.items()))
        lines += [
            "",
            "## Fuzzed requests",
            "",
            f"{speed.fuzzed.statuses.total():,} requests, nearly all of them wrong: {statuses}. Failures of the "
            f"server: {len(speed.fuzzed.failures)}; tracebacks in its log: {speed.log.count('Traceback')}.",
        ]
    lines += [
        "",
        f"Yardstick: a bare interpreter sums five million squares in {speed.yardstick:.2f} s right after this run.",
        "",
        ", ".join(f"{name} {value}" for name, value in run.items()) + ".",
    ]
    return "\n".join(lines)
