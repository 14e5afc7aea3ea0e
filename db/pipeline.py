"""From positions to verdicts: what neither store nor book decides is solved, and written as it is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Decided
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, are_over, canonical_keys, play_column, split_keys
from claimeven.solver.score import greatest_score
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import NO_SOURCE, SOURCE_CODES
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch, tighten

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.solver.deciding.key_decider import KeyDecider

WORTH_NOTING = 300
"""Nobody asks which positions took fewer nodes than that."""

LEARNED = 1_000_000
"""How many stored verdicts a search begins with, about: reading them takes some seconds."""


class Library(Protocol):
    """Whatever can be asked about many positions, as a packed book."""

    def lookup(self, board: Board, keys: Keys) -> VerdictBatch:
        """What it knows of each canonical key, in the order of the keys."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered(Decided):
    """Positions of a batch with what is known of them, and whether that was known before."""

    was_known: bool = False


def answer_keys(
    decider: KeyDecider, keys: Keys, store: Store | None = None, book: Library | None = None
) -> Iterator[Answered]:
    """What the store has of positions given by canonical keys, then what the book has, then the rest, as it is decided.

    Keys may repeat; each position is solved once. What is decided is in the store before it comes out; what the book
    says is not written. Raises ContradictionError if a new verdict and a stored one exclude each other.
    """
    unique, places = _group(keys)
    if store is None and book is None:
        decided = decider.decide_keys(unique)  # the rules alone begin now, not when the first answer is asked for
        return (places.spread(each, was_known=False) for each in decided)
    return _answer_with(decider, unique, places, store, book)


def _answer_with(
    decider: KeyDecider, unique: Keys, places: _Places, store: Store | None, book: Library | None
) -> Iterator[Answered]:
    board = decider.board
    before = VerdictBatch.unknown(unique)
    open_ = np.arange(len(unique))
    for library in (store, book):
        if library is None or not len(open_):
            continue
        known = library.lookup(board, unique[open_])
        is_done = known.is_exact & (known.has_score if decider.scores else True)
        if is_done.any():
            yield places.spread(Decided.without_search(open_[is_done], known.select(is_done)), was_known=True)
            known, open_ = known.select(~is_done), open_[~is_done]
        before.put(open_, known)
    if decider.can_learn and store is not None and len(open_):
        decider.learn(read_known(store, board))
    if decider.can_resume and store is not None and len(open_):
        findings = store.read_findings(board, unique[open_])
        if len(findings):
            decider.resume(findings)
    is_decided = np.ones(len(unique), np.bool_)
    for decided in decider.decide_keys(unique[open_]):
        if store is not None and store.is_writable:
            write_decided(store, board, decided)
        now = open_[decided.places]
        # What was given up may be known in part.
        verdicts, _ = tighten(board, before.select(now), decided.verdicts)
        is_decided[now] = verdicts.is_exact & (verdicts.has_score if decider.scores else True)
        yield places.spread(replace(decided, places=now, verdicts=verdicts), was_known=False)
    if store is not None and store.is_writable:
        store.drop_findings(board, unique[is_decided])


@dataclass(frozen=True, slots=True, eq=False)
class MoveScores:
    """For each position and each column the exact score of the move, for the side that makes it, and its source.

    NO_SCORE and NO_SOURCE stand for a move that cannot be made, or whose score was not found within the budget.
    """

    scores: NDArray[np.int64]
    sources: NDArray[np.int8]


def read_known(store: Store, board: Board) -> Iterator[VerdictBatch]:
    """What the store knows of a board, for a search to begin with: the first plies first, and no more than it needs."""
    number = 0
    for ply in store.plies(board):
        for batch in store.read_ply(board, ply):
            if number >= LEARNED:
                return
            number += len(batch)
            yield batch


def score_moves(
    decider: KeyDecider,
    keys: Keys,
    store: Store | None = None,
    book: Library | None = None,
    on_life: Callable[[], None] = lambda: None,
) -> MoveScores:
    """The scores of all moves of some positions.

    The keys need not be canonical, as columns have a left and a right. A finished game has no moves. The decider must
    be one for scores.
    """
    board = decider.board
    scores = np.full((len(keys), board.columns), NO_SCORE, dtype=np.int64)
    sources = np.full((len(keys), board.columns), NO_SOURCE, dtype=np.int8)
    goes_on = np.flatnonzero(~are_over(board, keys))
    stones = split_keys(board, keys[goes_on])
    plies = stones.plies.astype(np.int64)
    asked, where = [], []
    for column in range(board.columns):
        move = play_column(board, stones, column)
        is_last = move.legal & ~move.wins & (plies == board.cells - 1)
        scores[goes_on[move.wins], column] = greatest_score(board.cells, plies[move.wins])
        scores[goes_on[is_last], column] = 0
        sources[goes_on[move.wins | is_last], column] = SOURCE_CODES[Source.TERMINAL]
        rest = np.flatnonzero(move.legal & ~move.wins & ~is_last)
        asked.append(canonical_keys(board, move.keys[rest]))
        where.append(np.stack([goes_on[rest], np.full(len(rest), column)]))
    rows, columns = np.concatenate(where, axis=1)
    for answered in answer_keys(decider, np.concatenate(asked), store, book):
        verdicts = answered.verdicts
        found = np.where(verdicts.has_score, -verdicts.scores.astype(np.int64), NO_SCORE)
        scores[rows[answered.places], columns[answered.places]] = found
        sources[rows[answered.places], columns[answered.places]] = np.where(
            verdicts.has_score, verdicts.sources, NO_SOURCE
        )
        on_life()
    return MoveScores(scores, sources)


def _group(keys: Keys) -> tuple[Keys, _Places]:
    """The different ones of some keys, in ascending order, and where they stand."""
    order = np.argsort(keys)
    ordered = keys[order]
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(is_first)
    return ordered[starts], _Places(order, np.append(starts, len(keys)))


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where each of some different keys stands in the array that they came from.

    The places of key number i are `order[starts[i] : starts[i + 1]]`.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]

    def spread(self, decided: Decided, *, was_known: bool) -> Answered:
        """What was decided of some of the keys, for all the places where they stand."""
        where, which = self._of(decided.places)
        return Answered(
            where,
            decided.verdicts.select(which),
            decided.nodes[which],
            decided.seconds[which],
            decided.proofs,
            was_known=was_known,
        )

    def _of(self, chosen: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """All places of the chosen keys, and for each place the number of its key among the chosen ones."""
        first, lengths = self.starts[chosen], self.starts[chosen + 1] - self.starts[chosen]
        ends = np.cumsum(lengths)
        steps = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        return self.order[np.repeat(first, lengths) + steps], np.repeat(np.arange(len(chosen)), lengths)


def write_decided(store: Store, board: Board, decided: Decided) -> None:
    """Store certificates, which the checker has accepted, what search adds to them, and what that cost."""
    from claimeven.db.tables.efforts import KEPT, Effort

    verdicts = decided.verdicts
    # Finished games are not stored, and the rules' own verdicts come with their certificates.
    by_search = np.flatnonzero(verdicts.sources == SOURCE_CODES[Source.SEARCH])
    dearest = np.flatnonzero(decided.nodes >= WORTH_NOTING)
    dearest = dearest[np.argsort(-decided.nodes[dearest], kind="stable")[:KEPT]]
    efforts = [
        Effort(Position.from_key(board, key), nodes, seconds)
        for key, nodes, seconds in zip(
            verdicts.keys[dearest].tolist(),
            decided.nodes[dearest].tolist(),
            decided.seconds[dearest].tolist(),
            strict=True,
        )
    ]
    batch = verdicts.select(by_search)
    if decided.found is not None and len(decided.found):
        batch = VerdictBatch.join([batch, decided.found])
    findings = decided.findings if decided.findings is not None and len(decided.findings) else None
    if len(batch) or efforts or decided.proofs is not None or findings is not None:
        store.write_found(board, batch, decided.proofs, efforts, findings)
