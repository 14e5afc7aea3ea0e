"""How many positions of the suites the rules prove, alone and looking ahead; each proof against its score."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from claimeven.reports.bench.suites import SuitePosition, format_suite
from claimeven.solver.audit.rule_bounds import NineRules
from claimeven.solver.proof.look_ahead import MOST_PLIES
from claimeven.solver.verdict import Value

LITERAL_PROOFS = {
    "003b7f5cc2b9b2d0": 23,  # begin-easy
    "7b6eb6c7c9e7342f": 38,  # begin-hard
    "ba3df32828042706": 39,  # begin-medium
    "fae47639d993cc91": 336,  # end-easy
    "52b9ee96ab6e92fd": 139,  # middle-easy
    "a0bb9983650ad5b6": 92,  # middle-medium
}
"""Pascal Pons' suites, by a digest of their text, and how many of their positions a second implementation of the
specification proves, which shares no code with this one."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of the positions of a suite, how many are proved looking 0, 1 and 2 moves ahead, and how many as Black wins.

    `literal` is the number that the second implementation proves without looking ahead, where it is known.
    """

    suite: str
    positions: int
    literal: int | None
    proved: tuple[int, ...]
    black_wins: tuple[int, ...]
    contradictions: int

    @property
    def is_right(self) -> bool:
        """Whether no score contradicts a proof, and the second implementation proves as many."""
        return not self.contradictions and self.literal in (None, self.proved[0])


def measure_coverage(name: str, suite: Sequence[SuitePosition], threads: int) -> Coverage:
    """Try the rules on every position of a suite that goes on, and compare with its score."""
    entries = [entry for entry in suite if not entry.position.is_over]
    board = suite[0].position.board
    keys = np.array([entry.position.key for entry in entries], np.uint64)
    values = [Value.of_score(entry.score, entry.position.to_move) for entry in entries]
    bounds = [NineRules(threads, look_ahead).bound_all(board, keys) for look_ahead in range(MOST_PLIES + 1)]
    return Coverage(
        suite=name,
        positions=len(suite),
        literal=LITERAL_PROOFS.get(_digest(suite)),
        proved=tuple(int(np.count_nonzero(each.proved)) for each in bounds),
        black_wins=tuple(int(np.count_nonzero(each.greatest < 0)) for each in bounds),
        contradictions=sum(not each.allow(place, value) for each in bounds for place, value in enumerate(values)),
    )


def coverage_from_json(data: Any) -> Coverage:
    """What `dataclasses.asdict` made of a coverage."""
    return Coverage(**{**data, "proved": tuple(data["proved"]), "black_wins": tuple(data["black_wins"])})


def _digest(suite: Sequence[SuitePosition]) -> str:
    return hashlib.sha256(format_suite(suite).encode()).hexdigest()[:16]
