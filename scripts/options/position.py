"""The position that a command works on: MOVES, --board and --notation, in the same words for every command."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from claimeven.scripts.errors import InputError, reported_as
from claimeven.solver.board import Board, BoardError
from claimeven.solver.notation import AUTO, NOTATIONS, NotationError, format_moves, parse_moves, parse_position
from claimeven.solver.position import Position

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class GivenPosition:
    """A position together with the text that it was read from."""

    position: Position
    text: str
    notation: str

    @property
    def moves(self) -> str:
        """The position as a column string, or the text as it was given if no game leads there."""
        try:
            board = self.position.board
            return format_moves(parse_moves(self.text, board, self.notation), board)
        except NotationError:
            return self.text

    @property
    def as_arguments(self) -> str:
        """The arguments that mean this position, to be put into a command that is shown to the user."""
        board = self.position.board
        arguments = [self.moves] if self.moves else []
        return shlex.join(arguments if board == Board() else [*arguments, "--board", str(board)])


def position_argument(command: Command) -> Command:
    """Add MOVES, `--board` and `--notation`; `read_position` takes their values."""
    for decorate in (
        click.option(
            "--notation",
            type=click.Choice(NOTATIONS),
            default=AUTO,
            show_default=True,
            help="How MOVES is written.",
        ),
        click.option(
            "--board",
            metavar="CxR",
            help="Columns x rows, and x how many in a line win if not four.  [default: 7x6, or what MOVES shows]",
        ),
        click.argument("moves", nargs=-1, metavar="[MOVES]"),
    ):
        command = decorate(command)
    return command


def read_position(moves: tuple[str, ...], board: str | None, notation: str) -> GivenPosition:
    """The position that the user means: the empty board without MOVES, and what stdin says for `-`."""
    with reported_as("--board", BoardError):
        size = None if board is None else Board.parse(board)
    text = " ".join(moves)
    if text == "-":
        text = _read_stdin()
    with reported_as("MOVES", NotationError):
        return GivenPosition(parse_position(text.strip(), size, notation), text.strip(), notation)


def _read_stdin() -> str:
    if sys.stdin is None:
        raise InputError("MOVES: stdin is closed")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("MOVES: what stdin gives is not text") from None
