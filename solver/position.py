"""An immutable position: who has which squares, whose turn it is, and what can be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from operator import index
from typing import NoReturn, SupportsIndex

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
    """Stones or moves that no game leads to, or text that means no position.

    >>> from claimeven import Position
    >>> try:
    ...     Position("48")
    ... except PositionError as error:
    ...     print(error)
    move 2 (character 2): '8' is not a column of the 7x6 board (1 to 7)
    """


class IllegalMoveError(PositionError):
    """A move that the position does not allow."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Position:
    """The stones on a board; the side to move follows from their number.

    A position is a value: `play` returns a new one and undoing a move is keeping the old one. It is made of text in any
    notation (`claimeven.solver.notation`), the empty board of none. Column strings count from 1 unless they name a
    column 0 or `notation` says `columns0`. Raises PositionError for text that means no position.

    >>> from claimeven import Position
    >>> position = Position("4453")
    >>> str(position).split()[-2:]
    ['...o...', '..oxx..']
    >>> position.ply, str(position.to_move), position == Position("1. d1, d2 2. e1, c1")
    (4, 'White', True)
    >>> position.play("4") == position.play(3) == Position("44534")
    True
    >>> Position(), Position("334", board=Board(6, 5), notation="columns0")
    (Position(''), Position('445', board=Board(6, 5)))

    `Position(board, white, black)` makes one of bitboards and trusts its caller; `from_stones` checks.
    """

    board: Board
    white: Bitboard
    black: Bitboard

    def __init__(
        self,
        text: str | Board = "",
        white: Bitboard = 0,
        black: Bitboard = 0,
        *,
        board: Board | None = None,
        notation: str = "auto",
    ) -> None:
        if isinstance(text, Board):  # first: all of the library makes positions this way
            board = text
        elif isinstance(text, str):
            if text or notation != "auto":
                parsed = forms.parse(text, board, notation)
                board, white, black = parsed.board, parsed.white, parsed.black
            elif board is None:
                board = Board()
        else:
            raise TypeError(f"a position is made of text or of a Board and bitboards, not of {type(text).__name__}")
        _set(self, "board", board)
        _set(self, "white", white)
        _set(self, "black", black)

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

    def play(self, column: SupportsIndex | str) -> Position:
        """The position after the side to move drops a stone into a column.

        A number is an index and counts from 0, as everywhere in Python and in `legal_columns`. Text is what people
        write: the letter of a column, or a column string, which counts from 1 and may hold several moves. Raises
        IllegalMoveError, a PositionError.

        >>> from claimeven import Position
        >>> Position("44").play(4) == Position("44").play("5") == Position("44").play("e") == Position("445")
        True
        >>> Position("44").play("536") == Position("44536")
        True
        """
        if isinstance(column, str):
            return forms.play_on(self, column)
        column = index(column)  # a numpy integer would overflow
        board = self.board
        if not 0 <= column < board.columns:
            raise IllegalMoveError(
                f"there is no column {column} on a {board} board, counted from 0 to {board.columns - 1}"
            )
        if self.is_over:
            raise IllegalMoveError(f"the game is over ({describe_end(self)})")
        stone = self.playable & board.column_squares(column)
        if not stone:
            raise IllegalMoveError(f"column {column + 1} is full")
        if self.to_move is Side.WHITE:
            return Position(board, self.white | stone, self.black)
        return Position(board, self.white, self.black | stone)

    def mirror(self) -> Position:
        """The position seen from behind the board."""
        return Position(self.board, self.board.mirror(self.white), self.board.mirror(self.black))

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

    def __repr__(self) -> str:
        """Text that makes the position: moves that lead to it, or the board where no game does."""
        try:
            text = forms.write(self)
        except PositionError:
            text = str(self).replace("\n", "/")
        return f"Position({text!r})" if self.board == Board() else f"Position({text!r}, board={self.board!r})"

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return forms.draw(self)

    def __str__(self) -> str:
        """The board as text: rows from the top, `x` White, `o` Black, `.` empty."""
        return "\n".join(
            "".join(self.stone_at(self.board.square(column, row)) for column in range(self.board.columns))
            for row in reversed(range(self.board.rows))
        )

    def stone_at(self, square: Square) -> str:
        """`x` for a White stone, `o` for a Black one, `.` for an empty square."""
        return "x" if self.white >> square & 1 else "o" if self.black >> square & 1 else "."


_set = object.__setattr__  # the way into a frozen dataclass


def _is_missing(*_: object) -> NoReturn:
    raise PositionError("positions are read from text, written and drawn once claimeven.Position was asked for")


@dataclass(slots=True)
class Forms:
    """The forms in which people give and see positions.

    What makes them is built on positions and not the other way round, so it puts itself here: `notation` and, for the
    pictures, the front door.
    """

    parse: Callable[[str, Board | None, str], Position] = _is_missing
    play_on: Callable[[Position, str], Position] = _is_missing
    write: Callable[[Position], str] = _is_missing
    draw: Callable[[Position], str] = _is_missing


forms = Forms()


def has_line(board: Board, stones: Bitboard) -> bool:
    """Whether the stones contain `connect` in a line."""
    for shifts in board.line_shifts:
        run = stones
        for shift in shifts:
            run &= run >> shift
        if run:
            return True
    return False


def describe_end(position: Position) -> str:
    """How a finished game ended, in words."""
    return f"{position.winner} has won" if position.winner else "the board is full"
