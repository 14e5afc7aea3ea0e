"""What a solution says in the course of a game: the move to play, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from claimeven.solver.board import Square
from claimeven.solver.position import Position
from claimeven.solver.proof.strategy import Reply, Strategy
from claimeven.solver.solution.diagram import PriorityDiagram, choose_square, squares_that_complete
from claimeven.solver.solution.solution import Solution, SolutionError, SolutionNode


@dataclass(frozen=True, slots=True)
class Advice:
    """The square to play in a position, the reason, and the leaf that decides, if one was reached.

    `diagram` is the leaf's diagram as it lies on this board.
    """

    position: Position
    square: Square
    reason: str
    leaf: SolutionNode | None = None
    diagram: PriorityDiagram | None = None

    @property
    def column(self) -> int:
        return self.position.board.column_of(self.square)


@dataclass(slots=True)
class _Certificate:
    """A leaf that was reached: the certificate is meant for the board, or for its mirror image."""

    node: SolutionNode
    is_mirrored: bool
    strategy: Strategy | None = None
    reply: Reply | None = None


class Guide:
    """A solution in one game: told every move after its root, it knows what the controller answers.

    >>> from claimeven import Solution
    >>> rows = ["0000", "1111", "0000", "2345"]
    >>> guide = Guide(Solution.from_json({
    ...     "format": "claimeven solution 1", "board": "4x4", "root": "1", "controller": "black", "claim": "no-loss",
    ...     "diagrams": [rows], "nodes": {"1": {"diagram": 0}},
    ... }))
    >>> advice = guide.advise()
    >>> advice.column, advice.reason
    (0, 'level 0')
    """

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.position = solution.root
        self._certificate: _Certificate | None = None

    @classmethod
    def in_game(cls, solution: Solution, columns: Iterable[int]) -> Guide:
        """The guide in a game from the empty board; raises SolutionError if it does not come through the root."""
        position = Position.start(solution.board)
        guide: Guide | None = cls(solution) if position == solution.root else None
        for column in columns:
            if guide is not None:
                guide.play(column)
                continue
            position = position.play(column)
            if position.canonical_key == solution.root.canonical_key:
                guide = cls(solution)
                guide.position = position
        if guide is None:
            raise SolutionError("the game does not come through the position that the solution is for")
        return guide

    def copy(self) -> Guide:
        """A guide that stands where this one does, and goes its own way."""
        other = Guide(self.solution)
        other.position = self.position
        other._certificate = None if self._certificate is None else replace(self._certificate)
        return other

    def play(self, column: int) -> None:
        """Be told a move of either side."""
        if self.position.to_move is self.solution.controller and not self.position.is_over:
            self._reach_leaf()
        is_own = self.position.to_move is self.solution.controller
        self.position = self.position.play(column)
        certificate = self._certificate
        if certificate is None or certificate.node.proof is None:
            return
        if is_own:
            certificate.strategy = certificate.strategy or Strategy.of(certificate.node.proof)
        elif certificate.strategy is not None and not self.position.is_over:
            seen = self.solution.board.columns - 1 - column if certificate.is_mirrored else column
            certificate.reply = certificate.strategy.reply(seen)
            certificate.strategy = certificate.strategy.after(seen, certificate.reply)

    def advise(self) -> Advice:
        """What the controller, who is to move, plays; raises SolutionError where the solution does not know."""
        position, board = self.position, self.position.board
        if position.is_over or position.to_move is not self.solution.controller:
            raise SolutionError(f"{self.solution.controller} is not to move")
        self._reach_leaf()
        if self._certificate is not None:
            return self._advise_by(self._certificate)
        node = self.solution.find(position)
        if node is None:
            wins = squares_that_complete(position, position.to_move)
            if not wins:
                raise SolutionError("the solution does not know this position: a move before was not its own")
            return Advice(position, wins[0], "completes a line")
        assert node.move is not None
        square = board.mirror_square(node.move) if node.position != position else node.move
        return Advice(position, square, "a move of the graph")

    @property
    def diagram(self) -> PriorityDiagram | None:
        """The diagram that is followed, as it lies on the board; None unless a leaf with one was reached."""
        certificate = self._certificate
        if certificate is None or certificate.node.diagram is None:
            return None
        diagram = self.solution.diagrams[certificate.node.diagram]
        return diagram.mirror() if certificate.is_mirrored else diagram

    def _reach_leaf(self) -> None:
        node = None if self._certificate is not None else self.solution.find(self.position)
        if node is not None and node.is_leaf:
            self._certificate = _Certificate(node, (node.position != self.position) != node.mirrored)

    def _advise_by(self, certificate: _Certificate) -> Advice:
        position, board, node = self.position, self.position.board, certificate.node
        if node.diagram is not None:
            # Leftmost is meant on the board as stored, so the diagram is followed there.
            diagram = self.solution.diagrams[node.diagram]
            seen = position.mirror() if certificate.is_mirrored else position
            square, reason = choose_square(diagram, seen)
            if certificate.is_mirrored:
                square = board.mirror_square(square)
            return Advice(position, square, reason, node, self.diagram)
        if certificate.reply is None:
            assert node.move is not None
            square, reason = node.move, "the nine rules prove what follows"
        else:
            square, reason = certificate.reply.square, certificate.reply.kind.value
        return Advice(position, board.mirror_square(square) if certificate.is_mirrored else square, reason, node)
