"""Many workers that do not exist: measured times replayed on them, with slow ones and ones that fail.

Parts are shared out by `Sharing`, as a real crew has them, two at a time to each worker; answers wait for the one that
asked, who takes them one after the other.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from claimeven.cluster.planning.costs import AskerCosts
from claimeven.cluster.sharing import IN_FLIGHT, Part, Sharing


@dataclass(frozen=True, slots=True)
class Troubles:
    """What goes wrong: a share of the workers takes so many times as long, and workers fail now and then.

    `failures` is how often an hour each does; `noticed` seconds later others get its parts, and after `absence` it is
    back.
    """

    slow: float = 0.0
    slowness: float = 3.0
    failures: float = 0.0
    noticed: float = 5.0
    absence: float = 60.0


USUAL = Troubles(slow=0.05, slowness=3.0, failures=0.1)
"""Every twentieth worker is three times as slow, and each fails once in ten hours."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """How it went: seconds until the last position was decided, chunks, and those that were lost."""

    seconds: float
    chunks: int
    lost: int
    asking: float
    """Seconds that the one that asked was busy."""
    idle: float
    """The share of the workers' time, absences left out, in which they had nothing to do."""


class ReplayedCosts:
    """The costs of as many positions as are wanted: measured stretches, drawn again and again, or one after the other.

    >>> costs = ReplayedCosts(np.full((3, 8), 0.5), 20, np.random.default_rng(1))
    >>> costs.between(0, 20), costs.between(5, 7)
    (10.0, 1.0)
    """

    def __init__(self, stretches: NDArray[np.float64], count: int, chance: np.random.Generator | None) -> None:
        length = stretches.shape[1]
        self._length = length
        number = count // length + 1
        self._drawn = (
            np.arange(number) % len(stretches) if chance is None else chance.integers(0, len(stretches), number)
        )
        self._inside = np.concatenate([np.zeros((len(stretches), 1)), np.cumsum(stretches, axis=1)], axis=1)
        self._before = np.concatenate([[0.0], np.cumsum(self._inside[self._drawn, length])])

    def between(self, start: int, stop: int) -> float:
        """The seconds of the positions from one place to before another."""
        return self._up_to(stop) - self._up_to(start)

    def _up_to(self, place: int) -> float:
        block, rest = divmod(place, self._length)
        return float(self._before[block] + (self._inside[self._drawn[block], rest] if rest else 0.0))


@dataclass(slots=True)
class _Worker:
    factor: float
    parts: deque[Part] = field(default_factory=deque)
    is_there: bool = True
    life: int = 0
    """How often it has failed: what was planned for an earlier life does not happen."""
    is_busy: bool = False
    worked: float = 0.0
    out: int = 0
    """Parts that it has, or whose answers have not been taken yet."""


class _Run:
    """One simulation; times are seconds since its beginning."""

    def __init__(
        self,
        stretches: NDArray[np.float64],
        count: int,
        workers: int,
        asker: AskerCosts,
        troubles: Troubles,
        seed: int,
        in_order: bool,
    ) -> None:
        chance = np.random.default_rng(seed)
        self._chance, self._troubles, self._asker = chance, troubles, asker
        self._costs = ReplayedCosts(stretches, count, None if in_order else chance)
        self._sharing = Sharing(count)
        factors = np.where(chance.random(workers) < troubles.slow, troubles.slowness, 1.0)
        self._workers = [_Worker(float(factor)) for factor in factors]
        self._events: list[tuple[float, int, str, int, int, Part | None]] = []
        self._order = itertools.count()
        self._asker_free = 0.0
        self._asking = 0.0
        self._chunks = self._lost = 0
        self._absent = 0.0

    def run(self) -> Simulated:
        now = 0.0
        for number in range(len(self._workers)):
            self._plan_failure(now, number)
        self._hand_out_all(now)
        while not self._sharing.is_over:
            now, _, kind, number, life, part = heapq.heappop(self._events)
            getattr(self, f"_{kind}")(now, number, life, part)
        there = max(now * len(self._workers) - self._absent, 1e-9)
        worked = sum(worker.worked for worker in self._workers)
        return Simulated(now, self._chunks, self._lost, self._asking, max(0.0, 1 - worked / there))

    def _put(self, when: float, kind: str, number: int, part: Part | None = None) -> None:
        heapq.heappush(self._events, (when, next(self._order), kind, number, self._workers[number].life, part))

    def _plan_failure(self, now: float, number: int) -> None:
        if self._troubles.failures:
            self._put(now + float(self._chance.exponential(3600 / self._troubles.failures)), "fail", number)

    def _hand_out_all(self, now: float) -> None:
        for _ in range(IN_FLIGHT):
            for number, worker in enumerate(self._workers):
                if worker.is_there and worker.out < IN_FLIGHT:
                    self._hand_out(now, number)

    def _hand_out(self, now: float, number: int) -> None:
        worker = self._workers[number]
        part = self._sharing.take(number, len(self._workers))
        if part is None:
            return
        worker.parts.append(part)
        worker.out += 1
        self._begin(now, number)

    def _begin(self, now: float, number: int) -> None:
        worker = self._workers[number]
        if not worker.is_busy and worker.parts:
            worker.is_busy = True
            part = worker.parts[0]
            took = self._costs.between(part.start, part.stop) * worker.factor
            self._put(now + took, "finish", number, part)

    def _finish(self, now: float, number: int, life: int, part: Part | None) -> None:
        """A worker is done with a part; the answer waits until the one that asked has time."""
        worker = self._workers[number]
        assert part is not None
        if life != worker.life:
            return
        worker.parts.popleft()
        worker.is_busy = False
        worker.worked += self._costs.between(part.start, part.stop) * worker.factor
        taking = self._asker.chunk + len(part) * self._asker.position
        self._asking += taking
        self._asker_free = max(self._asker_free, now) + taking
        self._put(self._asker_free, "taken", number, part)
        self._begin(now, number)

    def _taken(self, now: float, number: int, life: int, part: Part | None) -> None:
        assert part is not None
        worker = self._workers[number]
        took = self._costs.between(part.start, part.stop) * worker.factor
        self._sharing.done(number, part, took)
        self._chunks += 1
        if life == worker.life:
            worker.out -= 1
            while worker.is_there and worker.out < IN_FLIGHT:
                before = worker.out
                self._hand_out(now, number)
                if worker.out == before:
                    return

    def _fail(self, now: float, number: int, life: int, part: Part | None) -> None:
        worker = self._workers[number]
        worker.life += 1
        worker.is_there = worker.is_busy = False
        lost, worker.parts, worker.out = list(worker.parts), deque(), 0
        self._lost += len(lost)
        self._absent += self._troubles.absence
        for each in lost:
            self._put(now + self._troubles.noticed, "miss", number, each)
        self._put(now + self._troubles.noticed, "miss", number)
        self._put(now + self._troubles.absence, "come_back", number)

    def _miss(self, now: float, number: int, life: int, part: Part | None) -> None:
        """It is noticed that a worker is gone: what it had is anybody's."""
        if part is not None:
            self._sharing.give_back(part)
        else:
            self._sharing.leave(number)
            self._hand_out_all(now)

    def _come_back(self, now: float, number: int, life: int, part: Part | None) -> None:
        self._workers[number].is_there = True
        self._plan_failure(now, number)
        for _ in range(IN_FLIGHT):
            self._hand_out(now, number)


def simulate(
    stretches: NDArray[np.float64],
    count: int,
    workers: int,
    asker: AskerCosts,
    troubles: Troubles | None = None,
    seed: int = 1,
    *,
    in_order: bool = False,
) -> Simulated:
    """Decide `count` positions that cost as the measured stretches do, on so many workers that are ready.

    The stretches are drawn at random or, `in_order`, are all of the positions themselves.
    """
    return _Run(stretches, count, workers, asker, troubles or Troubles(), seed, in_order).run()
