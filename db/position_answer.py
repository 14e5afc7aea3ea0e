"""What a store says about a position: its own verdict, every move with its value, and the best moves.

Finished positions need no store, and where the positions after the moves are known, so is the one before them.
"""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.db.quick_reader import Reader
from claimeven.solver.analysis import Judged, MoveAnswer
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.verdict import (
    Bounds,
    ContradictionError,
    Source,
    Value,
    Verdict,
    bounds_from_children,
    judge_end,
)
from claimeven.solver.verdict_code import describe_verdict

__all__ = ["MoveAnswer", "PositionAnswer", "answer"]


@dataclass(frozen=True, slots=True)
class PositionAnswer(Judged):
    """All that is known of a position."""

    position: Position
    verdict: Verdict
    moves: tuple[MoveAnswer, ...]
    best_columns: tuple[int, ...]
    certificate: Certificate | None
    flaw: str | None = None
    """What is wrong with a stored certificate that is not shown, as it does not hold."""


def answer(position: Position, reader: Reader) -> PositionAnswer:
    """Ask a store about a position and about the positions one move later.

    What follows at once is told too: a move leads nowhere better than the value of its position.
    """
    if position.is_over:
        return PositionAnswer(position, judge_end(position), (), (), None)
    columns = position.legal_columns
    children = [position.play(column) for column in columns]
    own, *knowledge = reader.read([position, *children])
    trusted = [
        judge_end(child) if child.is_over else known.verdict for child, known in zip(children, knowledge, strict=True)
    ]
    verdict = _from_moves(position, own.verdict, trusted)
    trusted = [_within(position, verdict, after) for after in trusted]
    verdict = _with_claim(verdict, own.claim)
    moves = tuple(
        MoveAnswer(column, child, _with_claim(verdict_after, known.claim))
        for column, child, verdict_after, known in zip(columns, children, trusted, knowledge, strict=True)
    )
    certificate, flaw = None, None
    try:
        certificate = own.read_proof(position)
    except CertificateError as error:
        flaw = str(error)
    return PositionAnswer(position, verdict, moves, _best_columns(position, verdict, moves), certificate, flaw)


def _within(position: Position, verdict: Verdict, after: Verdict) -> Verdict:
    """The verdict of a move, which is no better for the side that makes it than that of the position."""
    white = position.to_move is Side.WHITE
    limit = Bounds(greatest=verdict.bounds.greatest) if white else Bounds(least=verdict.bounds.least)
    bounds = after.bounds.tighten(limit)
    if bounds == after.bounds:
        return after
    return Verdict(bounds, Source.RETROGRADE, 0 if bounds.value is Value.DRAW else None)


def _from_moves(position: Position, own: Verdict, after: list[Verdict]) -> Verdict:
    """What is known of a position, from itself and from all its moves; raises ContradictionError if they disagree."""
    below = bounds_from_children(position.to_move, [verdict.bounds for verdict in after])
    try:
        bounds = own.bounds.tighten(below)
    except ContradictionError:
        raise ContradictionError(
            f"the verdicts of a position and of its moves exclude each other; one of them is wrong\n{position}\n"
            f"stored:        {describe_verdict(own)}\nits moves say: {below}"
        ) from None
    scores = [-verdict.score for verdict in after if verdict.score is not None]
    score = own.score
    if score is None and len(scores) == len(after):
        score = max(scores)
    if bounds == own.bounds and score == own.score:
        return own
    return Verdict(bounds, Source.RETROGRADE, score)


def _with_claim(verdict: Verdict, claim: Verdict) -> Verdict:
    """The verdict or, where it leaves the value open and an imported file claims to know more, that claim."""
    says_more = claim.bounds != verdict.bounds and claim.bounds.is_exact and not verdict.bounds.is_exact
    return claim if says_more else verdict


def _best_columns(position: Position, verdict: Verdict, moves: tuple[MoveAnswer, ...]) -> tuple[int, ...]:
    """The moves that are known to be as good as any: by score where that is known, else those that keep a win or draw.

    Without scores nothing tells which move of a lost position resists longest.
    """
    if verdict.score is not None:
        return tuple(move.column for move in moves if move.score == verdict.score)
    white = position.to_move is Side.WHITE
    best = verdict.bounds.greatest if white else verdict.bounds.least
    if best is Value.win_of(position.to_move.opponent):
        return ()
    return tuple(
        move.column for move in moves if (move.verdict.bounds.least if white else move.verdict.bounds.greatest) is best
    )
