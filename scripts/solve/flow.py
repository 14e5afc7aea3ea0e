"""From chunks of lines to answers: what is decided is written at once, in the order of the input or as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from claimeven.db.pipeline import Answered, MoveScores, answer_keys, score_moves
from claimeven.scripts.solve.answers import Answers, Places
from claimeven.scripts.solve.sinks import Sink
from claimeven.scripts.solve.sources import Chunk
from claimeven.solver.notation.line_kernels import BLANK, COMMENT, PLAIN
from claimeven.solver.notation.stream import INVALID, LineStream
from claimeven.solver.positions import Keys, canonical_keys, join_stones
from claimeven.solver.verdict_code import NO_SOURCE
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

if TYPE_CHECKING:
    from claimeven.db.books.packed import PackedBook
    from claimeven.db.store import Store
    from claimeven.solver.deciding.key_decider import KeyDecider

MOVES_AT_ONCE = 256
"""Lines whose moves are all scored before the first of them is written."""


@dataclass(slots=True)
class Counts:
    """What a run has done so far."""

    lines: int = 0
    known: int = 0
    invalid: int = 0
    nodes: int = 0


@dataclass(slots=True)
class Flow:
    """Answers the lines of a stream, chunk after chunk.

    `on_progress` is told how many more lines are done, and 0 as a sign of life; `on_error` the number of a line that is
    no position and why; `on_known`, if there is one, the positions that were known and so are not decided.
    """

    stream: LineStream
    decider: KeyDecider
    sink: Sink
    store: Store | None
    book: PackedBook | None
    with_moves: bool
    with_proofs: bool
    unordered: bool
    on_progress: Callable[[int, Counts], None]
    on_error: Callable[[int, str], None]
    on_known: Callable[[Keys], None] | None = None
    counts: Counts = field(default_factory=Counts)

    def answer_all(self, chunks: Iterator[Chunk], is_ready: Callable[[], bool]) -> None:
        """Answer all lines of all chunks; the next chunk, if it is there, is begun before the last one is waited for.

        So whoever decides without being waited for has work while answers are written and lines are read.
        """
        begun: _Begun | None = None
        while True:
            try:
                chunk = next(chunks, None)
                following = None if chunk is None else self._begin(chunk)
            except Exception:
                if begun is not None:
                    self._finish(begun)  # what is wrong further on is no matter of these lines
                raise
            if begun is not None:
                self._finish(begun)
            if following is None:
                return
            begun = following
            if not is_ready():
                self._finish(begun)
                begun = None

    def _begin(self, chunk: Chunk) -> _Begun:
        """Read the lines of a chunk and ask for them, unless their moves are asked for too."""
        lines = self.stream.read(chunk.text, chunk.numbers)
        board = self.decider.board
        keys = canonical_keys(board, join_stones(board, lines.white, lines.black))
        best = moves = None
        if self.with_moves:
            best = np.zeros((len(lines), board.columns), np.bool_)
            moves = MoveScores(np.full(best.shape, NO_SCORE, np.int64), np.full(best.shape, NO_SOURCE, np.int8))
        answers = Answers(board, chunk, lines, VerdictBatch.unknown(keys), {}, best, moves)
        positions = np.flatnonzero(lines.kinds == PLAIN)
        answered = None if self.with_moves else answer_keys(self.decider, keys[positions], self.store, self.book)
        return _Begun(answers, positions, answered)

    def _finish(self, begun: _Begun) -> None:
        """Answer the lines of a chunk."""
        answers, lines = begun.answers, begun.answers.lines
        for line, error in sorted(lines.errors.items()):
            self.on_error(lines.number(line), error)
        self.counts.invalid += len(lines.errors)
        writer = _Writer(answers, self.sink, self.unordered)
        if begun.answered is not None:
            self._take(answers, begun.positions, begun.answered, writer)
        else:
            for start in range(0, len(begun.positions), MOVES_AT_ONCE):
                self._answer_with_moves(answers, begun.positions[start : start + MOVES_AT_ONCE], writer)
        writer.finish()
        skipped = int(np.count_nonzero((lines.kinds == BLANK) | (lines.kinds == COMMENT)))
        self._note(skipped + len(lines.errors))

    def _answer_with_moves(self, answers: Answers, places: Places, writer: _Writer) -> None:
        assert answers.moves is not None
        lines = answers.lines
        own = join_stones(self.decider.board, lines.white[places], lines.black[places])
        found = score_moves(self.decider, own, self.store, self.book, lambda: self._note(0))
        answers.moves.scores[places], answers.moves.sources[places] = found.scores, found.sources
        keys = answers.verdicts.keys[places]
        self._take(answers, places, answer_keys(self.decider, keys, self.store, self.book), writer)

    def _take(self, answers: Answers, places: Places, found: Iterator[Answered], writer: _Writer) -> None:
        """Write the answers to lines at these places as they come."""
        for answered in found:
            where = places[answered.places]
            answers.verdicts.put(where, answered.verdicts)
            if answers.best is not None and answers.moves is not None:
                # A move is best if it is worth what the position is worth.
                worth = answered.verdicts.scores.astype(np.int64)[:, None]
                answers.best[where] = (answers.moves.scores[where] == worth) & (worth != NO_SCORE)
            if answered.was_known:
                self.counts.known += len(where)
                if self.on_known is not None:
                    self.on_known(answered.verdicts.keys)
            if self.with_proofs:
                if answered.proofs is not None:
                    answers.proofs.update(zip(answered.proofs.keys.tolist(), answered.proofs.texts(), strict=True))
                elif answered.was_known and self.store is not None:
                    answers.proofs.update(self.store.read_proof_texts(self.decider.board, answered.verdicts.keys))
            writer.done(where)
            self._note(len(where))

    def _note(self, number: int) -> None:
        self.counts.lines += number
        self.counts.nodes = self.decider.nodes
        self.on_progress(number, self.counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Begun:
    """A chunk that was read: where its positions are, and what is answered of them, if that is asked for yet."""

    answers: Answers
    positions: Places
    answered: Iterator[Answered] | None


class _Writer:
    """Hands answers on when they are done and, unless the order does not matter, all before them are."""

    def __init__(self, answers: Answers, sink: Sink, unordered: bool) -> None:
        kinds = answers.lines.kinds
        self._answers = answers
        self._sink = sink
        self._unordered = unordered
        self._is_shown = (kinds == PLAIN) | (kinds == INVALID)
        self._is_done = kinds != PLAIN
        self._next = 0
        if unordered:
            self._write(np.flatnonzero(kinds == INVALID))

    def done(self, places: Places) -> None:
        """These lines are answered."""
        self._is_done[places] = True
        if self._unordered:
            self._write(places)
            return
        waiting = np.flatnonzero(~self._is_done[self._next :])
        end = self._next + int(waiting[0]) if len(waiting) else len(self._is_done)
        self._write(self._next + np.flatnonzero(self._is_shown[self._next : end]))
        self._next = end

    def finish(self) -> None:
        """All lines are answered."""
        if not self._unordered:
            self.done(np.array([], np.intp))

    def _write(self, places: Places) -> None:
        if len(places):
            self._sink.write(self._answers, places)
