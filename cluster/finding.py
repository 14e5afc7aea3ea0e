"""Lets workers search for the diagrams of a solution: one position goes out, the best diagram comes back.

A search depends on its order alone, so a build gives the same solution with a cluster and without one. What comes back
is only tried: the builder lets no diagram into its library that the exhaustive check has not accepted here.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from claimeven.cluster.crew import Crew
from claimeven.cluster.errors import ClusterError, DisagreementError
from claimeven.cluster.worker import hold, make_life_sign, one_at_a_time
from claimeven.solver.board import Board
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.finding.finder import Attempt, FinderThread, Levels, Library
from claimeven.solver.solution.finding.oracle import Oracle


@dataclass(frozen=True, slots=True)
class FinderQuestion:
    """What all searches of a build have in common."""

    board: Board
    is_win: bool
    memory_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class FinderOrder:
    """A search: the arguments of `FinderThread.attempt`, the diagrams of the library as an array."""

    question: FinderQuestion
    own: int
    other: int
    work: int
    seed: int
    diagrams: Levels
    best: Levels | None


def prepare(question: FinderQuestion) -> None:
    """On a worker: make the table."""
    with one_at_a_time:
        _hold_thread(question)


def find(order: FinderOrder) -> Attempt:
    """On a worker: search for a diagram, on one thread."""
    library = Library(order.question.board)
    for levels in order.diagrams:
        library.add(levels)
    show_life = make_life_sign()
    with one_at_a_time:
        thread = _hold_thread(order.question)
        thread.on_life = show_life
        return thread.attempt(order.own, order.other, order.work, order.seed, library, len(library), order.best)


def _hold_thread(question: FinderQuestion) -> FinderThread:
    return hold(question, lambda: FinderThread(Oracle(question.board, question.is_win, question.memory_bytes)))


def accept(order: FinderOrder, answer: Any) -> Attempt:
    """What a worker found, if it can be tried at all; raises DisagreementError if not."""
    if not isinstance(answer, Attempt):
        raise DisagreementError("its answer is none")
    if answer.mistakes < 0 or answer.work < 0 or (answer.levels is None and answer.is_success):
        raise DisagreementError("it sent numbers that there are none of")
    squares = order.question.board.squares
    for each in answer.misses if answer.levels is None else [answer.levels, *answer.misses]:
        levels = np.asarray(each)
        if levels.shape != (LEVELS,) or levels.dtype != np.uint64:
            raise DisagreementError("it sent what is no diagram")
        words = [int(word) for word in levels]
        if sum(word.bit_count() for word in words) != squares.bit_count() or np.bitwise_or.reduce(levels) != squares:
            raise DisagreementError("it sent a diagram in which a square has no level, or two")
    return answer


class RemoteFinders:
    """The searches of a build, done by a crew in a thread of its own, for any number of threads that wait for them."""

    def __init__(self, crew: Crew, question: FinderQuestion) -> None:
        self._crew = crew
        self._work = _Searches(question)
        self._thread = threading.Thread(target=self._serve, name="searches", daemon=True)
        self._thread.start()

    def attempt(self, order: FinderOrder) -> Attempt:
        """Have a search done, and wait for it; raises ClusterError if the cluster cannot go on."""
        waiting = self._work.ask(order)
        self._crew.wake()
        return waiting.result()

    def close(self) -> None:
        """End the thread; whoever still waits gets an error."""
        self._work.end(ClusterError("the search was given up"))
        self._crew.wake()
        self._thread.join()

    def _serve(self) -> None:
        try:
            for _ in self._crew.do(self._work):
                pass
        except BaseException as error:  # whatever it is, those who wait must hear of it
            self._work.end(error)


@contextmanager
def remote_finders(crew: Crew, question: FinderQuestion) -> Iterator[RemoteFinders]:
    """Remote searches until the end of the block."""
    finders = RemoteFinders(crew, question)
    try:
        yield finders
    finally:
        finders.close()


class RemoteFinder(FinderThread):
    """A thread of a builder whose searches are done by workers; all else, checks among it, it does itself."""

    def __init__(self, oracle: Oracle, finders: RemoteFinders, question: FinderQuestion) -> None:
        super().__init__(oracle)
        self._finders = finders
        self._question = question

    def attempt(
        self, own: int, other: int, work: int, seed: int, library: Library, size: int, best: Levels | None = None
    ) -> Attempt:
        diagrams = library.words[:size].copy()  # it grows while the order is on its way
        return self._finders.attempt(FinderOrder(self._question, own, other, work, seed, diagrams, best))


@dataclass(slots=True, eq=False)
class _Piece:
    number: int
    order: FinderOrder
    answer: Future[Attempt]


class _Searches:
    """Searches as work for a crew, which is over when it is ended."""

    def __init__(self, question: FinderQuestion) -> None:
        self._question = question
        self._lock = threading.Lock()
        self._waiting: deque[_Piece] = deque()
        self._asked: dict[int, _Piece] = {}
        self._number = 0
        self._error: BaseException | None = None
        self._losses: Counter[int] = Counter()

    def ask(self, order: FinderOrder) -> Future[Attempt]:
        with self._lock:
            piece = _Piece(self._number, order, Future())
            self._number += 1
            if self._error is not None:
                piece.answer.set_exception(self._error)
            else:
                self._asked[piece.number] = piece
                self._waiting.append(piece)
        return piece.answer

    def end(self, error: BaseException) -> None:
        """Give everything up, with this error for whoever waits and for whoever asks later."""
        with self._lock:
            self._error = self._error or error
            for piece in self._asked.values():
                piece.answer.set_exception(self._error)
            self._asked.clear()
            self._waiting.clear()

    @property
    def is_over(self) -> bool:
        return self._error is not None

    @property
    def preparation(self) -> tuple[Any, ...]:
        return prepare, self._question

    def take(self, address: str, workers: int) -> _Piece | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def task_of(self, piece: _Piece) -> tuple[Any, ...]:
        return find, piece.order

    def receive(self, address: str, piece: _Piece, answer: Any) -> None:
        found = accept(piece.order, answer)
        with self._lock:
            if self._asked.pop(piece.number, None) is not None:
                piece.answer.set_result(found)

    def give_back(self, address: str, piece: _Piece) -> int:
        with self._lock:
            self._waiting.appendleft(piece)
            self._losses[piece.number] += 1
            return self._losses[piece.number]

    def leave(self, address: str) -> None:
        """Nothing here belongs to a worker."""
