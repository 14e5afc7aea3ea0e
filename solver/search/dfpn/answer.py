"""What a proof-number search says of a position, and how large its proof is."""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.solver.verdict import Bounds, Value


@dataclass(frozen=True, slots=True)
class ProofAnswer:
    """What was found of a position's value, all of it unless the budget ran out, and what that cost.

    `nodes` are visits, `evaluations` how often the nine rules were asked, `rule_leaves` how often they decided.
    """

    bounds: Bounds
    nodes: int
    evaluations: int
    rule_leaves: int
    seconds: float

    @property
    def value(self) -> Value | None:
        """Who wins under best play; None if the budget ran out or the search was stopped."""
        return self.bounds.value


@dataclass(frozen=True, slots=True)
class ProofSize:
    """How many positions a proof has, mirror images and transpositions once; some of them are leaves.

    `by_rules` were decided by the nine rules, `at_sight` by forced replies and the cheap bounds.
    """

    positions: int
    by_rules: int
    at_sight: int
