"""The audit of the rules: every proof on many positions against exact search, chunk by chunk."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.audit.contradiction import Contradiction, minimise
from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.positions import PositionSource, make_chunks
from claimeven.solver.audit.rule_bounds import PARTS, RuleBook, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, Mask, count_plies
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, WHITE_WINS, Value

MOST_NODES = 5_000_000
PULSE = 1.0
"""About so many seconds of work are handed on together, and could be lost."""
FIRST_PART, GROWTH = 32, 4
"""How many positions are audited together at first, and how much more at most at the next time."""
KEPT_IN_FULL = 5
"""How many contradictions of a chunk are made small and kept; all are counted."""

NO_VALUE = np.int8(2)
"""Stands for the rank of a value that was not searched for, or not found within the budget."""

Progress = Callable[[int], object]
"""Told, after some work, how many more positions are done."""

_BY_RANK = {value.rank: value for value in Value}


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


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What the rules prove of positions, and the values of those of which they prove anything, as ranks."""

    bounds: RuleBounds
    values: NDArray[np.int8]

    @property
    def contradicted(self) -> Mask:
        """Where search says otherwise than the rules."""
        bounds, values = self.bounds, self.values
        found: Mask = (values != NO_VALUE) & ((values < bounds.least) | (values > bounds.greatest))
        return found

    @property
    def left_out(self) -> Mask:
        """Where something is proved and the search was too dear."""
        left: Mask = self.bounds.proved & (self.values == NO_VALUE)
        return left


class Audit:
    """Rules and the search that they are compared with."""

    def __init__(self, rules: RuleBook, search: ExactSearch) -> None:
        self.rules = rules
        self.search = search

    def audit_positions(
        self, board: Board, keys: Keys, number: int = 0, progress: Progress = lambda number: None
    ) -> ChunkResult:
        """Compare every proof on unfinished positions with search, and count."""
        return self.conclude(board, keys, self.compare(board, keys, progress), number)

    def compare(self, board: Board, keys: Keys, progress: Progress = lambda number: None) -> Comparison:
        """What the rules prove of unfinished positions, and what search says of those with a proof."""
        bounds = self.rules.bound_all(board, keys)
        places = np.flatnonzero(bounds.proved)
        values = np.full(len(keys), NO_VALUE)
        progress(len(keys) - len(places))
        positions = [Position.from_key(board, int(key)) for key in keys[places]]
        for place, value in zip(places, self.search.values(positions), strict=True):
            if value is not None:
                values[place] = value.rank
            progress(1)
        return Comparison(bounds, values)

    def conclude(self, board: Board, keys: Keys, compared: Comparison, number: int = 0) -> ChunkResult:
        """Count what was compared, and make the contradictions small."""
        counts, plies = count_proofs(board, keys, compared.bounds), count_plies(board, keys)
        wrong = compared.contradicted
        for column, mask in (("contradictions", wrong), ("not compared", compared.left_out)):
            for ply, found in enumerate(np.bincount(plies[mask])):
                if found:
                    counts.plies[ply][column] += int(found)
        contradictions = []
        for place in np.flatnonzero(wrong)[:KEPT_IN_FULL].tolist():
            position, value = Position.from_key(board, int(keys[place])), _BY_RANK[int(compared.values[place])]
            contradictions.append(Contradiction(position, compared.bounds.at(place), value, self.rules.prove(position)))
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
