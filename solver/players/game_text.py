"""Games and their moves as text: what people write on a command line and what is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from claimeven.solver.board import column_name, column_number
from claimeven.solver.players.game import Cell, Game, GameError, Move, State

_SIZE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})(?:x([0-9]{1,3}))?")
_CELL = re.compile(r"([a-z])([0-9]{1,2})")


def parse_game(board: str = "7x6", *, gravity: bool = True, blocked: str | None = None) -> Game:
    """The game on a board written `WIDTHxHEIGHT` or `WIDTHxHEIGHTxCONNECT`; raises GameError if there is none.

    >>> str(parse_game("9x9x5", gravity=False, blocked="e5"))
    '9x9x5 without gravity, e5 blocked'
    """
    match = _SIZE.fullmatch(board.strip().lower())
    if match is None:
        raise GameError(f"{board!r} is not a board; write WIDTHxHEIGHT, for example 7x6")
    width, height, connect = (int(number) for number in match.groups(default="4"))
    game = Game(width, height, connect, gravity)
    return game if blocked is None else Game(width, height, connect, gravity, parse_cell(game, blocked))


def parse_cell(game: Game, text: str) -> Cell:
    """The cell with a name such as `d1`; raises GameError if there is none."""
    match = _CELL.fullmatch(text.strip().lower())
    if match is None:
        raise GameError(f"{text!r} is not a cell; write a column letter and a row number, as in d1")
    column, row = column_number(match[1]), int(match[2]) - 1
    if not (0 <= column < game.width and 0 <= row < game.height):
        raise GameError(f"{text!r} is outside the board of {game}")
    return column * game.height + row


def parse_move(state: State, text: str) -> Move:
    """A legal move: a column by number or letter, a cell by name; raises GameError if it cannot be played.

    >>> parse_move(State.start(Game()), "d"), parse_move(State.start(Game()), "4")
    (3, 3)
    """
    game, text = state.game, text.strip().lower()
    move = read_column(text) if game.gravity else parse_cell(game, text)
    if move is None or move not in state.legal_moves:
        raise GameError(f"{text!r} cannot be played; {_name_moves(state)}")
    return move


def parse_moves(game: Game, text: str) -> tuple[Move, ...]:
    """The moves of a game, without or with spaces or commas between them; raises GameError, naming the move.

    Without spaces they are columns of one digit, or of one letter each.

    >>> parse_moves(Game(), "4453") == parse_moves(Game(), "4 4 5 3") == parse_moves(Game(), "ddec")
    True
    >>> parse_moves(Game(3, 3, 3, gravity=False), "a1 b2")
    (0, 4)
    """
    words = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    if len(words) == 1 and game.gravity and (game.width <= 9 or words[0].isalpha()):
        words = list(words[0])
    state = State.start(game)
    for number, word in enumerate(words, start=1):
        try:
            state = state.play(parse_move(state, word))
        except GameError as error:
            raise GameError(f"move {number}: {error}") from None
    return state.moves


def format_moves(game: Game, moves: Iterable[Move]) -> str:
    """The moves as text that `parse_moves` reads: the column string up to nine columns, else words.

    >>> format_moves(Game(), (3, 3, 4)), format_moves(Game(12, 4), (0, 11)), format_moves(Game(gravity=False), (0, 7))
    ('445', '1 12', 'a1 b2')
    """
    joint = "" if game.gravity and game.width <= 9 else " "
    return joint.join(game.describe_move(move) for move in moves)


def draw(state: State) -> str:
    """The board for a terminal: numbers of the columns below it with gravity, names of cells around it without.

    >>> print(draw(State.start(Game(4, 2)).play(3)))
    . . . .
    . . . x
    1 2 3 4
    """
    game = state.game
    if game.gravity:
        return number_columns(str(state))
    margins = [f"{row:>2} " for row in range(game.height, 0, -1)] + ["   "]
    lines = _label(str(state), [column_name(column) for column in range(game.width)])
    return "\n".join(margin + line for margin, line in zip(margins, lines, strict=True))


def number_columns(board: str) -> str:
    """A board as text, a character a square, spread out and with the numbers of its columns below it."""
    columns = len(board.splitlines()[0])
    return "\n".join(_label(board, [str(column + 1) for column in range(columns)]))


def _label(board: str, labels: Sequence[str]) -> list[str]:
    """The rows of a board, and below them a label for every column."""
    width = len(str(len(labels)))
    return [" ".join(f"{cell:>{width}}" for cell in row) for row in [*board.splitlines(), labels]]


def read_column(text: str) -> int | None:
    """The column with a number or a letter, which may be outside the board; None if the text is neither.

    >>> read_column("4"), read_column("d"), read_column("d4")
    (3, 3, None)
    """
    if text.isascii() and text.isdigit() and len(text) < 4:
        return int(text) - 1
    return column_number(text) if text.isascii() and text.isalpha() and len(text) == 1 else None


def _name_moves(state: State) -> str:
    if not state.legal_moves:
        return "the game is over"
    if not state.game.gravity:
        return "write a cell that is empty, as in " + state.game.describe_move(state.legal_moves[0])
    return "these columns can: " + ", ".join(state.game.describe_move(move) for move in state.legal_moves)
