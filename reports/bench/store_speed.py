"""How fast a store is: bulk writing, bulk lookup, size, and the time a query takes as a process of its own."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sqlalchemy import text

from claimeven.db.errors import StoreError
from claimeven.db.location import VARIABLE
from claimeven.db.store import Store
from claimeven.db.tables.models import Base
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch

BATCH = 50_000
LOOKUPS = 20
"""Batches looked up, of random positions that are in the store."""

QUERIES = 5
MOVES = "4435"


@dataclass(frozen=True, slots=True)
class StoreSpeed:
    """What was measured on a store of so many rows; the query is the median of several, in seconds."""

    backend: str
    rows: int
    written_per_second: float
    looked_up_per_second: float
    read_per_second: float
    bytes_per_position: float
    query_seconds: float
    query_worst: float
    interpreter_seconds: float


def measure_store(where: Path | str, rows: int, seed: int, query: Sequence[str]) -> StoreSpeed:
    """Fill a new store, at a path or a URL, with positions of 7x6, ply after ply, and measure it.

    The verdicts are random, as nothing here depends on them. `query` is a command that is given moves; the environment
    tells it the store.
    """
    board, chance = Board(), np.random.default_rng(seed)
    kept: list[Keys] = []
    writing = 0.0
    with Store.open(where) as store:
        if store.boards():
            raise StoreError(f"{store.location}: there is something in it, and only an empty store can be measured")
        for keys in _first_keys(board, rows):
            batch = VerdictBatch.of_values(keys, chance.integers(-1, 2, len(keys)), Source.SEARCH)
            start = time.perf_counter()
            store.write(board, batch)
            writing += time.perf_counter() - start
            kept.append(keys)
        everything = np.concatenate(kept)
        looking = 0.0
        for _ in range(LOOKUPS):
            wanted = chance.choice(everything, min(BATCH, rows), replace=False)
            start = time.perf_counter()
            found = store.lookup(board, wanted)
            looking += time.perf_counter() - start
            assert found.is_exact.all()
        start = time.perf_counter()
        read = sum(len(batch) for ply in store.plies(board) for batch in store.read_ply(board, ply))
        reading = time.perf_counter() - start
        assert read == rows
        backend, size = store.engine.dialect.name, 0 if store.location.is_sqlite else _count_bytes(store)
    if isinstance(where, Path):
        size = where.stat().st_size  # now that it is closed, all of it is in one file
    command = [*query, MOVES, "--no-book"]  # the book would contradict random verdicts
    times = [_run(command, str(where)) for _ in range(QUERIES)]
    return StoreSpeed(
        backend=backend,
        rows=rows,
        written_per_second=rows / writing,
        looked_up_per_second=LOOKUPS * min(BATCH, rows) / looking,
        read_per_second=rows / reading,
        bytes_per_position=size / rows,
        query_seconds=statistics.median(times),
        query_worst=max(times),
        interpreter_seconds=statistics.median(_run([query[0], "-c", ""]) for _ in range(QUERIES)),
    )


def _count_bytes(store: Store) -> int:
    """What a store on a server takes, tables and indexes."""
    with store.engine.connect() as connection:
        names = list(Base.metadata.tables)
        return sum(
            int(
                connection.execute(
                    text("SELECT pg_total_relation_size(to_regclass(:name))"), {"name": name}
                ).scalar_one()
            )
            for name in names
        )


def format_store_speeds(speeds: Sequence[StoreSpeed], run: Mapping[str, str]) -> str:
    """A page with one row a size, and where it was measured."""
    rows = [
        "# Speed of the store",
        "",
        f"Positions of 7x6 in batches of {BATCH:,} through the bulk functions of `Store`; looked up are "
        f"random positions of the store. A query is a process of its own, median and worst of {QUERIES}, beside a "
        "Python interpreter that does nothing.",
        "",
        "| database | rows | written/s | looked up/s | read in order/s | bytes a position "
        "| query, s | worst | interpreter, s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {speed.backend} | {speed.rows:,} | {speed.written_per_second:,.0f} | {speed.looked_up_per_second:,.0f} "
        f"| {speed.read_per_second:,.0f} | {speed.bytes_per_position:.1f} | {speed.query_seconds:.3f} "
        f"| {speed.query_worst:.3f} | {speed.interpreter_seconds:.3f} |"
        for speed in speeds
    ]
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _first_keys(board: Board, number: int) -> Iterator[Keys]:
    """So many keys of unfinished positions, in batches, from the empty board on."""
    for _, keys in enumerate_plies(board, board.cells):
        for start in range(0, len(keys), BATCH):
            part = keys[start : start + min(BATCH, number)]
            number -= len(part)
            yield part
            if not number:
                return


def _run(command: Sequence[str], db: str = "") -> float:
    # Not as an argument, which everybody on the machine could read: a URL may hold a password.
    variables = os.environ | {VARIABLE: db}
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=variables)
    return time.perf_counter() - start
