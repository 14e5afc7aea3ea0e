"""A second check of diagrams, slow and plain: lists of characters, and no line shared with the first.

It is written from the definition alone, to be read beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimeven.solver.position import Position
    from claimeven.solver.solution.diagram import Claim, PriorityDiagram

Grid = tuple[str, ...]
"""Rows from the bottom, `x` the controller, `o` the opponent, `.` empty."""


def is_valid_diagram(board_rows: Sequence[str], digit_rows: Sequence[str], *, is_win: bool, connect: int = 4) -> bool:
    """Whether following the digits from a position with the controller (`x`) to move is a proof; rows from the top.

    >>> is_valid_diagram(["...", "xo.", "xox"], ["012", "..3", "..."], is_win=False, connect=3)
    True
    >>> is_valid_diagram(["...", "xo.", "xo."], ["111", "..1", "..1"], is_win=False, connect=3)
    True
    """
    grid = tuple(reversed([str(row) for row in board_rows]))
    digits = tuple(reversed([str(row) for row in digit_rows]))
    for row, line in enumerate(grid):
        for column, stone in enumerate(line):
            if stone == "." and digits[row][column] not in "0123456789":
                return False
    waiting = [grid]
    met = {grid}
    while waiting:
        grid = waiting.pop()
        square = _controllers_square(grid, digits, connect)
        if square is None:
            return False
        after = _put(grid, square, "x")
        if _makes_line(after, square, connect):
            continue
        replies = _playable(after)
        if not replies and is_win:
            return False
        for reply in replies:
            replied = _put(after, reply, "o")
            if _makes_line(replied, reply, connect):
                return False
            if not _playable(replied):
                if is_win:
                    return False
                continue
            if replied not in met:
                met.add(replied)
                waiting.append(replied)
    return True


def _controllers_square(grid: Grid, digits: Grid, connect: int) -> tuple[int, int] | None:
    playable = _playable(grid)
    for stone in "xo":
        for square in playable:
            if _makes_line(_put(grid, square, stone), square, connect):
                return square
    for level in "0123456789":
        carrying = [(column, row) for column, row in playable if digits[row][column] == level]
        if len(carrying) == 1:
            return carrying[0]
    return None


def _playable(grid: Grid) -> list[tuple[int, int]]:
    """The lowest empty square of every column that is not full, from the left, as column and row."""
    found = []
    for column in range(len(grid[0])):
        for row in range(len(grid)):
            if grid[row][column] == ".":
                found.append((column, row))
                break
    return found


def _put(grid: Grid, square: tuple[int, int], stone: str) -> Grid:
    column, row = square
    line = grid[row]
    return (*grid[:row], line[:column] + stone + line[column + 1 :], *grid[row + 1 :])


def _makes_line(grid: Grid, square: tuple[int, int], connect: int) -> bool:
    """Whether the stone on a square is part of a line."""
    column, row = square
    stone = grid[row][column]
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while 0 <= x < len(grid[0]) and 0 <= y < len(grid) and grid[y][x] == stone:
                length += 1
                x, y = x + sign * right, y + sign * up
        if length >= connect:
            return True
    return False


def check_by_text(diagram: PriorityDiagram, position: Position, claim: Claim) -> str | None:
    """The plain check for whoever has values and no text; None, or that the diagram is refused."""
    own = "xo"[position.ply % 2]
    swap = str.maketrans({own: "x", "o" if own == "x" else "x": "o"})
    rows = [row.translate(swap) for row in str(position).splitlines()]
    connect = position.board.connect
    valid = is_valid_diagram(rows, diagram.rows, is_win=str(claim) == "win", connect=connect)
    return None if valid else "the plain check refuses it"
