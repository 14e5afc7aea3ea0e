"""The smallest solution that a build knows: which move to choose at every node, by an integer program.

A node that several others lead to counts once, so that what is best at one node hangs on what is chosen at others. One
change at a time (`Choice.improve`) ends up to 14 in 1,000 above what is possible on 7x6; the program takes a few
hundredths of a second there.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.solution.building.choice import MOVE_SIZE, Choice
from claimeven.solver.solution.building.workshop import OPEN_COST, Costs, Key, Workshop

MOST_BRANCHES = 2_000
"""The program is given up after so many nodes of its own search tree."""
MOVE_TIE = 2.0**-12
"""Of solutions of the same size the one with fewer moves is taken: a move counts so much more than its size."""


def choose_least(workshop: Workshop, costs: Costs) -> Choice:
    """The choice with the smallest whole; where there is no complete one, one that may be larger."""
    choice = Choice(workshop, costs)
    choice.improve()
    if any(costs[root][0] >= OPEN_COST for root in workshop.roots):
        return choice
    least = Choice(workshop, costs, _least_moves(workshop, costs))
    return min(choice, least, key=lambda each: (each.size, sum(each.move(key) != 0 for key in each.reached)))


def _least_moves(workshop: Workshop, costs: Costs) -> dict[Key, int]:
    """A move for each node of the smallest whole; none if the program is given up.

    A node is a variable from 0 to 1 and a move one that is 0 or 1: the roots are 1, a node is at most the sum of its
    moves, and what a move leads to is at least the move.
    """
    # Only where a solution is complete, as this takes a while to import.
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    keys = list(workshop.roots)
    places = {key: place for place, key in enumerate(keys)}
    moves: list[tuple[Key, int, tuple[Key, ...]]] = []
    for key in keys:
        if not costs[key][1]:  # a leaf, or what is open
            continue
        for square, replies in workshop.nodes[key].moves.items():
            if any(costs[reply][0] >= OPEN_COST for reply in replies):
                continue
            moves.append((key, square, replies))
            for reply in replies:
                if reply not in places:
                    places[reply] = len(keys)
                    keys.append(reply)
    if not moves:
        return {}
    inner = list(dict.fromkeys(key for key, _, _ in moves))
    rows = {key: row for row, key in enumerate(inner)}
    entries = [(rows[key], places[key], -1) for key in inner]
    count = len(inner)
    for number, (key, _, replies) in enumerate(moves):
        entries.append((rows[key], len(keys) + number, 1))
        for reply in replies:
            entries += [(count, places[reply], 1), (count, len(keys) + number, -1)]
            count += 1
    row_of, column_of, value_of = zip(*entries, strict=True)
    width = len(keys) + len(moves)
    least = np.zeros(width)
    least[: len(workshop.roots)] = 1
    above = coo_array((value_of, (row_of, column_of)), shape=(count, width)).tocsr()
    solved = milp(
        [*(MOVE_SIZE + MOVE_TIE if key in rows else costs[key][0] for key in keys), *(0 for _ in moves)],
        integrality=np.repeat([0, 1], [len(keys), len(moves)]),
        bounds=Bounds(least, np.ones(width)),
        constraints=LinearConstraint(above, 0, np.inf),
        options={"node_limit": MOST_BRANCHES, "mip_rel_gap": 0.0},
    )
    if solved.x is None:
        return {}
    return {key: square for number, (key, square, _) in enumerate(moves) if solved.x[len(keys) + number] > 0.5}
