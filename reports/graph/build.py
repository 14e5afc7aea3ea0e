"""The problem/solution graph that is shown of a position: with its proof marked, or with what stands in its way."""

from __future__ import annotations

import networkx as nx

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.graph import build_graph, mark_chosen
from claimeven.solver.proof.listing import list_win_conditions
from claimeven.solver.proof.sentences import name_win_condition


def build_for(position: Position, certificate: Certificate | None, *, conflicts: bool) -> nx.Graph[str]:
    """The graph, for White under the win condition of the certificate or, without one, under the first there is."""
    condition = None
    if certificate is not None:
        condition = certificate.win_condition
    elif position.to_move is Side.BLACK:
        condition = next(iter(list_win_conditions(position)), None)
    graph = build_graph(position, condition, conflicts=conflicts)
    graph.graph["win_condition"] = "" if condition is None else name_win_condition(position.board, condition)
    if certificate is not None:
        mark_chosen(graph, certificate)
    return graph
