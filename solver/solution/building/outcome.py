"""What the tasks of a builder are asked for and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import partial

from claimeven.solver.solution.building.workshop import Key
from claimeven.solver.solution.finding.finder import Attempt, Levels


class Leaves(Enum):
    """What certificates a build may use."""

    RULES = "rules"
    DIAGRAMS = "diagrams"
    BOTH = "both"


@dataclass(slots=True)
class Effort:
    """How much work goes into what."""

    leaf: int = 10_000_000
    """Into searches for a diagram, with 28 empty squares, in positions walked through; the first one gets a part."""
    sat: int = 2_500_000
    """Into the first search by SAT at a node, in steps of the solver, for a strict diagram; a quarter of it for any."""
    first_ply: int = 8
    """No diagram is searched for before this ply, or a little earlier where a win is near."""


@dataclass(slots=True)
class Found:
    """What a task found out about a position: a rule proof after a move, a diagram of the library, a new one, or only
    how near one is."""

    key: Key
    rule_move: int = 0
    number: int | None = None
    mirrored: bool = False
    levels: Levels | None = None
    attempt: Attempt | None = None
    seen: int = 0
    is_barren: bool = False
    needs_ties: bool = False
    is_by_sat: bool = False
    """Whether SAT was asked."""

    @property
    def is_leaf(self) -> bool:
        return self.rule_move != 0 or self.number is not None or self.levels is not None


@dataclass(slots=True)
class Asked:
    """What is known of whether one diagram is valid for some leaves: the steps of SAT that did not tell, whether there
    is no strict one, and whether there is none."""

    steps: int = 0
    needs_ties: bool = False
    is_refuted: bool = False


@dataclass(slots=True)
class Outcome:
    """What a task came to: what it found at nodes, and moves that keep the result there, with where replies lead."""

    found: list[Found] = field(default_factory=list)
    moves: dict[Key, dict[int, tuple[Key, ...]]] = field(default_factory=dict)
    all_moves: set[Key] = field(default_factory=set)
    """The nodes of which these are all moves that keep the result."""


Task = partial[Outcome]
"""What is done at a node, which is its first argument, by a FinderThread, which is its last."""
