"""The finder of diagrams: the library first, then local search with an oracle, from the nearest misses."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board, bits
from claimeven.solver.solution.check_kernel import LEVELS, TOO_LARGE, VALID, check_diagram, find_valid, find_valid_many
from claimeven.solver.solution.diagram import BLANK, PriorityDiagram
from claimeven.solver.solution.finding.anneal_kernel import anneal, draw
from claimeven.solver.solution.finding.foresight_kernel import NO_MOVE
from claimeven.solver.solution.finding.oracle import Oracle, OracleThread
from claimeven.solver.solution.finding.walk_kernel import (
    GAVE_UP,
    SALT,
    SHARE,
    WAS_STOPPED,
    WEIGHT_BITS,
    WHOLE_SHARE,
    find_nearest,
    walk,
)

Levels = NDArray[np.uint64]
"""A diagram as kernels want it: the squares of each of the ten levels."""
Firsts = NDArray[np.int64]
"""Numbers of diagrams, one a position."""

MOST_ROOM = 64_000


class Stage(NamedTuple):
    """What the walks of a part of a run see: a share of the replies, of not more than `room` positions."""

    share: float
    room: int
    enough: int
    """With so few mistakes the next stage begins."""


STAGES = (
    Stage(0.2, 2_000, 1),
    Stage(0.35, 4_000, 2),
    Stage(0.5, 8_000, 3),
    Stage(0.7, 16_000, 5),
    Stage(1.0, MOST_ROOM, 0),
)
"""A diagram that is good for some replies of every ply is nearer to one that is good for all than one that is good for
all replies of the first plies, and walks that see less are quicker."""
SLICE, SLICES = 300_000, 12
PATIENCE = 4
"""A run ends after so many slices of work without a better diagram; little work has so many slices in all."""
HEATS = (0.5, 1.2)
GREEDS = (4, 10, 0)
"""How many of 16 steps take what is foreseen to be best, in one run after the other: each finds what others miss."""
VAIN_CHANGES = 10
"""After so many changes in vain the mistakes that are left get more weight."""
MOST_FRONTIERS = 1 << 14
NEAR_DIAGRAMS, NEAR_MISTAKES, NEAR_ROOM = 12, 60, 800
"""So many diagrams of the library are tried as beginnings: where one leads nowhere another often leads to a diagram at
once."""
NEAR_WORK = 200_000
"""How far each of these is followed."""
BEGINNING = 0.3
"""This part of the work is done before the library is asked: it has to be walked through, and half of what is found at
all is found at once."""
STORED_MISTAKES = 512
MISSES, MISS_MISTAKES = 4, 24
"""So many diagrams that are nearly good are told of a search: what makes few mistakes here is valid elsewhere."""
ANSWERING, SHIFTED, STRAY, BLANK_SHARE = 0.9, 0.2, 0.2, 0.85
"""How often a first diagram answers moves in their columns, a column of it does so by odd rows from some row on, a
square of those that answer is left out, and a square that does not answer is blank; else it has any digit but 0."""


@dataclass(slots=True)
class Attempt:
    """What a search for a diagram came to: `levels` is the best one, valid if it makes no mistake."""

    mistakes: int
    levels: Levels | None
    work: int
    misses: list[Levels] = field(default_factory=list)
    """The nearest of what the runs ended with that failed, each another diagram."""

    @property
    def is_success(self) -> bool:
        return self.mistakes == 0


def levels_of(diagram: PriorityDiagram) -> Levels:
    """A diagram of some leaves as kernels want it: at others the squares without a digit need one, the highest."""
    levels = list(diagram.levels)
    levels[BLANK] |= diagram.board.squares & ~diagram.squares
    return np.array(levels, np.uint64)


class Library:
    """Diagrams in the order in which they were found; what a diagram leaves open has the highest level."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._words = np.zeros((64, LEVELS), np.uint64)
        self._size = 0
        self._numbers: dict[bytes, int] = {}
        """The first number of each diagram."""

    def __len__(self) -> int:
        return self._size

    def add(self, levels: Levels) -> int:
        """Put a diagram at the end; gives its number."""
        if self._size == len(self._words):
            self._words = np.concatenate([self._words, np.zeros_like(self._words)])
        self._words[self._size] = levels
        self._numbers.setdefault(levels.tobytes(), self._size)
        self._size += 1
        return self._size - 1

    def keep(self, levels: Levels) -> int:
        """The number of a diagram, which is put at the end if it is not there yet."""
        number = self._numbers.get(levels.tobytes())
        return self.add(levels) if number is None else number

    def copy(self) -> Library:
        """Another library of the same diagrams."""
        library = Library(self.board)
        library._words, library._size, library._numbers = self._words.copy(), self._size, self._numbers.copy()
        return library

    @property
    def words(self) -> Levels:
        """All diagrams; the rows after the last one mean nothing."""
        return self._words

    def __getitem__(self, number: int) -> Levels:
        levels: Levels = self._words[: self._size][number]
        return levels


class FinderThread:
    """One thread of a finder: its scratch memory and its way to the oracle. Positions are the controller's and the
    opponent's stones, with the controller to move."""

    def __init__(self, oracle: Oracle) -> None:
        board = oracle.board
        self.board, self.is_win = board, oracle.is_win
        self.oracle = OracleThread(oracle)
        self._stack = np.zeros((MOST_ROOM * 2 + 2, 2), np.uint64)
        self._seen = np.zeros((1 << (len(self._stack) * 2 - 1).bit_length(), 2), np.uint64)
        self._mistakes = np.zeros((2, STORED_MISTAKES, 2), np.uint64)
        self._free = np.zeros((2, MOST_ROOM, 2), np.uint64)
        self._foresight = (
            np.zeros(MOST_FRONTIERS, np.uint64),
            np.zeros((MOST_FRONTIERS, NO_MOVE + 1), np.float64),
            np.zeros((MOST_FRONTIERS * 2, 2), np.int64),
            np.zeros((64, LEVELS), np.float64),
            np.zeros(LEVELS, np.float64),
            np.zeros((64, LEVELS), np.int64),
        )
        self._weights = np.ones(1 << WEIGHT_BITS, np.int64)
        self._report = np.zeros(8, np.int64)
        self.on_life: Callable[[], object] = lambda: None
        """Called now and then in a search."""
        self._geometry = tuple(np.uint64(word) for word in (board.stride, board.connect, board.bottom, board.squares))

    def is_valid(self, levels: Levels, own: int, other: int, most_positions: int = 0) -> bool:
        """Whether the exhaustive check accepts a diagram; it may meet as many positions as a look-up, or more."""
        stack, seen = self._stack, self._seen
        while True:
            self._report[1] += 1
            arguments = (levels, np.uint64(own), np.uint64(other), self.is_win, stack, seen, self._report)
            result = check_diagram(*self._geometry, *arguments)
            if result != TOO_LARGE or len(stack) >= most_positions:
                return bool(result == VALID)
            stack, seen = np.zeros((len(stack) * 4, 2), np.uint64), np.zeros((len(seen) * 4, 2), np.uint64)

    def look_up(self, library: Library, first: int, end: int, own: int, other: int) -> int | None:
        """The first diagram of a part of the library that is valid here."""
        position = np.uint64(own), np.uint64(other)
        found = find_valid(
            *self._geometry, library.words, first, end, *position, self.is_win, self._stack, self._seen, self._report
        )
        return None if found < 0 else int(found)

    def look_up_many(self, library: Library, firsts: Firsts, end: int, owns: Levels, others: Levels) -> Firsts:
        """The same for many positions, as arrays, each from a first diagram of its own on; -1 where there is none."""
        found = np.full(len(owns), -1, np.int64)
        find_valid_many(
            *self._geometry, library.words, firsts, end, owns, others, self.is_win, found, self._stack, self._seen,
            self._report,
        )  # fmt: skip
        return found

    def attempt(
        self, own: int, other: int, work: int, seed: int, library: Library, size: int, best: Levels | None = None
    ) -> Attempt:
        """Search for a diagram by local search until one is found or so much work is done.

        The first runs begin with `best` if there is one, and with an answer to most moves in the same column and hardly
        anything else; then come short ones from the nearest of the first `size` diagrams of the library, the best of
        all that, and first diagrams again. The same arguments give the same.
        """
        rng = random.Random(seed)
        chance = np.array([rng.getrandbits(63) | 1], np.uint64)
        result = Attempt(1 << 40, best, 0)
        misses: dict[bytes, tuple[int, Levels]] = {}

        def run_from(start: Levels, most_work: int, heat: float, greed: int) -> None:
            mistakes, levels = self._run(start, own, other, most_work, heat, greed, chance, result)
            if 0 < mistakes <= MISS_MISTAKES:
                misses.setdefault(levels.tobytes(), (mistakes, levels))

        number = 0

        def run_anew(most_work: int, start: Levels | None = None) -> None:
            nonlocal number
            while not result.is_success and result.work < most_work:
                first = self._first_diagram(rng) if start is None else start
                run_from(first, most_work, HEATS[number % len(HEATS)], GREEDS[number % len(GREEDS)])
                number, start = number + 1, None

        if size:
            run_anew(int(work * BEGINNING), best)
        if size and not result.is_success:
            for run, near in enumerate(self._nearest(own, other, library, size, result)):
                if result.is_success or result.work >= work:
                    break
                run_from(near, min(work, result.work + NEAR_WORK), HEATS[0], GREEDS[run % 2])
        run_anew(work, result.levels)
        result.misses = [levels for _, levels in sorted(misses.values(), key=lambda miss: miss[0])[:MISSES]]
        return result

    def _nearest(self, own: int, other: int, library: Library, size: int, result: Attempt) -> list[Levels]:
        """The nearest diagrams of the library, seen from here and from behind, the best first."""
        mirror = self.board.mirror
        found: list[tuple[int, bool, int]] = []
        most = NEAR_MISTAKES + 1
        self.oracle.setting[SHARE] = WHOLE_SHARE
        for is_mirrored in (False, True):
            position = (mirror(own), mirror(other)) if is_mirrored else (own, other)
            self._weights.fill(1)
            nearest = np.full((NEAR_DIAGRAMS, 2), (most, -1), np.int64)
            stones = np.uint64(position[0]), np.uint64(position[1])
            scratch = self._stack, self._seen, self._mistakes[0], self._free[0], self._weights, self._report
            result.work += int(
                find_nearest(self.oracle.setting, library.words, size, *stones, NEAR_ROOM, nearest, *scratch)
            )
            found += [(int(mistakes), is_mirrored, int(number)) for mistakes, number in nearest if number >= 0]
            most = int(nearest[-1, 0])
        found.sort()
        starts: list[Levels] = []
        for _, is_mirrored, number in found[:NEAR_DIAGRAMS]:
            levels = library[number].copy()
            if is_mirrored:
                levels = np.array([mirror(int(word)) for word in levels], np.uint64)
            starts.append(levels)
        return starts

    def _first_diagram(self, rng: random.Random) -> Levels:
        """In every column one level on every second square, which answers the opponent's move below it; most of the
        rest is blank.

        That is what nearly all diagrams look like that were found: even rows, and odd ones in a few columns.
        """
        board = self.board
        levels = np.zeros(LEVELS, np.uint64)
        answers = rng.random() < ANSWERING
        columns = range(board.columns)
        answer_levels = [rng.randrange(BLANK - 1) for _ in columns]  # one level is left between these and blank
        shifts = [rng.randrange(0, board.rows, 2) if rng.random() < SHIFTED else board.rows for _ in columns]
        for square in bits(board.squares):
            column, row = board.column_of(square), board.row_of(square)
            is_answer = (row % 2 == 1) != (row >= shifts[column])
            if answers and is_answer and rng.random() >= STRAY:
                level = answer_levels[column]
            else:
                level = BLANK if rng.random() < BLANK_SHARE else rng.randrange(1, LEVELS)
            levels[level] |= np.uint64(1 << square)
        return levels

    def _run(
        self,
        start: Levels,
        own: int,
        other: int,
        most_work: int,
        heat: float,
        greed: int,
        chance: Levels,
        result: Attempt,
    ) -> tuple[int, Levels]:
        """Anneal from a diagram until it is valid, nothing gets better any more, or the work is done.

        Gives the mistakes that its best diagram makes, and that diagram.
        """
        diagrams = np.zeros((3, LEVELS), np.uint64)
        diagrams[0] = diagrams[1] = start
        position = np.uint64(own), np.uint64(other)
        scratch = self._stack, self._seen
        self._weights.fill(1)
        setting = self.oracle.setting
        setting[SALT] = draw(chance)
        stage, best, stalled = 0, 1 << 40, 0
        least, kept = best, start
        while result.work < most_work and stalled < PATIENCE:
            share, room, enough = STAGES[stage]
            setting[SHARE] = int(share * WHOLE_SHARE)
            self._report[1] += 1
            self.on_life()
            now = walk(
                setting, diagrams[0], *position, 1 << 40, room, *scratch, self._mistakes[0], self._free[0],
                self._weights, self._report,
            )  # fmt: skip
            result.work += int(self._report[0])
            found = now
            if now > 0:
                work = min(SLICE, most_work // SLICES, most_work - result.work)
                found = anneal(
                    setting, diagrams, *position, now, work, heat, greed, VAIN_CHANGES, room, chance,
                    *scratch, self._mistakes, self._free, *self._foresight, self._weights, self._report,
                )  # fmt: skip
                result.work += int(self._report[2]) + 1
            if found in (WAS_STOPPED, GAVE_UP):
                raise RuntimeError("the oracle was stopped, or the claim does not hold here")
            stalled = 0 if found < best else stalled + 1
            best = min(best, int(found))
            is_last = stage == len(STAGES) - 1
            if is_last and found < least:
                least, kept = int(found), diagrams[1].copy()
            if is_last and found == 0:
                break
            if not is_last and found <= enough:
                stage += 1
                diagrams[0] = diagrams[1]
                best, stalled = 1 << 40, 0
        if stage < len(STAGES) - 1:
            setting[SHARE] = WHOLE_SHARE
            self._report[1] += 1
            self._weights.fill(1)
            most = max(result.mistakes - 1, MISS_MISTAKES)
            found = walk(
                setting, diagrams[1], *position, most, MOST_ROOM, *scratch, self._mistakes[0], self._free[0],
                self._weights, self._report,
            )  # fmt: skip
            result.work += int(self._report[0])
            if found >= 0:
                least, kept = int(found), diagrams[1].copy()
        if least < result.mistakes:
            result.mistakes, result.levels = least, kept
        return least, kept
