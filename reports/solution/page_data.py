"""What the page of a solution knows: positions, digits, proofs in words, and the duties by which proofs are played.

Squares are numbers, column by column from the bottom and without the board's spare row, so that the one above a square
is the next. Texts are kept once and named by their numbers: thousands of leaves say the same of the same squares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from claimeven.solver.board import Board, Square, bits
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import problems_solved_by
from claimeven.solver.proof.duties import Base, Duty, Either, Follow, High, Low, duties_of, reluctant_squares
from claimeven.solver.proof.explanation import describe_win_condition, state_verdict
from claimeven.solver.proof.picture import label_solutions, mark_squares
from claimeven.solver.proof.sentences import describe_strategy
from claimeven.solver.solution.solution import Solution, SolutionNode


def describe(solution: Solution) -> dict[str, Any]:
    """All of it; positions are strings of `.xo`, square by square."""
    board = solution.board
    nodes = sorted(solution.nodes.values(), key=lambda node: (node.position.ply, node.moves))
    numbers = {node.position.canonical_key: number for number, node in enumerate(nodes)}
    texts = _Texts()
    described = [_describe_node(node, texts) for node in nodes]
    for node, fields in zip(nodes, described, strict=True):
        if not node.is_leaf and node.move is not None:
            fields["next"] = _find_next(node.position.play(board.column_of(node.move)), numbers)
    return {
        "board": str(board),
        "columns": board.columns,
        "rows": board.rows,
        "connect": board.connect,
        "controller": "x" if solution.controller is Side.WHITE else "o",
        "root": cells(solution.root),
        "rootMoves": solution.root_moves,
        "first": [] if solution.root.canonical_key in numbers else _find_next(solution.root, numbers),
        "picture": draw_position(Position.start(board), key=False),
        "labels": label_solutions(max((len(node.proof.instances) for node in nodes if node.proof), default=0)),
        "diagrams": [diagram.rows for diagram in solution.diagrams],
        "nodes": described,
        "texts": texts.kept,
    }


def cells(position: Position) -> str:
    """The stones of a position, square by square."""
    board = position.board
    return "".join(
        position.stone_at(board.square(column, row)) for column in range(board.columns) for row in range(board.rows)
    )


class _Texts:
    """Texts, each with a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def kept(self) -> list[str]:
        return list(self._numbers)


def _describe_node(node: SolutionNode, texts: _Texts) -> dict[str, Any]:
    board = node.position.board
    described: dict[str, Any] = {"moves": node.moves, "ply": node.position.ply, "cells": cells(node.position)}
    if node.move is not None:
        described["column"] = board.column_of(node.move)
    if node.diagram is not None:
        described |= {"diagram": node.diagram, "mirrored": node.mirrored}
    if node.proof is not None:
        described["proof"] = _describe_proof(node.proof, texts)
    return described


def _describe_proof(proof: Certificate, texts: _Texts) -> dict[str, Any]:
    position, board = proof.position, proof.position.board
    marks, killed = mark_squares(proof), problems_solved_by(proof)
    return {
        "verdict": texts.number(state_verdict(proof)),
        "condition": None if proof.win_condition is None else texts.number(describe_win_condition(proof)),
        "marks": "".join(marks.get(square, ".") for square in _all_squares(board)),
        "solutions": [
            {
                "name": texts.number(instance.describe(board)),
                "words": texts.number(describe_strategy(position, proof.controller, instance)),
                "squares": _numbers(board, instance.squares),
                "kills": [_numbers(board, group) for group in killed[instance]],
            }
            for instance in proof.instances
        ],
        "duties": sorted((_describe_duty(board, duty) for duty in duties_of(proof)), key=repr),
        "reluctant": _numbers(board, bits(reluctant_squares(proof))),
    }


def _describe_duty(board: Board, duty: Duty) -> list[Any]:
    """A duty as the script has it: its kind, and what the fields of its class are, in their order."""

    def place(square: Square | None) -> int | None:
        return None if square is None else _number(board, square)

    match duty:
        case Follow(lower, upper, is_claimeven, unless, careful):
            return ["follow", place(lower), place(upper), is_claimeven, place(unless), careful]
        case Either(one, other):
            return ["either", place(one), place(other)]
        case Low(lower1, lower2):
            return ["low", place(lower1), place(lower2)]
        case High(bottom1, bottom2, playable1, playable2):
            return ["high", place(bottom1), place(bottom2), playable1, playable2]
        case Base(p1, p2, p3):
            return ["base", place(p1), place(p2), place(p3)]


def _find_next(position: Position, numbers: dict[int, int]) -> list[int]:
    """The nodes that the opponent's moves lead to, each once; where the game or a line ends there is none."""
    children = [] if position.is_over else [position.play(column) for column in position.legal_columns]
    found = (numbers.get(child.canonical_key) for child in children)
    return sorted({number for number in found if number is not None})


def _all_squares(board: Board) -> Iterable[Square]:
    return (board.square(column, row) for column in range(board.columns) for row in range(board.rows))


def _number(board: Board, square: Square) -> int:
    return board.column_of(square) * board.rows + board.row_of(square)


def _numbers(board: Board, squares: Iterable[Square]) -> list[int]:
    return [_number(board, square) for square in squares]
