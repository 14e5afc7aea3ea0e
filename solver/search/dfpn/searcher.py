"""Proof-number search as a library: who wins a position, what that cost, and how large the proof is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import canonical_keys, join_stones, split_keys
from claimeven.solver.search.alpha_beta import RUN, STOP
from claimeven.solver.search.budget import NO_LIMIT, UNLIMITED, Budget, Spending
from claimeven.solver.search.busy import BUSY_WORDS
from claimeven.solver.search.dfpn.answer import ProofAnswer, ProofSize
from claimeven.solver.search.dfpn.job import ProofJob, Stones
from claimeven.solver.search.dfpn.journal import IS_GREATER, IS_MINUS_ONE
from claimeven.solver.search.dfpn.numbers import NumberTable
from claimeven.solver.search.dfpn.worker import Worker
from claimeven.solver.search.searcher import DEFAULT_MEMORY
from claimeven.solver.search.single_call import SingleCall
from claimeven.solver.search.table import TranspositionTable
from claimeven.solver.search.workspace import Words, new_words
from claimeven.solver.verdict import Bounds, Source, Value, judge_end
from claimeven.solver.verdicts import VerdictBatch

SHORT_NODES = 500
"""A search of this size is over before other threads have started."""
LARGE_SCORE = 64
"""More than any score."""


class ProofNumberSearcher(SingleCall):
    """Values of the positions of one board, by df-pn with the nine rules as the evaluator.

    The threads work together on one position after the other. Half of the memory is for what is decided and stays true
    for every position that follows, half for the numbers of what is not. One call at a time. With an odd number of
    rows, and without `uses_rules`, the rules are silent and the search does without.

    >>> board = Board(6, 4)
    >>> searcher = ProofNumberSearcher(board, memory_bytes=1 << 20, threads=1)
    >>> searcher.value(Position.start(board)), searcher.wins(Position.start(board), Side.WHITE)
    (<Value.BLACK: 'black'>, False)
    """

    def __init__(
        self,
        board: Board | None = None,
        memory_bytes: int = DEFAULT_MEMORY,
        threads: int | None = None,
        uses_rules: bool = True,
    ) -> None:
        super().__init__(board, threads)
        self._decided = TranspositionTable(self.board, memory_bytes // 2)
        self._numbers = NumberTable(memory_bytes // 2)
        self._control: Words = new_words(8)
        self._busy: Words = new_words(BUSY_WORDS)
        self._workers = [
            Worker(self.board, self._decided, self._numbers, self._control, uses_rules) for _ in range(self.threads)
        ]
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="proof-numbers")

    def value(self, position: Position, budget: Budget = UNLIMITED) -> Value | None:
        """Who wins under best play; None if the budget ran out or `stop` was called."""
        return self.answer(position, budget).value

    def wins(self, position: Position, side: Side, budget: Budget = UNLIMITED) -> bool | None:
        """Whether a side wins, if not the other at least draws; None if the budget ran out or `stop` was called."""
        self._check(position)
        if position.is_over:
            return position.winner is side
        with self._one_call():
            return self._wins(position, side, Spending(budget, self.nodes))

    def answer(self, position: Position, budget: Budget = UNLIMITED) -> ProofAnswer:
        """What is found of the value by asking whether White wins and, if not, whether Black does."""
        self._check(position)
        with self._one_call():
            return self.answer_within_call(position, budget)

    def answer_within_call(self, position: Position, budget: Budget) -> ProofAnswer:
        """As `answer`, for whoever has begun a call, as a job has."""
        before, began = self.counters, time.perf_counter()
        spending = Spending(budget, self.nodes)
        if position.is_over:
            bounds = judge_end(position).bounds
        else:
            white = self._wins(position, Side.WHITE, spending)
            bounds = Bounds(Value.WHITE if white else Value.BLACK, Value.DRAW if white is False else Value.WHITE)
            if not white:
                black = self._wins(position, Side.BLACK, spending)
                if black is not None:
                    bounds = bounds.tighten(Bounds.exactly(Value.BLACK) if black else Bounds(Value.DRAW, Value.WHITE))
        nodes, evaluations, rule_leaves = (now - then for now, then in zip(self.counters, before, strict=True))
        return ProofAnswer(bounds, nodes, evaluations, rule_leaves, time.perf_counter() - began)

    def proof_size(self, position: Position, side: Side) -> ProofSize | None:
        """The size of the proof that a side wins, or that it does not; None if `stop` was called.

        The position must not be over. What the tables do not hold any more is searched again.
        """
        wins = self.wins(position, side)
        if wins is None:
            return None
        mover = position.stones(position.to_move)
        alpha, is_greater = (0, wins) if position.to_move is side else (-1, not wins)
        with self._one_call():
            self._control[0] = STOP if self._is_stopped else RUN
            self._workers[0].share(None)
            walk = self._pool.submit(self._workers[0].walk, mover, position.occupied ^ mover, alpha, is_greater)
            try:
                wait([walk])
            finally:
                if not walk.done():
                    self._control[0] = STOP
                    wait([walk])
            counts = walk.result()
        return None if counts is None else ProofSize(*counts)

    @contextmanager
    def start(
        self, white: Stones, black: Stones, budget: Budget = UNLIMITED, *, scores: bool = False
    ) -> Iterator[ProofJob]:
        """Search many unfinished positions, given by their stones, while the block looks on; its end stops the job.

        There are no `scores`: it is as with alpha-beta, whose searcher gives them.
        """
        if scores:
            raise ValueError("proof numbers know who wins and no scores")
        with self._one_call(), ProofJob(self, white, black, budget) as job:
            yield job

    def learn(self, known: VerdictBatch) -> None:
        """Begin with what is known of positions, by canonical keys; bounds count too."""
        known = known.select(known.is_known)
        stones = split_keys(self.board, known.keys)
        white_moves = stones.plies % 2 == 0
        lows = np.where(white_moves, known.least, -known.greatest)
        highs = np.where(white_moves, known.greatest, -known.least)
        with self._one_call():
            self._workers[0].learn(
                np.where(white_moves, stones.white, stones.black),
                np.where(white_moves, stones.black, stones.white),
                np.where(lows < 0, -LARGE_SCORE, lows).astype(np.int8),
                np.where(highs > 0, LARGE_SCORE, highs).astype(np.int8),
            )

    def take_found(self, *, is_idle: bool = True) -> VerdictBatch:
        """What was decided on the way, as far as it took much work and was not taken yet; any thread may ask.

        Unless the search `is_idle`, that is only what was there at the call before.
        """
        rows = np.concatenate([worker.journal.take(is_idle=is_idle) for worker in self._workers])
        movers, others, codes = rows[:, 0], rows[:, 1], rows[:, 2]
        is_greater = (codes & IS_GREATER) != 0
        alpha = np.where((codes & IS_MINUS_ONE) != 0, -1, 0)
        lows, highs = np.where(is_greater, alpha + 1, -1), np.where(is_greater, 1, alpha)
        white_moves = np.bitwise_count(movers | others) % 2 == 0
        white, black = np.where(white_moves, movers, others), np.where(white_moves, others, movers)
        return VerdictBatch.of_bounds(
            canonical_keys(self.board, join_stones(self.board, white, black)),
            np.where(white_moves, lows, -highs),
            np.where(white_moves, highs, -lows),
            Source.SEARCH,
        )

    def stop(self) -> None:
        """End the call under way, from any thread: what it has not decided yet stays open."""
        self._is_stopped = True
        self._control[0] = STOP

    def clear(self) -> None:
        """Forget everything that was found."""
        with self._one_call():
            self._decided.clear()
            self._numbers.clear()

    @property
    def nodes(self) -> int:
        """The visits of all searches so far."""
        return sum(worker.nodes for worker in self._workers)

    @property
    def counters(self) -> tuple[int, int, int]:
        """Visits, evaluations by the nine rules, and how many of these decided, of all searches so far."""
        workers = self._workers
        return self.nodes, sum(each.evaluations for each in workers), sum(each.rule_leaves for each in workers)

    def _wins(self, position: Position, side: Side, spending: Spending) -> bool | None:
        """Whether a side wins an unfinished position."""
        mover = position.stones(position.to_move)
        stones = mover, position.occupied ^ mover
        if position.to_move is side:
            return self._is_greater(stones, 0, spending)
        other_draws = self._is_greater(stones, -1, spending)
        return None if other_draws is None else not other_draws

    def _is_greater(self, stones: tuple[int, int], alpha: int, spending: Spending) -> bool | None:
        """Whether the mover's score is greater than `alpha`."""
        if self._is_stopped or spending.is_over(self.nodes):
            return None
        self._control[0] = RUN
        first = self._workers[0]
        first.share(None)
        answer = first.decide(*stones, alpha, min(SHORT_NODES, spending.nodes_left(self.nodes)))
        if answer is not None or self._is_stopped or spending.is_over(self.nodes):
            return answer
        limit = min(-(-spending.nodes_left(self.nodes) // self.threads), NO_LIMIT)
        self._busy.fill(0)
        for worker in self._workers:
            worker.share(self._busy if self.threads > 1 else None)
        self._control[0] = RUN
        # Never in this thread: the one that waits is the one that Ctrl-C reaches.
        pending: list[Future[bool | None]] = []
        try:
            for worker in self._workers:
                pending.append(self._pool.submit(worker.decide, *stones, alpha, limit))
            if self._is_stopped:
                self._control[0] = STOP
            wait(pending, timeout=spending.seconds_left())
        finally:
            if not all(future.done() for future in pending):
                self._control[0] = STOP
                wait(pending)
        answers = [future.result() for future in pending]
        return next((each for each in answers if each is not None), None)
