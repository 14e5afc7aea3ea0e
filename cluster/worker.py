"""What runs on a worker: it computes, on one transposition table that lives as long as the worker, and stores nothing.

Dask may give a worker with several threads several tasks at once. All threads work on one of them, the others wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

from claimeven.cluster.messages import Order, Question, Reply
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import ProofTexts
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.position import Position
from claimeven.solver.verdicts import VerdictBatch

LIFE_TOPIC = "claimeven-life"
"""Under this topic a worker that is at something says so every now and then."""

LIFE_SECONDS = 1.0
TABLE_SHARE = 0.4
"""How much of the memory that a worker may use its table gets, if nobody says how large that is to be."""

one_at_a_time = threading.Lock()
_held: dict[Hashable, Any] = {}

Held = TypeVar("Held")


class ForgottenError(RuntimeError):
    """Nobody waits for this task any more."""


def prepare(question: Question) -> None:
    """Make the table, and load or compile the kernels, so that the first order does not have to."""
    with one_at_a_time:
        hold_decider(question)
        warm_up()


def warm_up() -> None:
    """Load or compile the kernels that decide positions."""
    small = Board(4, 4)
    Decider(small, memory_bytes=1 << 20, threads=1).decide([Position.start(small)])


def decide(order: Order) -> Reply:
    """Decide the positions of an order."""
    began = time.monotonic()
    show_life = make_life_sign()
    with one_at_a_time:
        show_life()
        decider = hold_decider(order.question)
        known = VerdictBatch.unknown(order.keys)
        nodes, seconds = np.zeros(len(order.keys), np.int64), np.zeros(len(order.keys))
        proofs: list[ProofTexts] = []
        for decided in decider.decide_keys(order.keys):
            show_life()
            known.put(decided.places, decided.verdicts)
            nodes[decided.places], seconds[decided.places] = decided.nodes, decided.seconds
            if decided.proofs is not None:
                proofs.append(decided.proofs)
    took = time.monotonic() - began
    return Reply(known.least, known.greatest, known.scores, known.sources, nodes, seconds, join_proofs(proofs), took)


def hold_decider(question: Question) -> Decider:
    """The decider of this worker for a board, with its table; one for another board is given up for it."""
    memory = question.memory_bytes or default_memory()
    threads = question.threads or own_threads()
    place = (question.board, memory, threads)
    decider = hold(place, lambda: Decider(question.board, memory_bytes=memory, threads=threads))
    decider.engine, decider.scores, decider.proofs = question.engine, question.scores, question.proofs
    decider.budget = question.budget
    return decider


def hold(place: Hashable, make: Callable[[], Held]) -> Held:
    """What this worker keeps for a kind of work, made if it is not there; what it kept for another is given up."""
    if place not in _held:
        _held.clear()  # two tables might not fit
        _held[place] = make()
    held: Held = _held[place]
    return held


def default_memory() -> int:
    """How large the table may become: as without a cluster, but no more than the worker's share."""
    from claimeven.solver.search.searcher import DEFAULT_MEMORY

    worker = current_worker()
    limit = getattr(getattr(worker, "memory_manager", None), "memory_limit", None)
    return min(DEFAULT_MEMORY, int(limit * TABLE_SHARE)) if limit else DEFAULT_MEMORY


def own_threads() -> int:
    """The threads that the worker was started with."""
    worker = current_worker()
    return 1 if worker is None else int(worker.state.nthreads)


def current_worker() -> Any:
    """Dask's worker, None if this is none."""
    from distributed import get_worker

    try:
        return get_worker()
    except ValueError:
        return None


def make_life_sign() -> Callable[[], None]:
    """A function to call all the time: it tells now and then that the worker is at it, and ends what nobody wants."""
    worker = current_worker()
    if worker is None:
        return lambda: None
    key, last = worker.get_current_task(), 0.0

    def show_life() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < LIFE_SECONDS:
            return
        last = now
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise ForgottenError(str(key))
        worker.log_event(LIFE_TOPIC, worker.address)

    return show_life


def join_proofs(parts: list[ProofTexts]) -> ProofTexts:
    """Several lots of certificates as one; none at all is an empty one."""
    small = [np.zeros(0, np.int8)]
    lengths = [np.diff(part.offsets) for part in parts]
    return ProofTexts(
        np.concatenate([np.zeros(0, np.uint64), *(part.keys for part in parts)]),
        np.concatenate(small + [part.least for part in parts]),
        np.concatenate(small + [part.greatest for part in parts]),
        np.concatenate([np.zeros(0, np.uint8), *(part.text[part.offsets[0] : part.offsets[-1]] for part in parts)]),
        np.concatenate([[0], np.cumsum(np.concatenate([np.zeros(0, np.int64), *lengths]))]).astype(np.int64),
    )
