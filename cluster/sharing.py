"""Who gets which part of a batch next: parts of neighbours, as large as a worker does in a few seconds.

The positions of a batch are in the order of their keys, so those beside each other share most of their stones, and a
worker that keeps to one stretch finds much of its work in its transposition table. Each worker has a stretch of its
own; one whose stretch is used up takes half of the longest that another still has. Towards the end the parts become
smaller, so that all workers end at about the same time. Nothing here knows of Dask: a simulation shares out the same
way.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

CHUNK_SECONDS = 2.0
"""How long a part should take: what a lost worker costs, and how soon what was decided is stored."""

OVERHEAD_SECONDS = 0.01
"""What a part costs whoever asked: sending, checking, storing."""

OWN_SHARE = 0.2
"""How much of its time whoever asked may spend on that; with many workers parts become longer instead."""

IN_FLIGHT = 2
"""Parts that a worker has at once: one that it is at, and one to go on with while the answer is on its way."""

FIRST = 4
LARGEST = 8192
GROWTH = 8
"""A part has at most so many times as many positions as the largest that the worker has done."""

AT_THE_END = 2
"""At the end there are so many parts for each worker, at least."""


@dataclass(frozen=True, slots=True)
class Part:
    """The positions from `start` to before `stop` of a batch."""

    number: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


class Sharing:
    """Shares `count` positions out.

    Every position is in exactly one part that is out, done or still to come; a part that was given back comes again, as
    it was, before all others.

    >>> sharing = Sharing(100)
    >>> part = sharing.take("a")
    >>> sharing.done("a", part, 0.01)
    >>> part, sharing.is_over, sharing.left
    (Part(number=0, start=0, stop=4), False, 96)
    """

    def __init__(self, count: int, chunk_seconds: float = CHUNK_SECONDS) -> None:
        self.count = count
        self.left = count
        self._chunk_seconds = chunk_seconds
        self._stretches: dict[Hashable, tuple[int, int]] = {}
        self._unowned = [(0, count)] if count else []
        self._returned: list[Part] = []
        self._paces: dict[Hashable, Pace] = {}
        self._number = 0

    @property
    def is_over(self) -> bool:
        """Whether every position is done."""
        return self.left == 0

    @property
    def waiting(self) -> int:
        """How many positions nobody is at."""
        stretches = [*self._stretches.values(), *self._unowned]
        return sum(stop - start for start, stop in stretches) + sum(map(len, self._returned))

    def take(self, worker: Hashable, workers: int = 1, avoiding: frozenset[int] = frozenset()) -> Part | None:
        """The next part for a worker, one of so many; None if there is none for it.

        `avoiding` are the numbers of parts that were given back and that this worker is not to get again.
        """
        for place, part in enumerate(self._returned):
            if part.number not in avoiding:
                return self._returned.pop(place)
        start, stop = self._stretches.pop(worker, (0, 0))
        if start == stop:
            start, stop = self._find_stretch()
            if start == stop:
                return None
        size = self._size_for(worker, workers, self.waiting + stop - start)
        part = Part(self._number, start, min(start + size, stop))
        self._number += 1
        if part.stop < stop:
            self._stretches[worker] = (part.stop, stop)
        return part

    def done(self, worker: Hashable, part: Part, seconds: float) -> None:
        """A part is decided; the worker took so long over it."""
        self.left -= len(part)
        self._paces.setdefault(worker, Pace()).add(len(part), seconds)

    def give_back(self, part: Part) -> None:
        """A part is lost, and has to be done again."""
        self._returned.append(part)

    def leave(self, worker: Hashable) -> None:
        """A worker is gone: its stretch is anybody's."""
        stretch = self._stretches.pop(worker, None)
        if stretch is not None:
            self._unowned.append(stretch)
        self._paces.pop(worker, None)

    def _find_stretch(self) -> tuple[int, int]:
        """A stretch that nobody has, or the second half of the longest one; an empty one if all is given out."""
        if self._unowned:
            return self._unowned.pop()
        owner = max(self._stretches, key=lambda each: _length(self._stretches[each]), default=None)
        if owner is None:
            return 0, 0
        start, stop = self._stretches[owner]
        middle = (start + stop) // 2
        if start < middle:
            self._stretches[owner] = (start, middle)
        else:
            del self._stretches[owner]
        return middle, stop

    def _size_for(self, worker: Hashable, workers: int, waiting: int) -> int:
        return choose_size(self._paces, worker, workers, waiting, self._chunk_seconds)


@dataclass(slots=True)
class Pace:
    """How fast a worker is: the parts that it did, the older ones counting less and less.

    Positions and seconds are added up apart: the mean of speeds would be that of the easiest part.
    """

    positions: float = 0.0
    seconds: float = 0.0
    largest: int = 0

    def add(self, positions: int, seconds: float) -> None:
        self.positions = self.positions / 2 + positions
        self.seconds = self.seconds / 2 + max(seconds, 1e-6)
        self.largest = max(self.largest, positions)

    @property
    def speed(self) -> float:
        return self.positions / self.seconds


def choose_size(
    paces: Mapping[Hashable, Pace],
    worker: Hashable,
    workers: int,
    waiting: int,
    chunk_seconds: float = CHUNK_SECONDS,
) -> int:
    """How many positions the next part of a worker has, one of so many, if so many positions wait.

    >>> choose_size({"a": Pace(80, 2.0, 80)}, "a", 2, 10_000), choose_size({}, "a", 2, 10_000)
    (80, 4)
    """
    pace = paces.get(worker)
    # What others needed is a better guess than none, but may be of easier positions.
    speed = min((each.speed for each in paces.values()), default=0.0) if pace is None else pace.speed
    if not speed:
        return max(1, min(FIRST, -(-waiting // max(workers, 1))))
    size = int(speed * seconds_for(workers, chunk_seconds))
    if pace is not None:
        size = min(size, GROWTH * pace.largest)
    # Shorter parts than that would keep whoever asked busy all the time, and workers waiting.
    shortest = int(speed * workers * OVERHEAD_SECONDS)
    at_the_end = max(-(-waiting // (AT_THE_END * max(workers, 1))), shortest)
    return max(1, min(size, at_the_end, LARGEST))


def seconds_for(workers: int, chunk_seconds: float = CHUNK_SECONDS) -> float:
    """How long a part should take with so many workers.

    >>> seconds_for(2), seconds_for(1000)
    (2.0, 50.0)
    """
    return max(chunk_seconds, workers * OVERHEAD_SECONDS / OWN_SHARE)


def _length(stretch: tuple[int, int]) -> int:
    return stretch[1] - stretch[0]
