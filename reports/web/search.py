"""A search that a request asked for: positions of one board, what is known of their scores so far, and how to stop it.

It is written by the thread that searches and read by others, a word at a time, so that none of them waits.
"""

from __future__ import annotations

import threading
import time
from secrets import token_hex

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.score import greatest_score, least_score
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.job import SearchJob
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Value, Verdict

LOOK_SECONDS = 0.05
"""How often a search looks whether it was stopped."""


class Search:
    """Positions, none of them finished, whose exact scores are looked for until `deadline` (of `time.monotonic`)."""

    def __init__(self, board: Board, positions: list[Position], deadline: float) -> None:
        self.id = token_hex(8)
        self.board = board
        self.positions = positions
        self.deadline = deadline
        self.nodes = 0
        self.turns = 0
        self.began = time.monotonic()
        self._least = [least_score(board.cells, position.ply) for position in positions]
        self._greatest = [greatest_score(board.cells, position.ply) for position in positions]
        self._stop = threading.Event()

    @property
    def open(self) -> list[int]:
        """The numbers of the positions whose score is not known yet."""
        return [number for number in range(len(self.positions)) if self._least[number] < self._greatest[number]]

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    @property
    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def goes_on(self) -> bool:
        return not self.is_stopped and self.seconds_left > 0 and bool(self.open)

    def stop(self) -> None:
        """End the search soon; what it has found stays."""
        self._stop.set()

    def verdict(self, number: int) -> Verdict:
        """What is known of a position so far: its score, or what the bounds on it say of its value."""
        least, greatest = self._least[number], self._greatest[number]
        side = self.positions[number].to_move
        if least == greatest:
            return Verdict(Bounds.exactly(Value.of_score(least, side)), Source.SEARCH, least)
        ends = Value.of_score(_sign(least), side), Value.of_score(_sign(greatest), side)
        bounds = Bounds(*(ends if side is Side.WHITE else reversed(ends)))
        return UNKNOWN if bounds == UNKNOWN.bounds else Verdict(bounds, Source.SEARCH)

    def work(self, searcher: Searcher, budget: Budget, until: float, makes_room: threading.Event) -> None:
        """Search what is open with a searcher of the board, until a time or until room is wanted after it.

        Called in a thread. Positions that the budget is not enough for stay open.
        """
        which = self.open
        if not which:
            return
        stones = [self.positions[number] for number in which]
        white = np.array([position.white for position in stones], np.uint64)
        black = np.array([position.black for position in stones], np.uint64)
        before, nodes = searcher.nodes, self.nodes
        with searcher.start(white, black, budget, scores=True) as job:
            while not job.wait(LOOK_SECONDS):
                self._take(job, which)
                self.nodes = nodes + searcher.nodes - before
                now = time.monotonic()
                if self.is_stopped or now >= self.deadline or (now >= until and makes_room.is_set()):
                    break
            self._take(job, which)
        self.nodes = nodes + searcher.nodes - before

    def _take(self, job: SearchJob, which: list[int]) -> None:
        places = np.arange(len(which))
        least, greatest = job.least(places).tolist(), job.greatest(places).tolist()
        for place, number in enumerate(which):
            self._least[number] = max(self._least[number], least[place])
            self._greatest[number] = min(self._greatest[number], greatest[place])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
