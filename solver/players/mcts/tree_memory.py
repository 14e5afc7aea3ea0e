"""The memory of a tree, and who makes it grow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from claimeven.solver.players.game import State
from claimeven.solver.players.mcts.tree import FIELDS, Nodes

BYTES_A_ROW = 4 * FIELDS


@dataclass(frozen=True, slots=True)
class Arena:
    """All rows that a tree will ever have, how many are in use, and the state of chance; kernels change them."""

    nodes: Nodes
    used: np.ndarray[tuple[int], np.dtype[np.int64]]
    chance: np.ndarray[tuple[int], np.dtype[np.uint64]]

    @classmethod
    def make(cls, memory_bytes: int, seed: int) -> Arena:
        """Room for a tree, with a root that nothing is known of."""
        nodes = np.zeros((max(memory_bytes // BYTES_A_ROW, 2), FIELDS), np.int32)
        # A xorshift generator must not start from 0, and seeds next to each other should not give games that are alike.
        chance = np.array([(2 * seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64)], np.uint64)
        return cls(nodes, np.ones(1, np.int64), chance)


class Grower(Protocol):
    """Grows trees of one game."""

    def grow(self, tree: Arena, state: State, exploration: float, visits: int) -> int:
        """Visit a tree so many times, or fewer if its root is proved; returns how many games were played to the end.

        The root is the state, which is not over, and whose mover cannot win at once.
        """
