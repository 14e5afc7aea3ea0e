"""The notation of Allis' thesis: the square of every stone, with move numbers, `1. d1, d2 2. c1, d3 3. e1`.

The plain form without numbers, `d1 d2 c1`, is read too; commas are optional, capitals allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from claimeven.solver.board import Board, BoardError, column_name
from claimeven.solver.notation.error import NotationError, quote

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)\.|(?P<square>[A-Za-z]{1,2}[0-9]+)(?![A-Za-z0-9.])|(?P<comma>,)|(?P<other>\S))"
)


def parse(text: str, board: Board) -> tuple[int, ...]:
    """The columns of the squares, from 0; raises NotationError if a stone would not come to lie on its square.

    A message counts moves in stones, as everywhere else. Move numbers must be right where they stand, and
    stand before all White's moves or before none. Whether the game was over before the last move is not
    looked at.

    >>> parse("1. d1, d2 2. c1, d3 3. e1", Board(7, 6)), parse("d1 d2 c1", Board(7, 6))
    ((3, 3, 2, 3, 4), (3, 3, 2))
    """
    columns: list[int] = []
    height = [0] * board.columns
    numbered = False
    previous = None
    for kind, token, place in _tokens(text):
        white = len(columns) % 2 == 0
        where = f"move {len(columns) + 1} (character {place})"
        if kind == "number":
            numbered = _check_number(token, where, len(columns), numbered, previous)
        elif kind == "square":
            if numbered and white and previous != "number":
                raise NotationError(f"{where}: the move number {len(columns) // 2 + 1}. is missing before {token}")
            column = _landing_column(token, where, board, height)
            height[column] += 1
            columns.append(column)
        elif kind == "other" or previous != "square":
            raise NotationError(f"{where}: expected a square such as d1, found {quote(token)}")
        previous = kind
    if previous in ("number", "comma"):
        raise NotationError(f"move {len(columns) + 1}: the text ends where a square is expected")
    return tuple(columns)


def write(columns: Iterable[int], board: Board) -> str:
    """The numbered notation of `columns`, which are counted from 0.

    >>> write((3, 3, 2, 3, 4), Board(7, 6))
    '1. d1, d2 2. c1, d3 3. e1'
    """
    height = [0] * board.columns
    words = []
    for ply, column in enumerate(columns):
        square = board.name(board.square(column, height[column]))
        height[column] += 1
        words.append(f", {square}" if ply % 2 else f"{' ' if ply else ''}{ply // 2 + 1}. {square}")
    return "".join(words)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """The kind, the text and the place (from 1) of every token."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is not None:
            yield kind, match[kind], match.start(kind) + 1


def _check_number(token: str, where: str, ply: int, numbered: bool, previous: str | None) -> bool:
    """That a move number is right and in its place; returns True, for there are numbers."""
    expected = str(ply // 2 + 1)
    if ply % 2 or previous == "number":
        raise NotationError(f"{where}: expected a square, found the move number {quote(token + '.')}")
    if ply and not numbered:
        raise NotationError(f"{where}: a move number, although the moves before it have none")
    if token != expected:
        raise NotationError(f"{where}: the move number should be {expected}., not {quote(token + '.')}")
    return True


def _landing_column(name: str, where: str, board: Board, height: list[int]) -> int:
    """The column of a square on which the next stone of that column comes to lie."""
    try:
        square = board.find_square(name)
    except BoardError as error:
        raise NotationError(f"{where}: {error}") from None
    column, row = board.column_of(square), board.row_of(square)
    if row != height[column]:
        fault = f"{board.name(square)} is taken" if row < height[column] else f"a stone cannot stay on {name}"
        landing = f"{column_name(column)}{height[column] + 1}"
        remedy = f"it would fall on {landing}" if height[column] < board.rows else "the column is full"
        raise NotationError(f"{where}: {fault}; {remedy}")
    return column
