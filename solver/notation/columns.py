"""The column string: one symbol a stone, White's first, the empty string for the empty board.

Up to nine columns the symbols are digits, `4455`, counted from 1 or, as some programs do, from 0. On a wider
board they are letters, `ddee`, or numbers with commas between them, `4,4,5,5`; numbers with commas are read
on every board. A board of more than 26 columns has numbers only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from claimeven.solver.board import Board, column_number
from claimeven.solver.notation.error import NotationError, quote
from claimeven.solver.position import IllegalMoveError, Position, has_line

DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

# Not str.isdigit and not \d: both also take the digits of other scripts, and int() then reads them.
_NUMBER = re.compile("0|[1-9][0-9]?")
_ONE = ord("1")


def parse(text: str, board: Board, base: int = 1) -> tuple[int, ...]:
    """The columns of a column string, from 0; raises NotationError for one that does not exist or is full.

    Whether the game was over before the last move is not looked at.

    >>> parse("4455", Board(7, 6)), parse("3344", Board(7, 6), base=0), parse("ak", Board(12, 4))
    ((3, 3, 4, 4), (3, 3, 4, 4), (0, 10))
    """
    columns: list[int] = []
    height = [0] * board.columns
    listed, names = _is_list(text, board), alphabet(board, base)
    for number, (place, symbol) in enumerate(_symbols(text, board), start=1):
        column = _find_column(symbol, listed, names, base)
        if not 0 <= column < board.columns:
            raise NotationError(
                f"move {number} (character {place}): {quote(symbol)} is not a column of the {board} board "
                f"({_expected(board, base)})"
            )
        if height[column] == board.rows:
            raise NotationError(f"move {number} (character {place}): column {symbol} is full")
        height[column] += 1
        columns.append(column)
    return tuple(columns)


def play_plain(text: str, board: Board) -> Position | None:
    """The position of a plain column string, digits counted from 1: the quick way for the most common notation.

    None for everything else, the strings that are wrong included: reading it step by step tells what it is.

    >>> play_plain("4455", Board(7, 6)) == Position.from_moves(Board(7, 6), [3, 3, 4, 4])
    True
    >>> play_plain("41424344", Board(7, 6)), play_plain("d1 d2", Board(7, 6)), play_plain("4405", Board(7, 6))
    (None, None, None)
    """
    width, beyond = board.columns, board.bottom << board.rows
    if width > 9 or not text.isascii():
        return None
    lowest_free = [1 << column * board.stride for column in range(width)]
    mover = other = stone = 0
    for symbol in text.encode():
        column = symbol - _ONE
        if not 0 <= column < width:
            return None
        stone = lowest_free[column]
        if stone & beyond:
            return None
        lowest_free[column] = stone << 1
        mover, other = other, mover | stone
    # A line stays, so one look at the end finds every game that went on after its end.
    if has_line(board, mover) or has_line(board, other ^ stone):
        return None
    return Position(board, other, mover) if len(text) % 2 else Position(board, mover, other)


def play_on(position: Position, text: str) -> Position:
    """The position after more moves: one column by its letter, or a column string that counts from 1.

    Raises IllegalMoveError, which names the move.

    >>> play_on(Position.start(), "e") == play_on(Position.start(), "5"), play_on(Position.start(), "45364").ply
    (True, 5)
    """
    board = position.board
    letter = text.strip().lower()
    if letter.isascii() and letter.isalpha() and column_number(letter) < board.columns and len(letter) <= 2:
        return position.play(column_number(letter))
    listed, names = _is_list(text, board), alphabet(board)
    for number, (_, symbol) in enumerate(_symbols(text, board), start=1):
        column = _find_column(symbol, listed, names, base=1)
        if not 0 <= column < board.columns:
            raise IllegalMoveError(f"{quote(symbol)} is not a column of the {board} board ({_expected(board, 1)})")
        try:
            position = position.play(column)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number} of {quote(text)}: {error}") from None
    return position


def write(columns: Iterable[int], board: Board, base: int = 1) -> str:
    """The column string of `columns`, which are counted from 0.

    >>> write((3, 3, 4, 4), Board(7, 6)), write((0, 10), Board(12, 4)), write((0, 10), Board(12, 4), base=0)
    ('4455', 'ak', '0,10')
    """
    names = alphabet(board, base)
    if names and (base == 1 or board.columns <= 9):
        return "".join(names[column] for column in columns)
    return ",".join(str(column + base) for column in columns)


def column_base(text: str, board: Board) -> int | None:
    """Whether a column string counts from 0 or from 1, None if both are possible.

    Only a string with a column 0 counts from 0, and only one with a column W, the board's width, from 1.
    Raises NotationError for a string that has both.

    >>> [column_base(text, Board(7, 6)) for text in ("40", "47", "45")]
    [0, 1, None]
    """
    symbols = {symbol for _, symbol in _symbols(text, board)}
    if "0" in symbols and str(board.columns) in symbols:
        raise NotationError(
            f"{quote(text)} has a column 0 and a column {board.columns}: "
            f"the {board.columns} columns are counted neither from 0 nor from 1"
        )
    return 0 if "0" in symbols else 1 if str(board.columns) in symbols else None


def alphabet(board: Board, base: int = 1) -> str:
    """The columns' names of one character; empty on a board that has too many columns for them.

    >>> alphabet(Board(7, 6)), alphabet(Board(7, 6), base=0), alphabet(Board(12, 4))
    ('1234567', '0123456', 'abcdefghijkl')
    """
    if board.columns <= 9:
        return DIGITS[base : base + board.columns]
    return LETTERS[: board.columns] if board.columns <= len(LETTERS) else ""


def _is_list(text: str, board: Board) -> bool:
    """Whether the text is numbers with commas between them; on a wide board a single number is."""
    return "," in text or (board.columns > 9 and text.lstrip()[:1] in tuple(DIGITS))


def _symbols(text: str, board: Board) -> Iterator[tuple[int, str]]:
    """The symbols of a column string, each with the number of its first character, from 1."""
    if _is_list(text, board):
        start = 1
        for field in text.split(","):
            yield start + len(field) - len(field.lstrip()), field.strip()
            start += len(field) + 1
    else:
        yield from enumerate(text.strip(), len(text) - len(text.lstrip()) + 1)


def _find_column(symbol: str, listed: bool, names: str, base: int) -> int:
    """The column of a symbol, negative or too large if there is none."""
    if listed:
        return int(symbol) - base if _NUMBER.fullmatch(symbol) else -1
    # lower() makes ASCII letters of some others, of the Kelvin sign for one.
    return names.find(symbol.lower() if symbol.isascii() else symbol)


def _expected(board: Board, base: int) -> str:
    numbers = f"{base} to {board.columns - 1 + base}"
    if board.columns <= 9:
        return numbers
    if board.columns <= len(LETTERS):
        return f"a to {LETTERS[board.columns - 1]}, or {numbers} with commas between them"
    return f"{numbers}, with commas between them"
