"""Priority diagrams: a digit on every empty square, by which the controller plays to the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from claimeven.solver.board import Bitboard, Board, Square, bits
from claimeven.solver.position import Position, Side, has_line

LEVELS = 10
"""Digits are 0 to 9."""
BLANK = LEVELS - 1
"""The digit of squares that do not matter."""
STONE = "."
"""What stands where every leaf of a diagram has a stone."""


class Claim(Enum):
    """What a solution claims for its controller."""

    WIN = "win"
    NO_LOSS = "no-loss"

    def __str__(self) -> str:
        return self.value


class DiagramError(ValueError):
    """Text that is no diagram, or a diagram that says nothing where it is followed.

    >>> try:
    ...     PriorityDiagram.parse(Board(4, 4), ["1234", "12x4", "....", "...."])
    ... except DiagramError as error:
    ...     print(error)
    row 2 from the top: 'x' is neither a digit nor '.'
    """


@dataclass(frozen=True, slots=True)
class PriorityDiagram:
    """The squares of each level on a board; those of no level are stones of every leaf it is for.

    >>> diagram = PriorityDiagram.parse(Board(4, 4), ["0101", "2222", "01..", "...."])
    >>> diagram.digit(diagram.board.find_square("b2")), diagram.digit(diagram.board.find_square("d1"))
    (1, None)
    >>> print(diagram.mirror())
    1010
    2222
    ..10
    ....
    """

    board: Board
    levels: tuple[Bitboard, ...]

    @classmethod
    def parse(cls, board: Board, rows: Sequence[str]) -> PriorityDiagram:
        """The diagram of rows of digits, the highest row first; raises DiagramError."""
        if len(rows) != board.rows:
            raise DiagramError(f"a diagram of a {board} board has {board.rows} rows, not {len(rows)}")
        levels = [0] * LEVELS
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, str) or len(row) != board.columns:
                raise DiagramError(f"row {number} from the top: not {board.columns} characters")
            for column, character in enumerate(row):
                if character == STONE:
                    continue
                if character not in "0123456789":
                    raise DiagramError(f"row {number} from the top: {character!r} is neither a digit nor '.'")
                levels[int(character)] |= 1 << board.square(column, board.rows - number)
        return cls(board, tuple(levels))

    @classmethod
    def from_levels(cls, board: Board, levels: Iterable[int], squares: Bitboard | None = None) -> PriorityDiagram:
        """The diagram of the squares of each level, those of `squares` only if it is given."""
        mask = board.squares if squares is None else squares
        return cls(board, tuple(int(level) & mask for level in levels))

    @property
    def squares(self) -> Bitboard:
        """The squares that carry a digit."""
        return sum(self.levels)

    def digit(self, square: Square) -> int | None:
        """The digit on a square."""
        return next((level for level, squares in enumerate(self.levels) if squares >> square & 1), None)

    @property
    def rows(self) -> list[str]:
        """The text form: rows of digits, the highest first."""
        board = self.board
        return [
            "".join(
                STONE if (digit := self.digit(board.square(column, row))) is None else str(digit)
                for column in range(board.columns)
            )
            for row in reversed(range(board.rows))
        ]

    def mirror(self) -> PriorityDiagram:
        """The diagram seen from behind the board."""
        return PriorityDiagram(self.board, tuple(self.board.mirror(level) for level in self.levels))

    def __str__(self) -> str:
        return "\n".join(self.rows)


def choose_square(diagram: PriorityDiagram, position: Position) -> tuple[Square, str]:
    """The square that the side to move plays by a diagram, and why; raises DiagramError if no level decides.

    >>> diagram = PriorityDiagram.parse(Board(4, 4), ["1111", "0000", "1111", "2345"])
    >>> board = diagram.board
    >>> square, reason = choose_square(diagram, Position.start(board))
    >>> board.name(square), reason
    ('a1', 'level 2')
    """
    wins = squares_that_complete(position, position.to_move)
    if wins:
        return wins[0], "completes a line"
    blocks = squares_that_complete(position, position.to_move.opponent)
    if blocks:
        return blocks[0], "the opponent would complete a line there"
    for level, squares in enumerate(diagram.levels):
        candidates = list(bits(position.playable & squares))
        if len(candidates) == 1:
            return candidates[0], f"level {level}"
    raise DiagramError("no level has exactly one playable square")


def squares_that_complete(position: Position, side: Side) -> list[Square]:
    """The playable squares where a stone of a side completes a line, from the left."""
    stones = position.stones(side)
    return [square for square in bits(position.playable) if has_line(position.board, stones | 1 << square)]
