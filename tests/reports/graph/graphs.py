"""Graphs to lay out and draw: proved and not, of few solutions and of many."""

from __future__ import annotations

from typing import NamedTuple

import networkx as nx

from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.graph import build_graph, mark_chosen
from tests.positions import at
from tests.solver.proof.certificates import EMPTY_6X6, NEEDS_BEFORE, ODD_THREAT, THREE_IN_A_LINE, certificate


class Sample(NamedTuple):
    """What `draw_graph` takes."""

    graph: nx.Graph[str]
    position: Position
    certificate: Certificate | None


def proved(proof: Certificate) -> Sample:
    """The graph of a proof, marked with it."""
    graph = build_graph(proof.position, proof.win_condition, conflicts=False)
    mark_chosen(graph, proof)
    return Sample(graph, proof.position, proof)


def unproved(moves: str, board: str = "7x6") -> Sample:
    """The graph of a position that has no proof."""
    position = at(moves, board)
    return Sample(build_graph(position, conflicts=False), position, None)


PROVED = {
    "many solutions": proved(EMPTY_6X6),
    "few solutions": proved(NEEDS_BEFORE),
    "odd threat": proved(ODD_THREAT),
    "no problems": proved(certificate("3576127617575661522124647446257235344113", "")),
    "three in a line": proved(THREE_IN_A_LINE),
}
UNPROVED = {
    "many solutions": unproved("43"),
    "a problem without a solution": unproved("121212"),
    "three in a line": unproved("", "4x4x3"),
}
SAMPLES = {f"proved, {name}": sample for name, sample in PROVED.items()} | {
    f"unproved, {name}": sample for name, sample in UNPROVED.items()
}
