"""The exact scores of a build's nodes: the sooner the controller wins, the likelier a diagram is."""

from __future__ import annotations

from concurrent.futures import Executor

from claimeven.solver.search.budget import Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.solution.building.workshop import Key, Node, Workshop

SCORES, SCORES_AT_ONCE, SCORE_NODES, SCORE_MEMORY = 300, 25, 1_000_000, 16 << 20
"""How many scores are asked for before a round, which takes seconds, how many of them by one search with a table of its
own, and how far the search for one goes."""


def score_nodes(workshop: Workshop, first_ply: int, pool: Executor) -> None:
    """Ask exact search for the scores of nodes from a ply on that may be searched or were, where a win is claimed.

    Where the result is a draw nearly all scores are the same.
    """
    if not workshop.is_win:
        return
    unknown = [
        (key, node)
        for key, node in workshop.nodes.items()
        if node.score is None and (not node.is_leaf or node.work) and node.ply >= first_ply
    ]
    if not unknown:
        return
    del unknown[SCORES:]  # later rounds ask for more
    parts = [unknown[first : first + SCORES_AT_ONCE] for first in range(0, len(unknown), SCORES_AT_ONCE)]
    for part, scores in zip(parts, pool.map(lambda part: _scores(workshop, part), parts), strict=True):
        for (_, node), score in zip(part, scores, strict=True):
            node.score = score or 0


def _scores(workshop: Workshop, part: list[tuple[Key, Node]]) -> list[int | None]:
    """The scores of some nodes, by one thread and an empty table.

    So what is found in time hangs neither on how many threads there are nor on when the build was begun.
    """
    searcher = Searcher(workshop.board, SCORE_MEMORY, 1)
    positions = [workshop.position(*key, key[0]) for key, _ in part]
    return list(searcher.scores(positions, Budget(nodes=SCORE_NODES)))
