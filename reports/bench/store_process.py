"""A process that fills a store, looks up and reads it, and says what each cost, for comparing two installed versions.

It is run as a file by the Python of each version, with a place for the store, a number of rows and a seed; it uses only
what old versions have too. It prints one object: which version it is and, for each step, seconds and CPU seconds.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

BATCH = 50_000
LOOKUPS = 10


def load(*names: str) -> Any:
    """The first of these modules that the version installed here has; before version 0.2 they were in no package."""
    package = "claimeven." if find_spec("claimeven") else ""
    return import_module(package + next(name for name in names if find_spec(package + name)))


class Clock:
    """Seconds and CPU seconds of each step, added up."""

    def __init__(self) -> None:
        self.steps: dict[str, list[float]] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start, cpu = time.perf_counter(), time.process_time()
        yield
        spent = (time.perf_counter() - start, time.process_time() - cpu)
        before = self.steps.setdefault(name, [0.0, 0.0])
        self.steps[name] = [old + new for old, new in zip(before, spent, strict=True)]


def measure(where: str, rows: int, seed: int) -> dict[str, list[float]]:
    """Fill a new store with positions of 7x6 and random values, look up random ones of them, and read them all."""
    import numpy as np

    batch_of = load("solver.verdicts", "db.verdict_batch").VerdictBatch.of_values
    source = load("solver.verdict").Source.SEARCH
    enumerate_plies = load("solver.enumeration").enumerate_plies
    board, chance, clock = load("solver.board").Board(), np.random.default_rng(seed), Clock()
    kept: list[Any] = []
    for _, keys in enumerate_plies(board, board.cells):
        kept.append(keys[: rows - sum(map(len, kept))])
        if sum(map(len, kept)) == rows:
            break
    everything = np.concatenate(kept)
    with load("db.store").Store.open(where) as store:
        for keys in kept:
            for start in range(0, len(keys), BATCH):
                part = keys[start : start + BATCH]
                batch = batch_of(part, chance.integers(-1, 2, len(part)), source)
                with clock.step("bulk write"):
                    store.write(board, batch)
        for _ in range(LOOKUPS):
            wanted = chance.choice(everything, min(BATCH, rows), replace=False)
            with clock.step("lookup"):
                found = store.lookup(board, wanted)
            assert found.is_exact.all()
        with clock.step("read in order"):
            read = sum(len(batch) for ply in store.plies(board) for batch in store.read_ply(board, ply))
        assert read == rows
    return clock.steps


def main() -> None:
    """Measure what the arguments say."""
    commit = load("reports.machine").describe_run()["commit"]
    version = f"claimeven {metadata.version('claimeven')}, commit {commit}"
    print(json.dumps({"version": version, "steps": measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))}))


if __name__ == "__main__":
    main()
