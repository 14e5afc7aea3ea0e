"""The general game that all players play: any size up to 12 x 12, any length, gravity or none, a blocked cell.

Cells are numbered column by column from the left, each column from the bottom: `column * height + row`. With gravity
a move is a column, without it is a cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from claimeven.solver.board import MAX_BITS, MIN_CONNECT, Board
from claimeven.solver.position import Position

Move: TypeAlias = int
Cell: TypeAlias = int

LARGEST = 12
EMPTY, FIRST, SECOND, BLOCKED = 0, 1, 2, 3


class GameError(ValueError):
    """A game, or a move in it, that does not exist."""


@dataclass(frozen=True)
class Game:
    """The rules of a game: `connect` of one side in a line win, a full board is a draw.

    The blocked cell belongs to nobody and no line goes through it. With gravity it counts as filled: stones lie below
    it, and then on top of it.

    >>> Game(9, 9, gravity=False).moves, Game().is_standard, Game(blocked=0).is_standard
    (81, True, False)
    """

    width: int = 7
    height: int = 6
    connect: int = 4
    gravity: bool = True
    blocked: Cell | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.width <= LARGEST and 1 <= self.height <= LARGEST):
            raise GameError(f"a game has 1 to {LARGEST} columns and rows, not {self.width}x{self.height}")
        if self.connect < MIN_CONNECT:
            raise GameError(f"connect must be {MIN_CONNECT} or more, not {self.connect}")
        if self.blocked is not None and not 0 <= self.blocked < self.cells:
            raise GameError(f"there is no cell {self.blocked} on a board of {self.cells} cells")

    @property
    def cells(self) -> int:
        """The number of cells, a blocked one included."""
        return self.width * self.height

    @property
    def moves(self) -> int:
        """How many moves there can be at most; a move is a number below it."""
        return self.width if self.gravity else self.cells

    @property
    def is_standard(self) -> bool:
        """Whether its states are positions that the solver knows."""
        fits = self.width * (self.height + 1) <= MAX_BITS
        return self.gravity and self.blocked is None and fits

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """All lines that win, each with its cells in order, without those through the blocked cell."""
        found = []
        for column in range(self.width):
            for row in range(self.height):
                for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_column, last_row = column + right * (self.connect - 1), row + up * (self.connect - 1)
                    if last_column < self.width and 0 <= last_row < self.height:
                        line = tuple(
                            (column + right * step) * self.height + row + up * step for step in range(self.connect)
                        )
                        if self.blocked not in line:
                            found.append(line)
        return tuple(found)

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
        """The lines through each cell."""
        return tuple(tuple(line for line in self.lines if cell in line) for cell in range(self.cells))

    def describe_move(self, move: Move) -> str:
        """A column by its number from 1, a cell by its name.

        >>> Game().describe_move(3), Game(gravity=False).describe_move(7)
        ('4', 'b2')
        """
        return str(move + 1) if self.gravity else f"{chr(ord('a') + move // self.height)}{move % self.height + 1}"

    def __str__(self) -> str:
        words = f"{self.width}x{self.height}" + ("" if self.connect == 4 else f"x{self.connect}")
        words += "" if self.gravity else " without gravity"
        if self.blocked is None:
            return words
        return f"{words}, {chr(ord('a') + self.blocked // self.height)}{self.blocked % self.height + 1} blocked"


@dataclass(frozen=True, slots=True)
class State:
    """A game under way: what is in each cell, and the moves that led here.

    `cells` holds EMPTY, FIRST, SECOND or BLOCKED for every cell. A state is a value: `play` gives a new one.

    >>> state = State.start(Game()).play_all([3, 3, 2, 2, 1, 1, 0])
    >>> state.winner, state.is_over, state.legal_moves
    (1, True, ())
    """

    game: Game
    cells: bytes
    moves: tuple[Move, ...] = ()
    winner: int | None = None

    @classmethod
    def start(cls, game: Game) -> State:
        """The empty board."""
        cells = bytearray(game.cells)
        if game.blocked is not None:
            cells[game.blocked] = BLOCKED
        return cls(game, bytes(cells))

    @property
    def to_move(self) -> int:
        """FIRST or SECOND."""
        return FIRST if len(self.moves) % 2 == 0 else SECOND

    @property
    def is_over(self) -> bool:
        return self.winner is not None or EMPTY not in self.cells

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves of the side to move, in order; none when the game is over."""
        if self.winner is not None:
            return ()
        if self.game.gravity:
            return tuple(column for column in range(self.game.width) if self.landing_cell(column) is not None)
        return tuple(cell for cell, content in enumerate(self.cells) if content == EMPTY)

    def landing_cell(self, move: Move) -> Cell | None:
        """The cell that a move fills; None if there is none left."""
        if not self.game.gravity:
            return move if self.cells[move] == EMPTY else None
        height = self.game.height
        cell = self.cells.find(EMPTY, move * height, (move + 1) * height)
        return None if cell < 0 else cell

    def play(self, move: Move) -> State:
        """The state after a move; raises GameError if it is not legal."""
        if self.winner is not None:
            raise GameError("the game is over")
        cell = self.landing_cell(move) if 0 <= move < self.game.moves else None
        if cell is None:
            raise GameError(f"{self.game.describe_move(move) if move >= 0 else move} cannot be played")
        mover = self.to_move
        cells = bytearray(self.cells)
        cells[cell] = mover
        won = any(all(cells[square] == mover for square in line) for line in self.game.lines_through[cell])
        return replace(self, cells=bytes(cells), moves=(*self.moves, move), winner=mover if won else None)

    def play_all(self, moves: Iterable[Move]) -> State:
        """The state after several moves."""
        state = self
        for move in moves:
            state = state.play(move)
        return state

    def to_position(self) -> Position:
        """The solver's position; raises GameError if the game is not a standard one."""
        if not self.game.is_standard:
            raise GameError(f"{self.game} is not a game that the solver knows")
        board = Board(self.game.width, self.game.height, self.game.connect)
        return Position.from_moves(board, self.moves)

    def __str__(self) -> str:
        """The board as text, the top row first; `x` moved first, `#` is blocked."""
        height = self.game.height
        return "\n".join(
            "".join(".xo#"[self.cells[column * height + row]] for column in range(self.game.width))
            for row in reversed(range(height))
        )
