"""From positions to a book: what the store does not decide is solved, written as it is decided, and carried back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.batch import Decided, Decider
from claimeven.solver.board import Board
from claimeven.solver.enumeration import (
    Keys,
    are_over,
    canonical_keys,
    enumerate_plies,
    play_column,
    split_keys,
)
from claimeven.solver.position import Position
from claimeven.solver.score import greatest_score
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES, source_of_code
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch, tighten

if TYPE_CHECKING:
    from claimeven.db.packed_book import PackedBook
    from claimeven.db.store import Store

WORTH_NOTING = 1000
"""Nobody asks which positions took fewer nodes than that."""


@dataclass(slots=True)
class BuildCounts:
    """How many positions were asked for, how many the store had, and what decided the others.

    `plies` are the unfinished positions of every ply of the book, `total` is how many of them will be asked for; all
    others follow. `nodes` is what search has looked at so far.
    """

    positions: int = 0
    known: int = 0
    by_source: dict[str, int] = field(default_factory=dict)
    undecided: int = 0
    plies: dict[int, int] = field(default_factory=dict)
    total: int = 0
    nodes: int = 0

    def add(self, verdicts: VerdictBatch) -> None:
        """Count positions that were decided now, or given up."""
        exact = verdicts.is_exact
        self.positions += len(verdicts)
        self.undecided += int(np.count_nonzero(~exact))
        codes, numbers = np.unique(verdicts.sources[exact], return_counts=True)
        for code, number in zip(codes.tolist(), numbers.tolist(), strict=True):
            source = str(source_of_code(code))
            self.by_source[source] = self.by_source.get(source, 0) + number


Report = Callable[[int, BuildCounts], None]


@dataclass(frozen=True, slots=True, eq=False)
class Answered(Decided):
    """Positions of a batch with what is known of them, and whether that was known before."""

    was_known: bool = False


def answer_keys(
    decider: Decider, keys: Keys, store: Store | None = None, book: PackedBook | None = None
) -> Iterator[Answered]:
    """What the store has of positions given by canonical keys, then what the book has, then the rest, as it is decided.

    Keys may repeat; each position is solved once. What is decided is in the store before it comes out; what the book
    says is not written. Raises ContradictionError if a new verdict and a stored one exclude each other.
    """
    board = decider.board
    unique, inverse = np.unique(keys, return_inverse=True)
    places = _Places(inverse, len(unique))
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
    for decided in decider.decide_keys(unique[open_]):
        if store is not None and store.is_writable:
            write_decided(store, board, decided)
        now = open_[decided.places]
        # What was given up may be known in part.
        verdicts, _ = tighten(board, before.select(now), decided.verdicts)
        yield places.spread(replace(decided, places=now, verdicts=verdicts), was_known=False)


def score_moves(
    decider: Decider,
    keys: Keys,
    store: Store | None = None,
    book: PackedBook | None = None,
    on_life: Callable[[], None] = lambda: None,
) -> NDArray[np.int64]:
    """For each position and each column the exact score of the move, for the side that makes it.

    The keys need not be canonical, as columns have a left and a right. NO_SCORE stands for a move that cannot be made,
    or whose score was not found within the budget; a finished game has no moves. The decider must be one for scores.
    """
    board = decider.board
    scores = np.full((len(keys), board.columns), NO_SCORE, dtype=np.int64)
    goes_on = np.flatnonzero(~are_over(board, keys))
    stones = split_keys(board, keys[goes_on])
    plies = stones.plies.astype(np.int64)
    asked, where = [], []
    for column in range(board.columns):
        move = play_column(board, stones, column)
        is_last = move.legal & ~move.wins & (plies == board.cells - 1)
        scores[goes_on[move.wins], column] = greatest_score(board.cells, plies[move.wins])
        scores[goes_on[is_last], column] = 0
        rest = np.flatnonzero(move.legal & ~move.wins & ~is_last)
        asked.append(canonical_keys(board, move.keys[rest]))
        where.append(np.stack([goes_on[rest], np.full(len(rest), column)]))
    rows, columns = np.concatenate(where, axis=1)
    for answered in answer_keys(decider, np.concatenate(asked), store, book):
        verdicts = answered.verdicts
        found = np.where(verdicts.has_score, -verdicts.scores.astype(np.int64), NO_SCORE)
        scores[rows[answered.places], columns[answered.places]] = found
        on_life()
    return scores


class _Places:
    """Where each of some different keys stands in the array that they came from."""

    def __init__(self, inverse: NDArray[np.intp], count: int) -> None:
        self._order = np.argsort(inverse, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(inverse, minlength=count))])

    def spread(self, decided: Decided, *, was_known: bool) -> Answered:
        """What was decided of some of the keys, for all the places where they stand."""
        where, which = self._of(decided.places)
        return Answered(
            where,
            decided.verdicts.select(which),
            decided.nodes[which],
            decided.seconds[which],
            decided.proofs,
            was_known,
        )

    def _of(self, chosen: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """All places of the chosen keys, and for each place the number of its key among the chosen ones."""
        first, lengths = self._starts[chosen], self._starts[chosen + 1] - self._starts[chosen]
        ends = np.cumsum(lengths)
        steps = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        return self._order[np.repeat(first, lengths) + steps], np.repeat(np.arange(len(chosen)), lengths)


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
    if len(by_search) or efforts or decided.proofs is not None:
        store.write_found(board, verdicts.select(by_search), decided.proofs, efforts)


def solve_keys(store: Store, decider: Decider, keys: Keys, counts: BuildCounts, report: Report) -> None:
    """Decide the positions with these canonical keys that the store leaves open, and store what is found.

    `report` is called with how many positions were done whenever some are, and now and then while none is.
    """
    for answered in answer_keys(decider, keys, store):
        counts.nodes = decider.nodes
        if answered.was_known:
            counts.positions += len(answered)
            counts.known += len(answered)
        else:
            counts.add(answered.verdicts)
        report(len(answered), counts)


def build_book(store: Store, decider: Decider, ply: int, counts: BuildCounts, report: Report) -> None:
    """Decide every unfinished position up to a ply: the deepest ply is solved, the others follow from it.

    The last ply, or one beyond it, means the whole board, where everything follows from the end of the game. The first
    report comes before the work, when `counts` says how much there is to do.
    """
    from claimeven.db.retrograde import tighten_parents
    from claimeven.db.whole_board import solve_whole_board

    board = decider.board
    layers = dict(enumerate_plies(board, ply))
    counts.plies = {each: len(keys) for each, keys in layers.items()}
    is_whole = ply >= board.cells - 1 or ply not in layers
    counts.total = sum(counts.plies.values()) if is_whole else counts.plies[ply]
    report(0, counts)
    if is_whole:
        solve_whole_board(store, board, layers, lambda number, known: _note(number, known, counts, report))
        return
    solve_keys(store, decider, layers.pop(ply), counts, report)
    for shallower in sorted(layers, reverse=True):
        tighten_parents(store, board, [layers.pop(shallower)])


def _note(number: int, known: int, counts: BuildCounts, report: Report) -> None:
    """Count a batch of positions that follow from the end of the game."""
    counts.positions += number
    counts.known += known
    counts.by_source[str(Source.RETROGRADE)] = counts.positions - counts.known
    report(number, counts)
