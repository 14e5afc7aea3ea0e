"""Moves out of what is known: a store or a book says which move of a position is best."""

from __future__ import annotations

from collections.abc import Iterable

from claimeven.solver.players.player import Lookup
from claimeven.solver.position import Position, Side
from claimeven.solver.verdict import Verdict, judge_end


def find_book_move(position: Position, lookup: Lookup, order: Iterable[int]) -> int | None:
    """A move that is known to be best, the first such in `order`; None if what is known does not settle it.

    A move is best if its value is known and no other move can have a better one. Between moves of the same value the
    score decides (the quickest win, the longest defence) if it is known for all of them.

    >>> from claimeven.solver.verdict import UNKNOWN
    >>> won = Position.from_moves(Position.start().board, [3, 3, 2, 2, 1, 1])
    >>> find_book_move(won, lambda position: UNKNOWN, range(7))
    0
    """
    legal = set(position.legal_columns)
    verdicts = {column: _judge(position.play(column), lookup) for column in order if column in legal}
    greatest = max(_range_for(position.to_move, verdict)[1] for verdict in verdicts.values())
    best = {
        column: verdict
        for column, verdict in verdicts.items()
        if _range_for(position.to_move, verdict) == (greatest, greatest)
    }
    if not best:
        return None
    scores = {column: verdict.score for column, verdict in best.items() if verdict.score is not None}
    # A score is that of the side to move after the move, so the least one is the best for whoever moves here.
    return min(scores, key=lambda column: scores[column]) if len(scores) == len(best) else next(iter(best))


def _judge(position: Position, lookup: Lookup) -> Verdict:
    return judge_end(position) if position.is_over else lookup(position)


def _range_for(side: Side, verdict: Verdict) -> tuple[int, int]:
    """The least and the greatest value, as -1, 0 or 1 for a side."""
    least, greatest = verdict.bounds.least.rank, verdict.bounds.greatest.rank
    return (least, greatest) if side is Side.WHITE else (-greatest, -least)
