"""What a request asks about: a position in any notation, on any board, within the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.reports.web.problem import Problem
from claimeven.solver.board import Board, BoardError
from claimeven.solver.notation import (
    AUTO,
    MOVE_NOTATIONS,
    NOTATIONS,
    NotationError,
    detect_notation,
    format_moves,
    parse_moves,
    parse_position,
    some_moves,
)
from claimeven.solver.position import Position, PositionError

PATIENCE = 20_000
"""Positions that are tried to find a game that leads to given stones."""

YES, NO = frozenset({"1", "true", "yes", "on"}), frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A position, as it was given: `columns` are the moves if it was a game, else None."""

    position: Position
    text: str
    columns: tuple[int, ...] | None

    @property
    def moves(self) -> str:
        """The game as a column string, or the text as it was given if that was no game."""
        return self.text if self.columns is None else format_moves(self.columns, self.position.board)


def read_asked(fields: Mapping[str, str], most: int) -> Asked:
    """The position of the fields `pos` (or `moves`), `board` and `notation`; raises Problem for anything else."""
    text = fields.get("pos", fields.get("moves", ""))
    if len(text) > most:
        raise Problem(413, "size", f"a position may have {most:,} characters, this one has {len(text):,}")
    board_text, notation = fields.get("board"), fields.get("notation", AUTO)
    if notation not in NOTATIONS:
        raise Problem(400, "notation", f"the notations are {', '.join(NOTATIONS)}, not {notation[:40]!r}")
    try:
        board = None if not board_text else Board.parse(board_text[:20])
        text = text.strip()
        kind = detect_notation(text, board) if notation == AUTO else notation
        if kind in MOVE_NOTATIONS:
            columns = parse_moves(text, board, kind)
            return Asked(Position.from_moves(board or Board(), columns), text, columns)
        return Asked(parse_position(text, board, kind), text, None)
    except (BoardError, NotationError, PositionError) as error:
        raise Problem(400, "position", str(error)) from None


def find_game(asked: Asked) -> tuple[int, ...]:
    """The columns of a game that leads to the position: the one that was given or, for mere stones, some game."""
    if asked.columns is not None:
        return asked.columns
    try:
        return some_moves(asked.position, PATIENCE)
    except PositionError as error:
        raise Problem(422, "game", str(error)) from None


def read_flag(fields: Mapping[str, str], name: str) -> bool:
    """A yes or no, no if it is not there."""
    value = fields.get(name, "").lower()
    if value not in YES | NO:
        raise Problem(400, "parameter", f"{name} is 1 or 0, not {value[:40]!r}")
    return value in YES


def read_number(fields: Mapping[str, str], name: str, default: float, least: float, greatest: float) -> float:
    """A number within bounds."""
    text = fields.get(name)
    if text is None:
        return default
    try:
        number = float(text[:40])
    except ValueError:
        number = float("nan")
    if not least <= number <= greatest:
        raise Problem(400, "parameter", f"{name} is a number from {least:g} to {greatest:g}, not {text[:40]!r}")
    return number
