"""A row of the UCI connect-4 data set: every square as `x`, `o` or `b` for blank, with commas between them.

The squares come column by column from the left, each column from the bottom: a1, a2, ..., b1, ... A class,
`win`, `loss` or `draw` for x, may follow. x is White, who moved first.
"""

from __future__ import annotations

from typing import NamedTuple

from claimeven.solver.board import Board, bits
from claimeven.solver.notation.error import NotationError, count, quote
from claimeven.solver.notation.stones import EMPTY, FIRST, SECOND, place_stones
from claimeven.solver.position import Position

OUTCOMES = ("win", "loss", "draw")

_CELLS = {"b": EMPTY, "x": FIRST, "o": SECOND}


class Row(NamedTuple):
    """A position and, where the row has a class, what it is worth to White: one of OUTCOMES."""

    position: Position
    outcome: str | None


def parse_row(text: str, board: Board | None = None) -> Row:
    """The position and the class of a row, on the data set's 7x6 board if none is given.

    >>> row = parse_row("x,b,b,b,b,b," + "o,b,b,b,b,b," + "b," * 30 + "win")
    >>> row.position.ply, row.outcome
    (2, 'win')
    """
    board = board or Board()
    fields = [field.strip() for field in text.split(",")]
    outcome = fields.pop() if len(fields) == board.cells + 1 else None
    if len(fields) != board.cells:
        raise NotationError(
            f"the {board} board has {count(board.cells, 'square')}, the row has {count(len(fields), 'field')}"
        )
    cells = []
    for number, (square, field) in enumerate(zip(bits(board.squares), fields, strict=True), start=1):
        if field not in _CELLS:
            raise NotationError(f"field {number} ({board.name(square)}): expected x, o or b, found {quote(field)}")
        cells.append((square, _CELLS[field]))
    if outcome is not None and outcome not in OUTCOMES:
        raise NotationError(f"field {board.cells + 1}: expected win, loss or draw, found {quote(outcome)}")
    return Row(place_stones(board, cells), outcome)


def parse(text: str, board: Board | None) -> Position:
    """The position of a row; a class is read and dropped."""
    return parse_row(text, board).position


def write(position: Position, outcome: str | None = None) -> str:
    """The row of a position, with its class if one is given."""
    fields = [position.stone_at(square).replace(".", "b") for square in bits(position.board.squares)]
    return ",".join(fields if outcome is None else [*fields, outcome])
