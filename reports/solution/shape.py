"""The shape of a solution: how much of it lies below each reply to its first moves, and at which ply its leaves lie."""

from __future__ import annotations

from collections import Counter

from claimeven.solver.position import Position
from claimeven.solver.solution.solution import Solution, SolutionNode

BRANCH_PLIES = 4
"""So many plies after the root branches are told apart."""


def measure_branches(solution: Solution) -> list[tuple[str, int, int]]:
    """The moves to each node of the first plies, and the moves and leaves below it, what is shared counted in each."""
    last = solution.root.ply + BRANCH_PLIES
    return [
        (node.moves, *_count_below(solution, node))
        for node in solution.nodes.values()
        if solution.root.ply < node.position.ply <= last
    ]


def measure_plies(solution: Solution) -> list[tuple[int, int, int]]:
    """For each ply the moves and the leaves there."""
    moves, leaves = Counter[int](), Counter[int]()
    for node in solution.nodes.values():
        (leaves if node.is_leaf else moves)[node.position.ply] += 1
    return [(ply, moves[ply], leaves[ply]) for ply in sorted(moves.keys() | leaves.keys())]


def _count_below(solution: Solution, top: SolutionNode) -> tuple[int, int]:
    reached = {top.position.canonical_key: top}
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if node.is_leaf:
            continue
        assert node.move is not None
        after = node.position.play(solution.board.column_of(node.move))
        for reply in _replies(after):
            found = solution.find(reply)
            if found is not None and found.position.canonical_key not in reached:
                reached[found.position.canonical_key] = found
                waiting.append(found)
    leaves = sum(node.is_leaf for node in reached.values())
    return len(reached) - leaves, leaves


def _replies(after: Position) -> list[Position]:
    return [] if after.is_over else [after.play(column) for column in after.legal_columns]
