"""The notations in which people write positions: one module each, and here the way to all of them.

A *move* notation lists the moves of a game in their order, a *stone* notation what lies on every square.
Where moves are asked of stones, some game that leads to them is made up (`some_moves`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from claimeven.solver.board import Board
from claimeven.solver.notation import allis, board_text, columns, kaggle, online, player_protocol, uci
from claimeven.solver.notation.error import NotationError, quote
from claimeven.solver.notation.move_order import some_moves
from claimeven.solver.position import IllegalMoveError, Position, PositionError, forms

__all__ = [
    "AUTO",
    "MOVE_NOTATIONS",
    "NOTATIONS",
    "STONE_NOTATIONS",
    "NotationError",
    "detect_notation",
    "format_moves",
    "format_position",
    "parse_moves",
    "parse_position",
    "some_moves",
]

AUTO = "auto"

_MOVE_READERS: dict[str, Callable[[str, Board], tuple[int, ...]]] = {
    "columns": columns.parse,
    "columns0": partial(columns.parse, base=0),
    "allis": allis.parse,
    "online": online.parse,
}
_MOVE_WRITERS: dict[str, Callable[[Iterable[int], Board], str]] = {
    "columns": columns.write,
    "columns0": partial(columns.write, base=0),
    "allis": allis.write,
    "online": online.write,
}
_STONE_READERS: dict[str, Callable[[str, Board | None], Position]] = {
    "board": board_text.parse,
    "kaggle": kaggle.parse,
    "json": player_protocol.parse,
    "uci": uci.parse,
}
_STONE_WRITERS: dict[str, Callable[[Position], str]] = {
    "board": board_text.write,
    "kaggle": kaggle.write,
    "json": player_protocol.write,
    "uci": uci.write,
}

MOVE_NOTATIONS = tuple(_MOVE_READERS)
STONE_NOTATIONS = tuple(_STONE_READERS)
NOTATIONS = (AUTO, *MOVE_NOTATIONS, *STONE_NOTATIONS)

# What a text begins with, in a notation that can be told by that.
_FORMS = (
    (re.compile(re.escape(online.PREFIX)), "online"),
    (re.compile(r"\{"), "json"),
    (re.compile(r"\["), "kaggle"),
    (re.compile(r"[xob]\s*,"), "uci"),
    (re.compile(r"[0-9]+\.|[A-Za-z]{1,2}[0-9]"), "allis"),
)
_DRAWING = re.compile(r"[.xoXO/\s]+")


def parse_position(text: str, board: Board | None = None, notation: str = AUTO) -> Position:
    """The position that `text` means; raises NotationError, and nothing else, if it means none.

    Without a board it is the one that the text shows (`board`, `json`), otherwise 7x6.

    >>> parse_position("4455") == parse_position("1. d1, d2 2. e1, e2") == parse_position("pos=4455")
    True
    """
    if notation in (AUTO, "columns") and (plain := columns.play_plain(text, board or Board())) is not None:
        return plain
    notation = _resolve(text, board, notation)
    if notation in _STONE_READERS:
        return _STONE_READERS[notation](text, board)
    return _play(_MOVE_READERS[notation](text, board or Board()), board or Board())


def parse_moves(text: str, board: Board | None = None, notation: str = AUTO) -> tuple[int, ...]:
    """The columns, from 0, of the game that `text` means; raises NotationError if it means none.

    >>> parse_moves("4455"), parse_moves("d1 d2 e1 e2")
    ((3, 3, 4, 4), (3, 3, 4, 4))
    """
    notation = _resolve(text, board, notation)
    if notation in _STONE_READERS:
        position = _STONE_READERS[notation](text, board)
        try:
            return some_moves(position)
        except PositionError as error:
            raise NotationError(str(error)) from None
    moves = _MOVE_READERS[notation](text, board or Board())
    _play(moves, board or Board())
    return moves


def format_position(position: Position, notation: str = "columns") -> str:
    """The position in a notation; raises PositionError if moves are asked for and no game leads to it.

    >>> position = parse_position("4455")
    >>> format_position(position, "allis")
    '1. d1, d2 2. e1, e2'
    """
    if notation in _STONE_WRITERS:
        return _STONE_WRITERS[notation](position)
    return _move_writer(notation)(some_moves(position), position.board)


def format_moves(moves: Iterable[int], board: Board | None = None, notation: str = "columns") -> str:
    """The game of these columns, counted from 0, in a notation; raises IllegalMoveError if there is none.

    >>> format_moves((3, 6, 4), notation="online")
    'pos=475'
    """
    board = board or Board()
    moves = tuple(moves)
    position = Position.from_moves(board, moves)
    if notation in _STONE_WRITERS:
        return _STONE_WRITERS[notation](position)
    return _move_writer(notation)(moves, board)


def detect_notation(text: str, board: Board | None = None) -> str:
    """The notation that a text is written in, going by its form.

    A column string counts from 1 unless it has a column 0. Text of no known form is called `columns`, where
    reading it tells what is wrong. Raises NotationError for column strings that have both ends' marks, a
    column 0 and a column W.

    >>> [detect_notation(text) for text in ("", "4455", "4405", "d1 d2", "pos=44", "[0, 1]", "x,b,o")]
    ['columns', 'columns', 'columns0', 'allis', 'online', 'kaggle', 'uci']
    """
    board = board or Board()
    text = text.strip()
    for form, notation in _FORMS:
        if form.match(text):
            return notation
    # On a wide board x and o may be columns.
    if _DRAWING.fullmatch(text) and not set(text.lower()) <= set(columns.alphabet(board)):
        return "board"
    return "columns0" if columns.column_base(text, board) == 0 else "columns"


def _resolve(text: str, board: Board | None, notation: str) -> str:
    if notation == AUTO:
        return detect_notation(text, board)
    if notation not in NOTATIONS:
        raise NotationError(_unknown(notation, NOTATIONS))
    return notation


def _move_writer(notation: str) -> Callable[[Iterable[int], Board], str]:
    if notation not in _MOVE_WRITERS:
        raise NotationError(_unknown(notation, NOTATIONS[1:]))
    return _MOVE_WRITERS[notation]


def _unknown(notation: str, known: tuple[str, ...]) -> str:
    return f"{quote(notation)} is not one of the notations {', '.join(known)}"


def _play(moves: tuple[int, ...], board: Board) -> Position:
    try:
        return Position.from_moves(board, moves)
    except IllegalMoveError as error:
        raise NotationError(str(error)) from None


forms.parse, forms.play_on, forms.write = parse_position, columns.play_on, format_position
