"""The check of a diagram as a library: enumerates every line of the opponent and says what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claimeven.solver.position import Position, Side
from claimeven.solver.solution.check_kernel import LOST, NOT_WON, TOO_LARGE, UNDECIDED, VALID, check_diagram
from claimeven.solver.solution.diagram import Claim, PriorityDiagram

FIRST_ROOM = 1 << 12
MOST_ROOM = 1 << 26

_SENTENCES = {
    LOST: "the opponent completes a line",
    UNDECIDED: "no level has exactly one playable square",
    NOT_WON: "the board is full and the controller has no line",
    TOO_LARGE: "too many positions",
}


@dataclass(frozen=True, slots=True)
class DiagramResult:
    """What a check found: nothing wrong, or `flaw` and the position that shows it; and how many of the controller's
    positions it has met."""

    flaw: str | None
    position: Position | None
    positions: int

    @property
    def is_valid(self) -> bool:
        return self.flaw is None


class DiagramChecker:
    """Checks diagrams of any board, one at a time; the memory for it is kept between checks.

    Those that reach more than about `most_room` positions are refused.
    """

    def __init__(self, most_room: int = MOST_ROOM) -> None:
        self._most_room = most_room
        self._make_room(FIRST_ROOM)
        self._report = np.zeros(2, np.int64)

    def _make_room(self, room: int) -> None:
        self._stack = np.zeros((room, 2), np.uint64)
        self._seen = np.zeros((2 * room, 2), np.uint64)

    def check(self, diagram: PriorityDiagram, position: Position, claim: Claim) -> DiagramResult:
        """Follow a diagram from a position, where its controller is to move, against everything.

        >>> from claimeven import Board, Position
        >>> rows = ["0000", "1111", "0000", "23.4"]
        >>> position = Position("33", board=Board(4, 4))
        >>> checker = DiagramChecker()
        >>> checker.check(PriorityDiagram.parse(position.board, rows), position, Claim.WIN).is_valid
        False
        """
        board = position.board
        if position.is_over:
            return DiagramResult("the game is over", position, 0)
        missing = position.empty & ~diagram.squares
        if missing:
            return DiagramResult(f"no digit on {' '.join(board.names(missing))}", position, 0)
        own = position.stones(position.to_move)
        levels = np.array(diagram.levels, np.uint64)
        geometry = [np.uint64(word) for word in (board.stride, board.connect, board.bottom, board.squares)]
        while True:
            self._report[1] += 1
            stones = np.uint64(own), np.uint64(position.occupied ^ own)
            result = check_diagram(
                *geometry, levels, *stones, claim is Claim.WIN, self._stack, self._seen, self._report
            )
            room = len(self._stack)
            if result != TOO_LARGE or room >= self._most_room:
                break
            self._make_room(room * 4)
        if result == VALID:
            return DiagramResult(None, None, int(self._report[0]))
        where = None if result == TOO_LARGE else self._shown(position)
        return DiagramResult(_SENTENCES[int(result)], where, int(self._report[0]))

    def _shown(self, root: Position) -> Position:
        own, other = (int(word) for word in self._stack[0])
        white, black = (own, other) if root.to_move is Side.WHITE else (other, own)
        return Position(root.board, white, black)
