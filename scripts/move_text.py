"""A move on one line, as every command that lists the moves of a position tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimeven.solver.analysis import MoveAnswer


def tell_move(move: MoveAnswer, best_columns: tuple[int, ...]) -> str:
    """A move on one line: a star if it is best, its column, square, value and score, and where those come from."""
    mark = "*" if move.column in best_columns else " "
    score = "" if move.score is None else f"{move.score:+d}" if move.score else "0"
    value, source = move.verdict.bounds.words, "" if move.source is None else str(move.source)
    return f"{mark} {move.column + 1:>2}  {move.square:<4}  {value:<20}  {score:>3}  {source}".rstrip()
