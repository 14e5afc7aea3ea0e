"""How fast a book is made: a sample of its deepest ply beside another program, and the builds that a store records."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from claimeven.db.books.build import BuildCounts, solve_keys
from claimeven.db.store import Store
from claimeven.db.tables.runs import RunRecord
from claimeven.reports.bench.search_speed import Yardstick
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys
from claimeven.solver.verdicts import VerdictBatch


@dataclass(frozen=True, slots=True)
class SampleSpeed:
    """A sample of a ply, decided by the pipeline and by the other program; times are in seconds.

    The other program is asked for exact scores and, apart, for who wins; None if it did not run.
    """

    ply: int
    positions: int
    threads: int
    seconds: float
    nodes: int
    by_source: dict[str, int]
    exact_seconds: float | None
    value_seconds: float | None
    disagreements: int

    @property
    def per_second(self) -> float:
        return self.positions / self.seconds


@dataclass(frozen=True, slots=True)
class BuildSpeed:
    """A build that came to its end, as the store recorded it."""

    board: str
    ply: int
    started: str
    seconds: float
    positions: int
    known: int

    @property
    def per_second(self) -> float:
        """The positions of the deepest ply that this run decided, by the time of the whole run."""
        return (self.positions - self.known) / self.seconds


def draw_sample(board: Board, ply: int, number: int, seed: int) -> Keys:
    """Random unfinished positions of a ply, one of each mirror pair, in the order of their keys."""
    keys = np.concatenate(list(enumerate_ply(board, ply)))
    return np.sort(np.random.default_rng(seed).choice(keys, min(number, len(keys)), replace=False))


def measure_sample(ply: int, keys: Keys, threads: int, memory_bytes: int, *, yardstick: bool) -> SampleSpeed:
    """Decide positions of 7x6 with a fresh table and a new store, then ask the other program, if it is to run."""
    board, counts = Board(), BuildCounts()
    decider = Decider(board, memory_bytes=memory_bytes, threads=threads)
    with TemporaryDirectory() as directory, Store.open(Path(directory) / "book.db") as store:
        start = time.perf_counter()
        solve_keys(store, decider, keys, counts, lambda *_: None)
        seconds = time.perf_counter() - start
        stored = store.lookup(board, keys)
    exact_seconds = value_seconds = None
    disagreements = 0
    if yardstick:
        positions = [Position.from_key(board, int(key)) for key in keys]
        texts = [columns.write(some_moves(position), board) for position in positions]
        other = Yardstick()
        start = time.perf_counter()
        scores = [other.score(text) for text in texts]
        exact_seconds = time.perf_counter() - start
        # A new one, whose table is empty.
        other = Yardstick()
        start = time.perf_counter()
        signs = [other.sign(text) for text in texts]
        value_seconds = time.perf_counter() - start
        disagreements = _count_disagreements(positions, stored, scores, signs)
    return SampleSpeed(
        ply=ply,
        positions=len(keys),
        threads=threads,
        seconds=seconds,
        nodes=decider.nodes,
        by_source=counts.by_source,
        exact_seconds=exact_seconds,
        value_seconds=value_seconds,
        disagreements=disagreements,
    )


def read_builds(runs: Sequence[RunRecord]) -> Iterator[BuildSpeed]:
    """The builds among the runs of a store that came to their end and decided something."""
    for run in runs:
        if run.command != "book build" or run.ended is None or run.counts is None:
            continue
        positions, known = run.counts.get("positions", 0), run.counts.get("known", 0)
        if positions > known:
            yield BuildSpeed(
                board=run.arguments["board"],
                ply=run.arguments["ply"],
                started=run.started.isoformat(timespec="seconds"),
                seconds=(run.ended - run.started).total_seconds(),
                positions=positions,
                known=known,
            )


def format_book_speed(
    sample: SampleSpeed, builds: Sequence[BuildSpeed], yardstick: str | None, run: Mapping[str, str]
) -> str:
    """A page with the sample, the builds, and where it was measured."""
    sources = ", ".join(f"{number:,} by {source}" for source, number in sample.by_source.items())
    rows = [
        "# Speed of books",
        "",
        f"{sample.positions:,} random positions of ply {sample.ply} on 7x6, in the order of their keys, from an empty "
        f"table into a new store: {sources}, {sample.nodes:,} nodes.",
        "",
        "| program | question | threads | seconds | positions/s | ours is |",
        "|---|---|--:|--:|--:|--:|",
        f"| claimeven | win/draw/loss | {sample.threads} | {sample.seconds:,.2f} | {sample.per_second:,.1f} | |",
    ]
    for question, seconds in (("exact score", sample.exact_seconds), ("win/draw/loss", sample.value_seconds)):
        if seconds is not None:
            rows.append(
                f"| {yardstick} without a book | {question} | 1 | {seconds:,.2f} | {sample.positions / seconds:,.1f} "
                f"| {seconds / sample.seconds:.1f} times as fast |"
            )
    if yardstick:
        rows += ["", f"Values that differ: {sample.disagreements}."]
    if builds:
        rows += [
            "",
            "Builds recorded in the store, retrograde analysis and writing included, by the clock, "
            "whatever else the machine did:",
            "",
            "| board | ply | started | seconds | positions of the last ply | decided before | positions/s |",
            "|---|--:|---|--:|--:|--:|--:|",
        ]
        rows += [
            f"| {build.board} | {build.ply} | {build.started} | {build.seconds:,.1f} | {build.positions:,} "
            f"| {build.known:,} | {build.per_second:,.1f} |"
            for build in builds
        ]
    return "\n".join([*rows, "", ", ".join(f"{name} {value}" for name, value in run.items()) + "."])


def _count_disagreements(
    positions: Sequence[Position], stored: VerdictBatch, scores: Sequence[int], signs: Sequence[int]
) -> int:
    """In how many positions not all three say the same of who wins."""
    number = 0
    for place, (position, score, sign) in enumerate(zip(positions, scores, signs, strict=True)):
        ours = int(stored.least[place]) * (-1 if position.ply % 2 else 1)
        number += not (stored.is_exact[place] and ours == int(np.sign(score)) == int(np.sign(sign)))
    return number
