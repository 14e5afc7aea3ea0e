"""A diagram that makes few mistakes, as a part of the graph: its moves down to them, and itself beside that.

Most searches end with a diagram that is wrong in three or four positions only. Where it is followed from a node, all
but a few replies lead to positions for which it is valid, and so on down to its mistakes; these are positions late in
the game, for which other diagrams are found with ease.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from claimeven.solver.solution.building.choice import LEAF_SIZE, MOVE_SIZE
from claimeven.solver.solution.building.outcome import Found
from claimeven.solver.solution.building.workshop import Key, Workshop
from claimeven.solver.solution.check_kernel import move_by_levels
from claimeven.solver.solution.finding.finder import FinderThread, Levels

SLIP_SIZE = 4
"""What a position where the diagram is wrong counts for at least."""


@dataclass(slots=True)
class Unrolled:
    """The moves of a diagram below a node, the leaves beside them, and the nodes where it slips."""

    moves: dict[Key, dict[int, tuple[Key, ...]]] = field(default_factory=dict)
    leaves: list[Found] = field(default_factory=list)
    slips: list[Key] = field(default_factory=list)


def unroll(workshop: Workshop, thread: FinderThread, root: Key, levels: Levels, most: float) -> Unrolled | None:
    """Follow a diagram from a node that it is not valid for; None if that becomes larger than `most`."""
    board, nodes = workshop.board, workshop.nodes
    result = Unrolled()
    size = 0
    waiting, met = [root], set()
    for own, other in waiting:  # as it lies on the diagram's board
        key = workshop.canonical(own, other)
        if key in met:
            continue
        met.add(key)
        is_mirrored = key != (own, other)
        node = nodes.get(key)
        if node is not None and node.is_leaf:
            size += LEAF_SIZE
        elif thread.is_valid(levels, own, other):
            size += LEAF_SIZE
            result.leaves.append(Found(key, levels=levels, mirrored=is_mirrored))
        else:
            playable = workshop.playable(own, other)
            blocks = workshop.completing(other, playable)
            move = blocks & -blocks or int(move_by_levels(levels, np.uint64(playable)))
            if not move or not thread.oracle.keeps(own, other, move):
                size += SLIP_SIZE
                result.slips.append(key)
            else:
                size += MOVE_SIZE
                replies = list(workshop.replies(own | move, other))
                waiting += replies
                square = board.mirror(move) if is_mirrored else move
                result.moves[key] = {square: tuple(dict.fromkeys(workshop.canonical(*each) for each in replies))}
        if size > most:
            return None
    return result
