"""The verdicts of many positions as arrays, and their algebra: only ever tighter, never in contradiction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position, PositionError
from claimeven.solver.positions import Keys, Mask, count_plies, have_line, keys_of, split_keys
from claimeven.solver.score import winner_score
from claimeven.solver.verdict import ContradictionError, Source, Verdict
from claimeven.solver.verdict_code import NO_SOURCE, SOURCE_CODES, describe_verdict, verdict_of_row

Small: TypeAlias = NDArray[np.int8]

NO_SCORE = -128
BLACK, DRAW, WHITE = -1, 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class VerdictBatch:
    """For each canonical key the least and the greatest rank (`Value.rank`), the score and the source.

    A score that is not known is NO_SCORE, a source that there is none of NO_SOURCE (`verdict_code`).
    """

    keys: Keys
    least: Small
    greatest: Small
    scores: Small
    sources: Small

    @classmethod
    def unknown(cls, keys: Keys) -> VerdictBatch:
        """Nothing known of any of these positions."""
        return cls.of_bounds(keys, np.full(len(keys), BLACK), np.full(len(keys), WHITE), None)

    @classmethod
    def of_bounds(
        cls, keys: Keys, least: NDArray[np.integer], greatest: NDArray[np.integer], source: Source | None
    ) -> VerdictBatch:
        """Bounds without scores, all from one source."""
        code = NO_SOURCE if source is None else SOURCE_CODES[source]
        small = np.int8
        return cls(
            keys,
            least.astype(small),
            greatest.astype(small),
            np.full(len(keys), NO_SCORE, small),
            np.full(len(keys), code, small),
        )

    @classmethod
    def of_values(cls, keys: Keys, ranks: NDArray[np.integer], source: Source) -> VerdictBatch:
        """Exact values, as ranks, without scores."""
        return cls.of_bounds(keys, ranks, ranks, source)

    @classmethod
    def of_scores(cls, board: Board, keys: Keys, scores: NDArray[np.integer], source: Source) -> VerdictBatch:
        """Exact scores for the side to move, and the values that follow from them."""
        ranks = ranks_of_scores(board, keys, scores.astype(np.int8))
        batch = cls.of_values(keys, ranks, source)
        return cls(keys, batch.least, batch.greatest, scores.astype(np.int8), batch.sources)

    @classmethod
    def of_verdicts(cls, positions: list[Position], verdicts: list[Verdict]) -> VerdictBatch:
        """Verdicts on positions of one board."""
        small = np.int8
        return cls(
            keys_of(positions[0].board, positions) if positions else np.array([], dtype=np.uint64),
            np.array([verdict.bounds.least.rank for verdict in verdicts], dtype=small),
            np.array([verdict.bounds.greatest.rank for verdict in verdicts], dtype=small),
            np.array([NO_SCORE if each.score is None else each.score for each in verdicts], dtype=small),
            np.array([NO_SOURCE if each.source is None else SOURCE_CODES[each.source] for each in verdicts], small),
        )

    @classmethod
    def join(cls, batches: list[VerdictBatch]) -> VerdictBatch:
        """Several batches as one; none at all is an empty one."""
        batches = batches or [cls.unknown(np.array([], dtype=np.uint64))]
        return cls(
            np.concatenate([batch.keys for batch in batches]),
            np.concatenate([batch.least for batch in batches]),
            np.concatenate([batch.greatest for batch in batches]),
            np.concatenate([batch.scores for batch in batches]),
            np.concatenate([batch.sources for batch in batches]),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def select(self, which: Mask | NDArray[np.intp] | slice) -> VerdictBatch:
        """The verdicts that a mask, an index array or a slice picks out."""
        return VerdictBatch(
            self.keys[which], self.least[which], self.greatest[which], self.scores[which], self.sources[which]
        )

    def put(self, which: NDArray[np.intp], other: VerdictBatch) -> None:
        """Replace some of the verdicts, in place; the positions stay the same."""
        self.least[which], self.greatest[which] = other.least, other.greatest
        self.scores[which], self.sources[which] = other.scores, other.sources

    @property
    def is_exact(self) -> Mask:
        """Which values are known."""
        return np.equal(self.least, self.greatest)

    @property
    def has_score(self) -> Mask:
        """Which scores are known."""
        return np.not_equal(self.scores, NO_SCORE)

    @property
    def is_known(self) -> Mask:
        """Of which positions anything is known."""
        return (self.least > BLACK) | (self.greatest < WHITE)

    def verdict(self, place: int) -> Verdict:
        """One of the verdicts."""
        score = int(self.scores[place])
        return verdict_of_row(
            int(self.least[place]),
            int(self.greatest[place]),
            None if score == NO_SCORE else score,
            int(self.sources[place]),
        )


def ranks_of_scores(board: Board, keys: Keys, scores: Small) -> Small:
    """The values that scores for the side to move stand for."""
    white_moves = count_plies(board, keys) % 2 == 0
    return np.where(white_moves, np.sign(scores), -np.sign(scores)).astype(np.int8)


def judge_ends(board: Board, keys: Keys) -> VerdictBatch:
    """The verdicts on finished games, as `judge_end` gives each of them."""
    stones = split_keys(board, keys)
    plies = stones.plies.astype(np.int64)
    last = np.where(plies % 2 == 1, stones.white, stones.black)
    # The last stone won, so the side to move lost with it.
    scores = np.where(have_line(board, last), -winner_score(board.cells, plies), 0)
    return VerdictBatch.of_scores(board, keys, scores, Source.TERMINAL)


def check_batch(board: Board, batch: VerdictBatch) -> None:
    """Raise ContradictionError unless every verdict of the batch agrees with itself."""
    wrong = batch.least > batch.greatest
    ranks = ranks_of_scores(board, batch.keys, batch.scores)
    wrong |= batch.has_score & ((batch.least != ranks) | (batch.greatest != ranks))
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ContradictionError(
            f"{describe_position(board, int(batch.keys[place]))}: a verdict of at least rank {batch.least[place]}, "
            f"at most rank {batch.greatest[place]} and score {batch.scores[place]} contradicts itself"
        )


def complete_draws(batch: VerdictBatch) -> VerdictBatch:
    """The same with a score of 0 wherever the value is a draw: there is no other."""
    draws = (batch.least == DRAW) & (batch.greatest == DRAW)
    scores = np.where(draws & ~batch.has_score, 0, batch.scores).astype(np.int8)
    return VerdictBatch(batch.keys, batch.least, batch.greatest, scores, batch.sources)


def find_contradictions(old: VerdictBatch, new: VerdictBatch) -> Mask:
    """Where two batches over the same keys exclude each other."""
    bounds: Mask = np.maximum(old.least, new.least) > np.minimum(old.greatest, new.greatest)
    scores: Mask = old.has_score & new.has_score & (old.scores != new.scores)
    return bounds | scores


def tighten(board: Board, old: VerdictBatch, new: VerdictBatch) -> tuple[VerdictBatch, Mask]:
    """What two batches over the same keys say together, and where that is more than the old one says.

    Where it is more the source is the new one's. Raises ContradictionError, showing position and both verdicts.
    """
    wrong = find_contradictions(old, new)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ContradictionError(describe_contradiction(board, old, new, place))
    least = np.maximum(old.least, new.least)
    greatest = np.minimum(old.greatest, new.greatest)
    scores = np.where(old.has_score, old.scores, new.scores)
    more = (least > old.least) | (greatest < old.greatest) | (scores != old.scores)
    sources = np.where(more, new.sources, old.sources)
    return VerdictBatch(old.keys, least, greatest, scores, sources), more


def describe_contradiction(board: Board, old: VerdictBatch, new: VerdictBatch, place: int) -> str:
    """Position and both verdicts, over several lines."""
    key = int(old.keys[place])
    return (
        f"two verdicts of {describe_position(board, key)} exclude each other; one of them is wrong\n"
        f"{Position.from_key(board, key)}\n"
        f"stored: {describe_verdict(old.verdict(place))}\n"
        f"new:    {describe_verdict(new.verdict(place))}"
    )


def describe_position(board: Board, key: int) -> str:
    """A position by moves that lead to it, as in `4455 (7x6, ply 4)`."""
    position = Position.from_key(board, key)
    try:
        moves = columns.write(some_moves(position), board) or "the empty board"
    except PositionError:
        moves = f"key {key}"
    return f"{moves} ({board}, ply {position.ply})"
