"""A solution as a value: the controller's move at every node, and the certificates below."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimeven.solver.board import Board, BoardError, Square
from claimeven.solver.notation import format_moves, parse_moves
from claimeven.solver.position import Position, PositionError, Side
from claimeven.solver.proof.certificate import Certificate, CertificateError, certificate_from_json, certificate_to_json
from claimeven.solver.solution.diagram import Claim, DiagramError, PriorityDiagram
from claimeven.solver.whole_file import write_whole

FORMAT = "claimeven solution 1"


class SolutionError(ValueError):
    """A file that is no solution, or a game that a solution does not know.

    >>> from claimeven import Solution
    >>> try:
    ...     Solution.from_json({"format": "another"})
    ... except SolutionError as error:
    ...     print(error)
    no solution: its format is not 'claimeven solution 1'
    """


@dataclass(frozen=True, slots=True)
class SolutionNode:
    """A position where the controller is to move: his move, or the diagram that he follows from here on.

    With a move and a `proof`, a certificate of the nine rules for the position after the move takes over.
    """

    moves: str
    position: Position
    move: Square | None = None
    diagram: int | None = None
    mirrored: bool = False
    proof: Certificate | None = None

    @property
    def is_leaf(self) -> bool:
        return self.move is None or self.proof is not None


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a solution is, in every convention; mirror images count as one, transpositions are merged."""

    moves: int
    leaves: int
    rule_leaves: int
    certificates: int
    nodes: int
    size_in_bytes: int

    def to_json(self) -> dict[str, int]:
        return {
            "moves": self.moves,
            "leaves": self.leaves,
            "rule_leaves": self.rule_leaves,
            "certificates": self.certificates,
            "nodes": self.nodes,
            "bytes": self.size_in_bytes,
        }


@dataclass(frozen=True)
class Solution:
    """How one side gets a result from a position against everything, without search.

    `nodes` are found by the canonical key of their position; `claimeven solution build` makes one. Reading a file does
    not check it: `claimeven solution check` does.

    >>> from claimeven import Solution
    >>> rows = ["0000", "1111", "0000", "2345"]
    >>> solution = Solution.from_json({
    ...     "format": "claimeven solution 1", "board": "4x4", "root": "1", "controller": "black", "claim": "no-loss",
    ...     "diagrams": [rows], "nodes": {"1": {"diagram": 0}},
    ... })
    >>> solution.sizes.leaves, solution.find(solution.root.mirror()).moves
    (1, '1')
    """

    root: Position
    controller: Side
    claim: Claim
    diagrams: tuple[PriorityDiagram, ...]
    nodes: Mapping[int, SolutionNode]
    root_moves: str = ""
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        return self.root.board

    def find(self, position: Position) -> SolutionNode | None:
        """The node of a position or of its mirror image."""
        return self.nodes.get(position.canonical_key)

    @property
    def sizes(self) -> Sizes:
        leaves = [node for node in self.nodes.values() if node.is_leaf]
        inner = [node for node in self.nodes.values() if not node.is_leaf]
        replies_to = {_play(node).canonical_key for node in inner}
        used = {node.diagram for node in leaves if node.diagram is not None}
        rule_leaves = sum(node.proof is not None for node in leaves)
        return Sizes(
            moves=len(inner),
            leaves=len(leaves),
            rule_leaves=rule_leaves,
            certificates=len(used) + rule_leaves,
            nodes=len(inner) + len(leaves) + len(replies_to),
            size_in_bytes=len(self.to_text().encode()),
        )

    @classmethod
    def load(cls, path: Path | str) -> Solution:
        """The solution of a file; raises SolutionError, naming the file, or OSError."""
        try:
            return cls.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
        except (SolutionError, ValueError, RecursionError) as error:
            raise SolutionError(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, data: object) -> Solution:
        """The solution that `to_json` wrote; raises SolutionError."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise SolutionError(f"no solution: its format is not {FORMAT!r}")
        try:
            board = Board.parse(str(data["board"]))
            root_moves = str(data["root"])
            root = _position(root_moves, board)
            controller, claim = Side(data["controller"]), Claim(data["claim"])
            diagrams = tuple(PriorityDiagram.parse(board, rows) for rows in data["diagrams"])
            nodes = {}
            for moves, entry in data["nodes"].items():
                node = _read_node(moves, entry, board, controller, len(diagrams))
                nodes[node.position.canonical_key] = node
            made = dict(data.get("made", {}))
        except KeyError as error:
            raise SolutionError(f"no solution: {error.args[0]!r} is missing") from None
        except (
            BoardError,
            PositionError,
            DiagramError,
            CertificateError,
            ValueError,
            TypeError,
            AttributeError,
        ) as error:
            raise SolutionError(f"no solution: {error}") from None
        return cls(root, controller, claim, diagrams, nodes, root_moves, made)

    def to_json(self) -> dict[str, Any]:
        """The file as an object."""
        return {
            "format": FORMAT,
            "board": str(self.board),
            "root": self.root_moves,
            "controller": self.controller.value,
            "claim": self.claim.value,
            "made": dict(self.made),
            "diagrams": [diagram.rows for diagram in self.diagrams],
            "nodes": {node.moves: _write_node(node) for node in self.nodes.values()},
        }

    def to_text(self) -> str:
        """The file: one line a diagram and a node, so that changes can be read."""
        data = self.to_json()
        diagrams, nodes = data.pop("diagrams"), data.pop("nodes")
        head = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in data.items()]
        rows = ",\n".join(f"  {json.dumps(each)}" for each in diagrams)
        lines = ",\n".join(f"  {json.dumps(moves)}: {json.dumps(entry)}" for moves, entry in nodes.items())
        return "\n".join(["{", *head, f' "diagrams": [\n{rows}\n ],', f' "nodes": {{\n{lines}\n }}', "}", ""])

    def save(self, path: Path | str) -> None:
        """Write the file, whole or not at all."""
        write_whole(Path(path), self.to_text())


def _play(node: SolutionNode) -> Position:
    assert node.move is not None
    return node.position.play(node.position.board.column_of(node.move))


def _position(moves: str, board: Board) -> Position:
    return Position.from_moves(board, parse_moves(moves, board) if moves else ())


def _read_node(moves: str, entry: Mapping[str, Any], board: Board, controller: Side, diagrams: int) -> SolutionNode:
    position = _position(moves, board)
    if position.to_move is not controller or position.is_over:
        raise SolutionError(f"node {moves!r}: {controller} is not to move there")
    if "diagram" in entry:
        number = entry["diagram"]
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < diagrams:
            raise SolutionError(f"node {moves!r}: there is no diagram {number!r}")
        return SolutionNode(moves, position, diagram=number, mirrored=entry.get("mirrored") is True)
    square = board.find_square(str(entry["move"]))
    if not position.playable >> square & 1:
        raise SolutionError(f"node {moves!r}: {entry['move']} is not playable")
    proof = None
    if "rules" in entry:
        proof = certificate_from_json(position.play(board.column_of(square)), entry["rules"])
    return SolutionNode(moves, position, square, proof=proof)


def _write_node(node: SolutionNode) -> dict[str, Any]:
    if node.diagram is not None:
        return {"diagram": node.diagram, **({"mirrored": True} if node.mirrored else {})}
    assert node.move is not None
    entry: dict[str, Any] = {"move": node.position.board.name(node.move)}
    if node.proof is not None:
        entry["rules"] = certificate_to_json(node.proof)
    return entry


def write_moves(columns: Iterable[int], board: Board) -> str:
    """Moves as the file names positions."""
    return format_moves(columns, board)
