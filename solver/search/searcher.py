"""Exact search as a library: values and scores of positions, on all threads, with one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import split_keys
from claimeven.solver.score import greatest_score, least_score
from claimeven.solver.search.alpha_beta import RUN, STOP, STOPPED, decide
from claimeven.solver.search.budget import NO_LIMIT, UNLIMITED, Budget, Spending
from claimeven.solver.search.busy import BUSY_WORDS
from claimeven.solver.search.findings import Findings
from claimeven.solver.search.gate import Gate
from claimeven.solver.search.job import SearchJob, Stones
from claimeven.solver.search.journal import Journal, put_back
from claimeven.solver.search.rule_evaluator import RuleEvaluator, last_evaluated_ply
from claimeven.solver.search.single_call import SingleCall
from claimeven.solver.search.span import Span
from claimeven.solver.search.table import TranspositionTable
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words, new_workspace
from claimeven.solver.verdict import Value

DEFAULT_MEMORY = 512 << 20
FIRST_MEMORY = 4 << 20
SHORT_NODES = 20_000
"""A search of this size is over before other threads have started."""
FIRST_BATCH, LARGEST_BATCH = 64, 4096
"""Of many positions so many are searched at a time, first and later: whoever asks need not have them all ready."""
ANSWER_SECONDS = 0.05
"""How often somebody who waits for an answer looks whether it is there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found, None if it was not decided, and what it cost; the score only if it was asked for."""

    value: Value | None
    score: int | None
    nodes: int


class Searcher(SingleCall):
    """Exact answers for the positions of one board.

    The table keeps what was found, so positions that are close to each other are best given to the same searcher; it
    begins with `first_bytes` and grows when one position needs more, up to `memory_bytes`. The threads work together on
    a position, or in a batch on one each, and the answers do not depend on their number. One call at a time; a batch is
    over when all its answers are taken or it is closed. Without `uses_rules` nothing is taken from Allis' rules, which
    is slower: for checking the rules.

    >>> board = Board(4, 4)
    >>> searcher = Searcher(board, memory_bytes=1 << 20, threads=1)
    >>> searcher.value(Position.start(board)), searcher.score(Position.start(board))
    (<Value.DRAW: 'draw'>, 0)
    """

    def __init__(
        self,
        board: Board | None = None,
        memory_bytes: int = DEFAULT_MEMORY,
        threads: int | None = None,
        uses_rules: bool = True,
        first_bytes: int = FIRST_MEMORY,
    ) -> None:
        super().__init__(board, threads)
        self.table = TranspositionTable(self.board, memory_bytes, first_bytes)
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="search")
        self._busy = new_words(BUSY_WORDS)
        self._gate = Gate()
        self._workers = [_Worker(self.board, self.table, uses_rules) for _ in range(self.threads)]
        self._job: SearchJob | None = None

    def value(self, position: Position, budget: Budget = UNLIMITED) -> Value | None:
        """Who wins under best play; None if the budget ran out or `stop` was called."""
        return self.answer(position, budget).value

    def score(self, position: Position, budget: Budget = UNLIMITED) -> int | None:
        """The exact score for the side to move; None if the budget ran out or `stop` was called."""
        return self.answer(position, budget, scores=True).score

    def answer(self, position: Position, budget: Budget = UNLIMITED, *, scores: bool = False) -> Answer:
        """The value, with `scores` the exact score too, and what finding it cost."""
        self._check(position)
        span = Span(position, is_value=not scores)
        with self._one_call():
            self._tighten(position, span, budget)
        return _answer_of(position, span, scores)

    def exceeds(self, position: Position, score: int, budget: Budget = UNLIMITED) -> bool | None:
        """Whether the score for the side to move is greater than this, which is less to ask than the score itself.

        None if the budget ran out or `stop` was called. The position must be unfinished.
        """
        self._check(position)
        if not least_score(self.board.cells, position.ply) <= score < greatest_score(self.board.cells, position.ply):
            return score < 0
        with self._one_call():
            start = self.nodes
            spending = Spending(budget, start)
            while not self._is_stopped and not spending.is_over(self.nodes):
                self._make_room(self.nodes - start)
                worker = self._workers[0]
                worker.control[0] = RUN
                bound = worker.decide(position, score, min(SHORT_NODES, spending.nodes_left(self.nodes)))
                if bound is None and not self._is_stopped:
                    bound = self._decide_together(position, score, spending, self._room(self.nodes - start))
                if bound is not None:
                    return bound > score
        return None

    def move_values(self, position: Position, budget: Budget = UNLIMITED) -> dict[int, Value | None]:
        """The value after each move, by column, each with its own budget."""
        return {column: self.value(position.play(column), budget) for column in position.legal_columns}

    def move_scores(self, position: Position, budget: Budget = UNLIMITED) -> dict[int, int | None]:
        """The score of each move, by column, for the side that makes it, each with its own budget."""
        scores = {column: self.score(position.play(column), budget) for column in position.legal_columns}
        return {column: None if score is None else -score for column, score in scores.items()}

    def values(self, positions: Iterable[Position], budget: Budget = UNLIMITED) -> Iterator[Value | None]:
        """The values of many positions, in their order, each with its own budget; every thread takes one at a time."""
        for answer in self.answers(positions, budget):
            yield answer.value

    def scores(self, positions: Iterable[Position], budget: Budget = UNLIMITED) -> Iterator[int | None]:
        """The scores of many positions, in their order, each with its own budget; every thread takes one at a time."""
        for answer in self.answers(positions, budget, scores=True):
            yield answer.score

    def answers(
        self, positions: Iterable[Position], budget: Budget = UNLIMITED, *, scores: bool = False
    ) -> Iterator[Answer]:
        """Many answers, in the order of the positions, each with its own budget; every thread takes one at a time."""
        waiting, size = iter(positions), FIRST_BATCH
        with self._one_call():
            while batch := list(islice(waiting, size)):
                yield from self._answer_together(batch, budget, scores=scores)
                size = min(2 * size, LARGEST_BATCH)

    @contextmanager
    def start(
        self, white: Stones, black: Stones, budget: Budget = UNLIMITED, *, scores: bool = False
    ) -> Iterator[SearchJob]:
        """Search many unfinished positions, given by their stones, while the block looks on; its end stops the job."""
        with self._one_call(), self._run(white, black, budget, scores=scores) as job:
            yield job

    @contextmanager
    def _run(self, white: Stones, black: Stones, budget: Budget, *, scores: bool) -> Iterator[SearchJob]:
        """A job, for whoever has begun a call."""
        job = SearchJob(
            self.board,
            white,
            black,
            budget,
            scores=scores,
            workers=self._workers,
            table=self.table,
            gate=self._gate,
            busy=self._busy,
            pool=self._pool,
        )
        self._job = job
        try:
            with job:
                if self._is_stopped:
                    job.stop()
                yield job
        finally:
            self._job = None

    def resume(self, findings: Findings) -> None:
        """Begin with what another search has found on its way."""
        stones = split_keys(self.board, findings.keys)
        white_moves = stones.plies % 2 == 0
        with self._one_call():
            put_back(
                np.uint64(address_of(self._workers[0].workspace)),
                np.where(white_moves, stones.white, stones.black),
                np.where(white_moves, stones.black, stones.white),
                findings.least,
                findings.greatest,
                findings.works,
            )

    def stop(self) -> None:
        """End the call under way, from any thread: whatever it has not decided yet is None."""
        self._is_stopped = True
        job = self._job
        if job is not None:
            job.stop()
        self._interrupt()

    def clear(self) -> None:
        """Forget everything that was found."""
        self.table.clear()

    @property
    def nodes(self) -> int:
        """The nodes of all searches so far."""
        return sum(worker.nodes for worker in self._workers)

    def _tighten(self, position: Position, span: Span, budget: Budget) -> None:
        """Ask about a position, with all threads, until its span is decided or given up."""
        start = self.nodes
        spending = Spending(budget, start)
        while not span.is_decided and not self._is_stopped and not spending.is_over(self.nodes):
            self._make_room(self.nodes - start)
            alpha, until = span.next_question(), self.nodes + span.question_nodes
            worker = self._workers[0]
            worker.control[0] = RUN
            bound = worker.decide(position, alpha, min(SHORT_NODES, spending.nodes_left(self.nodes)))
            if bound is None and not self._is_stopped and self.nodes < until:
                room = min(self._room(self.nodes - start), until - self.nodes)
                bound = self._decide_together(position, alpha, spending, room)
            if bound is not None:
                span.tighten(alpha, bound)
            elif self.nodes >= until:
                span.take_turn()
        span.nodes = self.nodes - start

    def _room(self, nodes: int) -> int:
        """How many more nodes a position that took `nodes` already may take before the table should grow."""
        return max(self.table.room - nodes, 1)

    def _make_room(self, nodes: int) -> None:
        """Let the table grow if it is too small for a position that took `nodes`."""
        entries = self.table.entries
        if nodes < self.table.room:
            return
        with self._gate.alone(nudge=self._interrupt):
            if self.table.entries == entries:  # or another worker was faster
                self.table.grow([worker.workspace for worker in self._workers])

    def _interrupt(self) -> None:
        """Make all workers give up the question that they are at."""
        for worker in self._workers:
            worker.control[0] = STOP

    def _decide_together(self, position: Position, alpha: int, spending: Spending, room: int) -> int | None:
        """A bound on the right side of `alpha` by all threads, or None."""
        limit = -(-min(spending.nodes_left(self.nodes), room) // self.threads)
        control = self._workers[0].control
        self._busy.fill(0)
        control[0] = RUN
        for worker in self._workers:
            worker.join(control, self._busy if self.threads > 1 else None)
        # Never in this thread: the one that waits is the one that Ctrl-C reaches.
        pending: list[Future[int | None]] = []
        try:
            for worker in self._workers:
                pending.append(self._pool.submit(worker.decide, position, alpha, limit))
            if self._is_stopped:
                control[0] = STOP
            wait(pending, timeout=spending.seconds_left())
        finally:
            if not all(future.done() for future in pending):
                control[0] = STOP
                wait(pending)
            for worker in self._workers:
                worker.join(worker.control, None)
        bounds = [future.result() for future in pending]
        return next((bound for bound in bounds if bound is not None), None)

    def _answer_together(self, positions: Sequence[Position], budget: Budget, *, scores: bool) -> Iterator[Answer]:
        """Answers to some positions, in order, by one job for those that are not over."""
        for position in positions:
            self._check(position)
        open_ = [position for position in positions if not position.is_over]
        white, black = (np.array([each.stones(side) for each in open_], dtype=np.uint64) for side in Side)
        with self._run(white, black, budget, scores=scores) as job:
            number = 0
            for position in positions:
                span = Span(position, is_value=not scores)
                if not position.is_over:
                    this = np.array([number])
                    while not job.is_done(this)[0] and not job.wait(ANSWER_SECONDS):
                        pass
                    span.least, span.greatest = int(job.least(this)[0]), int(job.greatest(this)[0])
                    span.nodes = int(job.nodes(this)[0])
                    number += 1
                yield _answer_of(position, span, scores)


def _answer_of(position: Position, span: Span, scores: bool) -> Answer:
    value = span.value(position) if span.is_decided else None
    return Answer(value, span.least if scores and span.is_decided else None, span.nodes)


class _Worker:
    """One thread's workspace, and the word that stops it."""

    def __init__(self, board: Board, table: TranspositionTable, uses_rules: bool) -> None:
        self.workspace: Words = new_workspace(board)
        self.control: Words = new_words(8)
        table.attach(self.workspace)
        self.journal = Journal(self.workspace)
        self.join(self.control, None)
        if not uses_rules:
            self.workspace[Slot.HAS_RULES] = 0
        else:
            self._evaluator = RuleEvaluator(board)
            self._evaluator.attach(self.workspace)
            self.workspace[Slot.EVALUATOR_PLY] = last_evaluated_ply(board)

    @property
    def nodes(self) -> int:
        return int(self.workspace[Slot.NODES])

    def join(self, control: Words, busy: Words | None) -> None:
        """Watch a control word, and work with the threads that share `busy`."""
        self.workspace[Slot.CONTROL] = address_of(control)
        self.workspace[Slot.BUSY] = 0 if busy is None else address_of(busy)

    def decide(self, position: Position, alpha: int, nodes: int) -> int | None:
        """A bound on the score on the right side of `alpha`; None if it was stopped or took more than `nodes`."""
        self.workspace[Slot.NODE_LIMIT] = min(self.nodes + nodes, NO_LIMIT)
        mover = position.stones(position.to_move)
        bound = decide(
            np.uint64(address_of(self.workspace)), np.uint64(mover), np.uint64(position.occupied ^ mover), alpha
        )
        return None if bound == STOPPED else int(bound)
