"""From what a build knows to its solution: one move a node, few diagrams, no digit that does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from claimeven.solver.board import Board, Square
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.building.leaf_diagrams import DiagramLeaf, LeafDiagrams
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.rule_leaf import prove_after
from claimeven.solver.solution.building.workshop import Workshop
from claimeven.solver.solution.diagram import Claim, PriorityDiagram
from claimeven.solver.solution.solution import Solution, SolutionNode, write_moves


class OpenSolutionError(ValueError):
    """A build that is not complete yet."""


def extract_solution(
    workshop: Workshop, controller: Side, root_columns: tuple[int, ...], made: Mapping[str, Any] | None = None
) -> Solution:
    """The smallest solution that the workshop knows; raises OpenSolutionError if there is none yet."""
    board = workshop.board
    claim = Claim.WIN if workshop.is_win else Claim.NO_LOSS
    choice = choose_least(workshop, workshop.costs())
    root = Position.from_moves(board, root_columns)
    nodes: dict[int, SolutionNode] = {}
    waiting: list[tuple[Position, tuple[int, ...]]] = [(root, root_columns)]
    if root.to_move is not controller:
        waiting = [(root.play(column), (*root_columns, column)) for column in root.legal_columns]
        waiting = [
            (each, columns)
            for each, columns in waiting
            if not each.is_over and workshop.key_of(each)[0] in workshop.roots
        ]
    for position, columns in waiting:
        if position.canonical_key in nodes:
            continue
        key, is_mirrored = workshop.key_of(position)
        node = workshop.nodes[key]
        moves = write_moves(columns, board)
        if node.rule_move:
            square = _square(board, node.rule_move, is_mirrored)
            proof = prove_after(position.play(board.column_of(square)), workshop.is_win)
            if proof is None:
                raise OpenSolutionError(f"the rules prove nothing after {board.name(square)} at {moves!r}")
            nodes[position.canonical_key] = SolutionNode(moves, position, square, proof=proof)
            continue
        if node.leaf is not None:
            nodes[position.canonical_key] = SolutionNode(
                moves, position, diagram=node.leaf, mirrored=node.mirrored != is_mirrored
            )
            continue
        move = choice.move(key)
        if not move:
            raise OpenSolutionError("the build is not complete: some positions have neither a move nor a certificate")
        square = _square(board, move, is_mirrored)
        nodes[position.canonical_key] = SolutionNode(moves, position, square)
        after = position.play(board.column_of(square))
        for column in after.legal_columns:
            replied = after.play(column)
            if not replied.is_over and workshop.key_of(replied)[0] in workshop.nodes[key].moves[move]:
                waiting.append((replied, (*columns, board.column_of(square), column)))
    return _number_diagrams(
        workshop, Solution(root, controller, claim, (), nodes, write_moves(root_columns, board), made or {})
    )


def _square(board: Board, bit: int, is_mirrored: bool) -> Square:
    square = bit.bit_length() - 1
    return board.mirror_square(square) if is_mirrored else square


def _number_diagrams(workshop: Workshop, solution: Solution) -> Solution:
    """Take as few diagrams as will do, and make each as blank as its leaves allow."""
    nodes = [node for node in solution.nodes.values() if node.diagram is not None]
    leaves: list[DiagramLeaf] = []
    for node in nodes:
        assert node.diagram is not None
        own = node.position.stones(node.position.to_move)
        leaves.append(DiagramLeaf(own, node.position.occupied ^ own, node.diagram, node.mirrored))
    known = LeafDiagrams(workshop, leaves, workshop.library.copy())
    known.spread(known.choose())
    diagrams: list[PriorityDiagram] = []
    chosen = dict(solution.nodes)
    for number, part in known.choose().items():
        for place, is_mirrored in part:
            moves, position = nodes[place].moves, nodes[place].position
            chosen[position.canonical_key] = SolutionNode(moves, position, diagram=len(diagrams), mirrored=is_mirrored)
        diagrams.append(known.make_blank(number, part))
    return replace(solution, diagrams=tuple(diagrams), nodes=chosen)
