"""How much a search may cost, and how much of that is left."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on the nodes and on the seconds that one answer may take; None is no limit.

    The limits are looked at every few thousand nodes, so a search may go a little beyond them. One that runs out is
    not decided, which is never a wrong answer.
    """

    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"a budget needs at least one node, not {self.nodes}")
        if self.seconds is not None and self.seconds <= 0:
            raise ValueError(f"a budget needs more than {self.seconds} seconds")


UNLIMITED = Budget()
NO_LIMIT = 1 << 62


class Spending:
    """What is left of a budget, for a search that starts now with `nodes` on its counter."""

    def __init__(self, budget: Budget, nodes: int) -> None:
        self._last_node = NO_LIMIT if budget.nodes is None else nodes + budget.nodes
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds

    def nodes_left(self, nodes: int) -> int:
        """The nodes that are left when the counter is at `nodes`."""
        return max(self._last_node - nodes, 0)

    def seconds_left(self) -> float | None:
        return None if self._deadline is None else max(self._deadline - time.monotonic(), 0)

    def is_over(self, nodes: int) -> bool:
        return self.nodes_left(nodes) == 0 or self.seconds_left() == 0
