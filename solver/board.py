"""The geometry of a board: its squares, their names, and its groups.

Squares are bit numbers, column by column from the left, each column from the bottom, with one spare
bit on top of every column. On 7x6:

     6 13 20 27 34 41 48    the spare bits
     5 12 19 26 33 40 47    row 6
     4 11 18 25 32 39 46    row 5
     3 10 17 24 31 38 45    row 4
     2  9 16 23 30 37 44    row 3
     1  8 15 22 29 36 43    row 2
     0  7 14 21 28 35 42    row 1
     a  b  c  d  e  f  g
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

Square: TypeAlias = int
Bitboard: TypeAlias = int

MAX_BITS = 64
MIN_CONNECT = 3


class BoardError(ValueError):
    """A board, or a square on it, that does not exist.

    >>> try:
    ...     Board(20, 20)
    ... except BoardError as error:
    ...     print(error)
    20x20 is too large: columns * (rows + 1) may be 64 at most, here it is 420
    """


@dataclass(frozen=True, repr=False)
class Board:
    """A board of `columns` x `rows` squares on which `connect` in a line win.

    >>> board = Board(7, 6)
    >>> str(board), len(board.groups), board.name(board.square(3, 0))
    ('7x6', 69, 'd1')
    """

    columns: int = 7
    rows: int = 6
    connect: int = 4

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise BoardError(f"a board needs at least one column and one row, not {self.columns}x{self.rows}")
        if self.columns * (self.rows + 1) > MAX_BITS:
            raise BoardError(
                f"{self.columns}x{self.rows} is too large: columns * (rows + 1) may be {MAX_BITS} at most, "
                f"here it is {self.columns * (self.rows + 1)}"
            )
        if self.connect < MIN_CONNECT:
            raise BoardError(f"connect must be {MIN_CONNECT} or more, not {self.connect}")

    @classmethod
    def parse(cls, text: str) -> Board:
        """The board written `COLUMNSxROWS`, or `COLUMNSxROWSxCONNECT`.

        >>> Board.parse("6x4"), Board.parse("5x4x3").connect
        (Board(6, 4), 3)
        """
        match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})(?:x([0-9]{1,3}))?", text.strip().lower())
        if match is None:
            raise BoardError(f"{text!r} is not a board; write COLUMNSxROWS, for example 7x6")
        columns, rows, connect = match.groups(default="4")
        return cls(int(columns), int(rows), int(connect))

    def __repr__(self) -> str:
        return f"Board({self.columns}, {self.rows}{'' if self.connect == 4 else f', {self.connect}'})"

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}" + ("" if self.connect == 4 else f"x{self.connect}")

    @property
    def cells(self) -> int:
        """The number of squares."""
        return self.columns * self.rows

    @property
    def stride(self) -> int:
        """The distance in bits from a square to the one on its right."""
        return self.rows + 1

    @cached_property
    def bottom(self) -> Bitboard:
        """The squares of row 1."""
        return sum(1 << column * self.stride for column in range(self.columns))

    @cached_property
    def squares(self) -> Bitboard:
        """All squares of the board."""
        return self.bottom * ((1 << self.rows) - 1)

    @cached_property
    def odd_squares(self) -> Bitboard:
        """The squares of rows 1, 3, 5, ..."""
        return self.bottom * sum(1 << row for row in range(0, self.rows, 2))

    @cached_property
    def top(self) -> Bitboard:
        """The squares of the highest row."""
        return self.bottom << (self.rows - 1)

    @cached_property
    def line_shifts(self) -> tuple[tuple[int, ...], ...]:
        """For each direction the shifts after which only the ends of lines are left of stones; each may double a run.

        >>> Board().line_shifts
        ((1, 2), (7, 14), (8, 16), (6, 12))
        """
        runs = [1]
        while runs[-1] < self.connect:
            runs.append(min(2 * runs[-1], self.connect))
        steps = (1, self.stride, self.stride + 1, self.stride - 1)
        return tuple(tuple(step * (longer - run) for run, longer in pairwise(runs)) for step in steps)

    def column_squares(self, column: int) -> Bitboard:
        """All squares of one column."""
        return ((1 << self.rows) - 1) << (column * self.stride)

    def square(self, column: int, row: int) -> Square:
        """The square in `column` and `row`, both counted from 0."""
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise BoardError(f"column {column + 1}, row {row + 1} is outside the {self} board")
        return column * self.stride + row

    def column_of(self, square: Square) -> int:
        """The column of a square, from 0."""
        return square // self.stride

    def row_of(self, square: Square) -> int:
        """The row of a square, from 0."""
        return square % self.stride

    def name(self, square: Square) -> str:
        """The name of a square: `a1` is the bottom of the left column."""
        return f"{column_name(self.column_of(square))}{self.row_of(square) + 1}"

    def find_square(self, name: str) -> Square:
        """The square called `name`; raises BoardError if there is none.

        >>> Board(7, 6).find_square("d1")
        21
        """
        match = re.fullmatch(r"([A-Za-z]{1,2})([1-9][0-9]?)", name.strip())
        if match is None:
            raise BoardError(f"{name!r} is not a square; write a column letter and a row number, as in d1")
        column, row = column_number(match[1].lower()), int(match[2]) - 1
        if column >= self.columns or row >= self.rows:
            raise BoardError(f"{name!r} is outside the {self} board")
        return self.square(column, row)

    def names(self, squares: Bitboard | Iterable[Square]) -> list[str]:
        """The names of several squares, a bitboard's from the left and from the bottom."""
        return [self.name(square) for square in (bits(squares) if isinstance(squares, int) else squares)]

    @cached_property
    def groups(self) -> tuple[Bitboard, ...]:
        """Every line of `connect` squares, the order fixed: by lowest square, then by direction."""
        steps = (1, self.stride, self.stride + 1, self.stride - 1)  # vertical, horizontal, rising, falling
        columns_right = (0, 1, 1, 1)
        rows_up = (1, 0, 1, -1)
        reach = self.connect - 1
        return tuple(
            sum(1 << (square + i * step) for i in range(self.connect))
            for square in bits(self.squares)
            for step, right, up in zip(steps, columns_right, rows_up, strict=True)
            if self.column_of(square) + reach * right < self.columns
            and 0 <= self.row_of(square) + reach * up < self.rows
        )

    def mirror(self, squares: Bitboard) -> Bitboard:
        """The same squares seen from behind the board."""
        column = (1 << self.stride) - 1
        mirrored = 0
        for _ in range(self.columns):
            mirrored = mirrored << self.stride | squares & column
            squares >>= self.stride
        return mirrored

    def mirror_square(self, square: Square) -> Square:
        """The square on the other side of the middle."""
        return (self.columns - 1 - self.column_of(square)) * self.stride + self.row_of(square)


def bits(bitboard: Bitboard) -> Iterator[Square]:
    """The squares of a bitboard, lowest bit first.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while bitboard:
        lowest = bitboard & -bitboard
        yield lowest.bit_length() - 1
        bitboard ^= lowest


def column_name(column: int) -> str:
    """The letter of a column: a, b, ..., z, aa, ab, ...

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    return chr(97 + column) if column < 26 else column_name(column // 26 - 1) + column_name(column % 26)


def column_number(name: str) -> int:
    """The column with this letter, from 0.

    >>> column_number("d"), column_number("aa")
    (3, 26)
    """
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - 96
    return number - 1
