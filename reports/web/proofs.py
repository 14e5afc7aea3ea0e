"""Rule proofs for the explorer: the contract, the words of each solution, and the graph behind them."""

from __future__ import annotations

from typing import Any

import networkx as nx

from claimeven.reports.graph.build import build_for
from claimeven.reports.graph.picture import draw_graph as draw
from claimeven.reports.web.asked import Asked
from claimeven.reports.web.problem import Problem
from claimeven.solver.contract import describe_position
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import problems_solved_by
from claimeven.solver.proof.explanation import describe_instances, describe_win_condition, state_verdict
from claimeven.solver.proof.look_ahead import MOST_PLIES, look_ahead
from claimeven.solver.proof.look_ahead_explanation import look_ahead_to_json
from claimeven.solver.proof.picture import label_solutions
from claimeven.solver.rule_proof import find_proof
from claimeven.solver.verdict import UNDECIDED, UNKNOWN, Source, Verdict


def prove(asked: Asked, *, looks_ahead: bool) -> dict[str, Any]:
    """The contract with the proof of a position, and under `explanation` the same in words."""

    proof = find_proof(asked.position)
    certificate = None if proof is None else proof.certificate
    bounds = UNDECIDED if certificate is None else certificate.bounds
    ahead = None
    if looks_ahead and not asked.position.is_over and asked.position.board.rows % 2 == 0:
        ahead = look_ahead(asked.position, MOST_PLIES)
        if ahead is not None:
            certificate, bounds = ahead.certificate, ahead.bounds
    verdict = UNKNOWN if bounds == UNDECIDED else Verdict(bounds, Source.RULES)
    fields = describe_position(asked.moves, asked.position, verdict, certificate=certificate)
    if looks_ahead:
        fields["look_ahead"] = [] if ahead is None or ahead.certificate is not None else look_ahead_to_json(ahead)
    fields["explanation"] = None if certificate is None else explain(certificate)
    return fields


def explain(certificate: Certificate) -> dict[str, Any]:
    """A proof in words, solution by solution, with the squares and the groups that each of them kills."""

    board = certificate.position.board
    killed = problems_solved_by(certificate)
    solutions = [
        {
            "label": label,
            "name": instance.describe(board),
            "rule": str(instance.rule),
            "squares": board.names(instance.squares),
            "sentence": sentence,
            "kills": [board.names(sorted(group)) for group in killed[instance]],
        }
        for label, instance, sentence in zip(
            label_solutions(len(certificate.instances)),
            certificate.instances,
            describe_instances(certificate),
            strict=True,
        )
    ]
    return {
        "verdict": state_verdict(certificate),
        "controller": certificate.controller.value,
        "win_condition": None if certificate.win_condition is None else describe_win_condition(certificate),
        "solutions": solutions,
    }


def draw_graph(position: Position, kind: str, *, is_alone: bool = True) -> str | dict[str, Any]:
    """The problem/solution graph of a position, as an SVG picture or as node-link data."""

    if position.is_over or position.board.rows % 2:
        raise Problem(422, "rules", "the rules say nothing here: the game is over, or the number of rows is odd")
    proof = find_proof(position)
    certificate = None if proof is None else proof.certificate
    graph = build_for(position, certificate, conflicts=False)
    if kind == "svg":
        return draw(graph, position, certificate, is_alone=is_alone)
    data: dict[str, Any] = nx.node_link_data(graph, edges="edges")
    return data
