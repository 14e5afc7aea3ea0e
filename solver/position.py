"""An immutable position: who has which squares, whose turn it is, and what can be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from claimeven.solver.board import Bitboard, Board, Square, bits, column_name


class Side(Enum):
    """White moves first, Black second."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __str__(self) -> str:
        return self.value.capitalize()


class PositionError(ValueError):
    """Stones or moves that no game leads to."""


class IllegalMoveError(PositionError):
    """A move that the position does not allow."""


@dataclass(frozen=True, slots=True)
class Position:
    """The stones on a board; the side to move follows from their number.

    A position is a value: `play` returns a new one and undoing a move is keeping the old one.
    The constructor trusts its caller; `from_stones` checks.

    >>> position = Position.start().play(3).play(3)
    >>> position.ply, str(position.to_move), position.mirror() == position
    (2, 'White', True)
    """

    board: Board
    white: Bitboard = 0
    black: Bitboard = 0

    @classmethod
    def start(cls, board: Board | None = None) -> Position:
        """The empty board, 7x6 unless another is given."""
        return cls(board or Board())

    @classmethod
    def from_moves(cls, board: Board, columns: Iterable[int]) -> Position:
        """The position after playing `columns`, counted from 0; raises IllegalMoveError, naming the move."""
        position = cls(board)
        for number, column in enumerate(columns, start=1):
            try:
                position = position.play(column)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from None
        return position

    @classmethod
    def from_stones(cls, board: Board, white: Bitboard, black: Bitboard) -> Position:
        """The position with these stones; raises PositionError if no game could have led to it.

        What is checked: nothing outside the board, no square taken twice, nothing floating, alternating
        turns, and at most one winner, who made the last move.
        """
        if (white | black) & ~board.squares:
            raise PositionError(f"a stone lies outside the {board} board")
        if white & black:
            raise PositionError(f"{board.name(next(bits(white & black)))} holds a stone of both sides")
        occupied = white | black
        floating = occupied & ~(occupied << 1) & ~board.bottom
        if floating:
            raise PositionError(f"the stone on {board.name(next(bits(floating)))} floats: nothing is below it")
        surplus = white.bit_count() - black.bit_count()
        if surplus not in (0, 1):
            raise PositionError(
                f"{white.bit_count()} White and {black.bit_count()} Black stones: White moves first, so White has "
                "as many as Black or one more"
            )
        position = cls(board, white, black)
        if has_line(board, position.stones(position.to_move)):
            raise PositionError(f"{position.to_move} has a line already but the last move was the other side's")
        return position

    @property
    def occupied(self) -> Bitboard:
        return self.white | self.black

    @property
    def empty(self) -> Bitboard:
        return self.board.squares & ~self.occupied

    @property
    def playable(self) -> Bitboard:
        """The lowest empty square of every column that is not full."""
        return (self.occupied + self.board.bottom) & self.board.squares

    @property
    def ply(self) -> int:
        """The number of stones played."""
        return self.occupied.bit_count()

    @property
    def to_move(self) -> Side:
        return Side.BLACK if self.ply % 2 else Side.WHITE

    def stones(self, side: Side) -> Bitboard:
        return self.white if side is Side.WHITE else self.black

    @property
    def winner(self) -> Side | None:
        """The side that has a line, if one has; only the last mover can."""
        last = self.to_move.opponent
        return last if has_line(self.board, self.stones(last)) else None

    @property
    def is_over(self) -> bool:
        return not self.empty or self.winner is not None

    @property
    def legal_columns(self) -> list[int]:
        """The columns that can be played, from the left; none when the game is over."""
        return [] if self.is_over else [self.board.column_of(square) for square in bits(self.playable)]

    def play(self, column: int) -> Position:
        """The position after the side to move drops a stone into `column`, counted from 0."""
        board = self.board
        if not 0 <= column < board.columns:
            raise IllegalMoveError(f"there is no column {column + 1} on a {board} board (1 to {board.columns})")
        if self.is_over:
            raise IllegalMoveError(f"the game is over ({describe_end(self)})")
        stone = self.playable & board.column_squares(column)
        if not stone:
            raise IllegalMoveError(f"column {column + 1} is full")
        if self.to_move is Side.WHITE:
            return replace(self, white=self.white | stone)
        return replace(self, black=self.black | stone)

    def mirror(self) -> Position:
        """The position seen from behind the board."""
        return replace(self, white=self.board.mirror(self.white), black=self.board.mirror(self.black))

    @property
    def key(self) -> int:
        """A number that no other position of this board has: White's stones and a guard on top of each column."""
        return self.white | (self.occupied + self.board.bottom)

    @property
    def canonical_key(self) -> int:
        """The key that a position shares with its mirror image and with nothing else."""
        return min(self.key, self.mirror().key)

    @classmethod
    def from_key(cls, board: Board, key: int) -> Position:
        """The position with this key.

        >>> position = Position.start().play(3).play(2)
        >>> Position.from_key(position.board, position.key) == position
        True
        """
        white = black = 0
        for column in range(board.columns):
            stones = key >> column * board.stride & ((1 << board.stride) - 1)
            if not stones:
                raise PositionError(f"{key} is not the key of a position: column {column_name(column)} has no guard")
            guard = 1 << stones.bit_length() - 1
            white |= (stones ^ guard) << column * board.stride
            black |= ((guard - 1) & ~stones) << column * board.stride
        if key >> board.columns * board.stride:
            raise PositionError(f"{key} is too large for the key of a position on a {board} board")
        return cls.from_stones(board, white, black)

    def __str__(self) -> str:
        """The board as text: rows from the top, `x` White, `o` Black, `.` empty."""
        return "\n".join(
            "".join(self.stone_at(self.board.square(column, row)) for column in range(self.board.columns))
            for row in reversed(range(self.board.rows))
        )

    def stone_at(self, square: Square) -> str:
        """`x` for a White stone, `o` for a Black one, `.` for an empty square."""
        return "x" if self.white >> square & 1 else "o" if self.black >> square & 1 else "."


def has_line(board: Board, stones: Bitboard) -> bool:
    """Whether the stones contain `connect` in a line."""
    for step in (1, board.stride, board.stride + 1, board.stride - 1):
        run = stones
        for _ in range(board.connect - 1):
            run &= run >> step
        if run:
            return True
    return False


def describe_end(position: Position) -> str:
    """How a finished game ended, in words."""
    return f"{position.winner} has won" if position.winner else "the board is full"
