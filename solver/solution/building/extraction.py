"""From what a build knows to its solution: one move a node, few diagrams, no digit that does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from claimeven.solver.board import Board, Square, bits
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.building.cover import cover_leaves
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.rule_leaf import prove_after
from claimeven.solver.solution.building.workshop import Workshop
from claimeven.solver.solution.check_kernel import LEVELS, find_valid
from claimeven.solver.solution.diagram import BLANK, Claim, PriorityDiagram
from claimeven.solver.solution.diagram_check import DiagramChecker
from claimeven.solver.solution.solution import Solution, SolutionNode, write_moves

ROOM = 1 << 17
"""How many positions a diagram may reach, as when it was found."""
MOST_VALID = 12
"""So many diagrams are found for a leaf and for its mirror image: with all of them, 22 a leaf, no fewer would do on
7x6, and to see that a diagram is valid takes a hundred times as long as to see that one is not."""


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
    checker = DiagramChecker()
    leaves = [node for node in solution.nodes.values() if node.diagram is not None]
    valid = _find_valid_diagrams(workshop, leaves)
    chosen: dict[int, tuple[int, bool]] = {}
    diagrams: list[PriorityDiagram] = []
    for number, mine in cover_leaves([list(each) for each in valid]).items():
        for place in mine:
            chosen[place] = len(diagrams), valid[place][number]
        places = [leaves[place].position.mirror() if valid[place][number] else leaves[place].position for place in mine]
        diagrams.append(_make_blank(solution.board, workshop.library[number], places, solution.claim, checker))
    nodes = dict(solution.nodes)
    for place, node in enumerate(leaves):
        number, is_mirrored = chosen[place]
        nodes[node.position.canonical_key] = SolutionNode(
            node.moves, node.position, diagram=number, mirrored=is_mirrored
        )
    return Solution(
        solution.root, solution.controller, solution.claim, tuple(diagrams), nodes, solution.root_moves, solution.made
    )


def _find_valid_diagrams(workshop: Workshop, leaves: list[SolutionNode]) -> list[dict[int, bool]]:
    """For each leaf diagrams of the library that are valid for it, and whether for the mirror image.

    Those are tried first that most leaves have, then those that most nodes of the build have.
    """
    board, library = workshop.board, workshop.library
    uses = Counter(node.diagram for node in leaves)
    all_uses = Counter(node.leaf for node in workshop.nodes.values())
    order = sorted(range(len(library)), key=lambda number: (-uses[number], -all_uses[number], number))
    diagrams = np.array([library[number] for number in order], np.uint64).reshape(-1, LEVELS)
    geometry = [np.uint64(word) for word in (board.stride, board.connect, board.bottom, board.squares)]
    stack, seen = np.zeros((ROOM, 2), np.uint64), np.zeros((ROOM * 2, 2), np.uint64)
    report = np.zeros(2, np.int64)

    def find(node: SolutionNode, is_mirrored: bool) -> Iterator[int]:
        position = node.position.mirror() if is_mirrored else node.position
        own = position.stones(position.to_move)
        stones = np.uint64(own), np.uint64(position.occupied ^ own)
        found = -1
        while True:
            found = find_valid(
                *geometry, diagrams, found + 1, len(order), *stones, workshop.is_win, stack, seen, report
            )
            if found < 0:
                return
            yield order[found]

    valid: list[dict[int, bool]] = []
    for node in leaves:
        # Its own, which may reach more positions than there is room for here.
        mine: dict[int, bool] = {} if node.diagram is None else {node.diagram: node.mirrored}
        for is_mirrored in (node.mirrored, not node.mirrored):
            for number in islice(find(node, is_mirrored), MOST_VALID):
                mine.setdefault(number, is_mirrored)
        valid.append(mine)
    return valid


def _make_blank(
    board: Board, levels: Any, positions: list[Position], claim: Claim, checker: DiagramChecker
) -> PriorityDiagram:
    """The diagram with the highest level wherever it is valid with that too, for all these positions."""
    squares = 0
    for position in positions:
        squares |= position.empty
    diagram = PriorityDiagram.from_levels(board, levels, squares)
    for square in bits(squares):
        if diagram.digit(square) == BLANK:
            continue
        bit = 1 << square
        trial = PriorityDiagram(
            board, tuple(level & ~bit | (bit if number == BLANK else 0) for number, level in enumerate(diagram.levels))
        )
        if all(checker.check(trial, position, claim).is_valid for position in positions):
            diagram = trial
    return diagram
