"""The audit of the rules: every proof on many positions against exact search, chunk by chunk."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from claimeven.solver.audit.contradiction import Contradiction, minimise
from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.positions import PositionSource, make_chunks
from claimeven.solver.audit.rule_bounds import PARTS, RuleBook, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, count_plies
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, WHITE_WINS

MOST_NODES = 5_000_000
PULSE = 1.0
"""About so many seconds of work are handed on together, and could be lost."""
FIRST_PART, GROWTH = 32, 4
"""How many positions are audited together at first, and how much more at most at the next time."""
KEPT_IN_FULL = 5
"""How many contradictions of a chunk are made small and kept; all are counted."""

Progress = Callable[[int, "Counts"], object]
"""Told, after some work, how many more positions are done, and what was counted in this chunk so far."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """One audit: its positions, how far the rules look ahead, and what a search may cost (None: anything)."""

    source: PositionSource
    look_ahead: int
    nodes: int | None

    @property
    def name(self) -> str:
        """A name that no other campaign has, fit for a file.

        >>> Campaign(PositionSource("7x6", "uniform", 1, 26, 41), 0, MOST_NODES).name
        '7x6-uniform-26-to-41-seed-1'
        """
        source = self.source
        seed = "" if source.kind == "ply" else f"-seed-{source.seed}"
        ahead = f"-look-ahead-{self.look_ahead}" if self.look_ahead else ""
        budget = "" if self.nodes == default_nodes(source.kind) else f"-nodes-{self.nodes or 'unlimited'}"
        return f"{source.board}-{source.kind}-{source.first}-to-{source.last}{seed}{ahead}{budget}"


def default_nodes(kind: str) -> int | None:
    """What a search may cost: whole plies are to be compared completely, of random positions there are others."""
    return None if kind == "ply" else MOST_NODES


COLUMNS = ("tried", "proved", "proved here", "black wins", "contradictions", "not compared")
"""What is counted for every ply; "proved here" leaves out what is proved by looking ahead only."""


@dataclass(slots=True)
class Counts:
    """What was found: a row of COLUMNS for every ply, and proofs by what they say and by what they are made of."""

    plies: dict[int, Counter[str]] = field(default_factory=dict)
    values: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)

    def total(self, column: str) -> int:
        return sum(row[column] for row in self.plies.values())

    def add(self, other: Counts) -> None:
        for ply, row in other.plies.items():
            self.plies.setdefault(ply, Counter()).update(row)
        self.values.update(other.values)
        self.parts.update(other.parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "total": {column: self.total(column) for column in COLUMNS},
            "values": dict(sorted(self.values.items())),
            "parts": {name: self.parts[name] for name in PARTS.values()},
            "plies": {str(ply): {column: row[column] for column in COLUMNS} for ply, row in sorted(self.plies.items())},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Counts:
        return cls(
            {int(ply): Counter(row) for ply, row in data["plies"].items()},
            Counter(data["values"]),
            Counter(data["parts"]),
        )


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """What was counted in a chunk or a part of it, and its contradictions, each as found and as made small."""

    number: int
    counts: Counts
    contradictions: tuple[tuple[Contradiction, Contradiction], ...]


class Audit:
    """Rules and the search that they are compared with."""

    def __init__(self, rules: RuleBook, search: ExactSearch) -> None:
        self.rules = rules
        self.search = search

    def audit_positions(
        self, board: Board, keys: Keys, number: int = 0, progress: Progress | None = None
    ) -> ChunkResult:
        """Compare every proof on unfinished positions with search."""
        proved = self.rules.bound_all(board, keys)
        counts = count_proofs(board, keys, proved)
        places = np.flatnonzero(proved.proved)
        positions = [Position.from_key(board, int(key)) for key in keys[places]]
        if progress is not None:
            progress(len(keys) - len(places), counts)
        found = []
        for place, position, value in zip(places, positions, self.search.values(positions), strict=True):
            if value is None:
                counts.plies[position.ply]["not compared"] += 1
            elif not proved.allow(int(place), value):
                counts.plies[position.ply]["contradictions"] += 1
                found.append((position, proved.at(int(place)), value))
            if progress is not None:
                progress(1, counts)
        contradictions = tuple(
            Contradiction(position, claimed, value, self.rules.prove(position))
            for position, claimed, value in found[:KEPT_IN_FULL]
        )
        return ChunkResult(
            number, counts, tuple((each, minimise(self.rules, self.search.value, each)) for each in contradictions)
        )

    def run(
        self, source: PositionSource, wanted: int, done: int, keep: Callable[[ChunkResult], object], progress: Progress
    ) -> None:
        """Audit the positions of a source but for the first `done`, and give to `keep` what about a second brought."""
        size = FIRST_PART
        for number, keys in make_chunks(source, wanted, self.search.solve, done):
            start = 0
            while start < len(keys):
                began = time.monotonic()
                part = keys[start : start + size]
                keep(self.audit_positions(source.size, part, number, progress))
                start += len(part)
                seconds = max(time.monotonic() - began, PULSE / GROWTH)
                size = max(1, int(len(part) * PULSE / seconds))


def count_proofs(board: Board, keys: Keys, bounds: RuleBounds) -> Counts:
    """How many positions were tried and proved, by ply, by what the proofs say and by what the proofs are made of."""
    counts = Counts()
    plies, proved = count_plies(board, keys), bounds.proved
    rows = {
        "tried": np.ones_like(proved),
        "proved": proved,
        "proved here": bounds.here,
        "black wins": bounds.greatest < 0,
    }
    for column, mask in rows.items():
        for ply, number in enumerate(np.bincount(plies[mask])):
            if number:
                counts.plies.setdefault(ply, Counter())[column] = int(number)
    values = {WHITE_WINS: bounds.least > 0, BLACK_WINS: bounds.greatest < 0, AT_MOST_DRAW: bounds.greatest == 0}
    counts.values.update({str(each): int(np.count_nonzero(mask)) for each, mask in values.items()})
    for bit, name in PARTS.items():
        counts.parts[name] = int(np.count_nonzero(bounds.parts >> np.uint64(bit) & np.uint64(1)))
    return counts
