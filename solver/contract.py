"""The JSON contract: one object for what is known of a position, the same from every command and from the library.

moves       the game that leads to the position, as it was given or as column string
board       columns x rows, and x how many win if not four
ply         the number of stones played
to_move     "white" or "black"
value       "white", "draw", "black", "not-white", "not-black" or "unknown"
score       the exact score for the side to move (0 draw, positive a win, the larger the sooner), or null
source      "terminal", "rules", "search", "retrograde", "book", "import", or null if nothing is known
best_moves  the columns, from 1, of the moves that no other move beats, or null where that is not known
proof       {"controller", "win_condition", "solutions"} of a rule proof that the checker accepted, or null
children    where moves were asked for, one object a legal move: column, square, value, score (for the side that
            makes the move) and source
line        where it was asked for, the columns of a game that both sides play best
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimeven.solver.position import Position
    from claimeven.solver.proof.certificate import Certificate
    from claimeven.solver.verdict import Verdict

FIELDS = ("moves", "board", "ply", "to_move", "value", "score", "source", "best_moves", "proof")


def describe_position(
    moves: str,
    position: Position,
    verdict: Verdict,
    *,
    best_columns: Sequence[int] = (),
    certificate: Certificate | None = None,
    children: Iterable[dict[str, Any]] | None = None,
    line: Sequence[int] | None = None,
) -> dict[str, Any]:
    """The object for a position; columns are counted from 0 here and from 1 in it.

    >>> from claimeven.solver.position import Position
    >>> from claimeven.solver.verdict import UNKNOWN
    >>> described = describe_position("", Position.start(), UNKNOWN)
    >>> tuple(described) == FIELDS, described["value"], described["source"]
    (True, 'unknown', None)
    """
    from claimeven.solver.proof.certificate import certificate_to_json

    described = {
        "moves": moves,
        "board": str(position.board),
        "ply": position.ply,
        "to_move": position.to_move.value,
        **describe_verdict_fields(verdict),
        "best_moves": [column + 1 for column in best_columns] or None,
        "proof": None if certificate is None else certificate_to_json(certificate),
    }
    if children is not None:
        described["children"] = list(children)
    if line is not None:
        described["line"] = [column + 1 for column in line]
    return described


def describe_move(column: int, square: str, verdict: Verdict) -> dict[str, Any]:
    """The object for a move, from the verdict of the position after it; its score is for the side that makes it."""
    fields = describe_verdict_fields(verdict)
    score = fields["score"]
    return {"column": column + 1, "square": square, **fields, "score": None if score is None else -score}


def describe_verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """The fields that tell a verdict."""
    return {
        "value": str(verdict.bounds),
        "score": verdict.score,
        "source": None if verdict.source is None else str(verdict.source),
    }
