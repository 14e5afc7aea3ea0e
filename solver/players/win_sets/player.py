"""*negamax*: alpha-beta over win sets, the moves at the root searched in parallel."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from random import Random

import numpy as np

from claimeven.solver.players.centre_out import centre_out
from claimeven.solver.players.game import FIRST, Game, Move, State
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings, name_with_settings
from claimeven.solver.players.stoppable import deadline_of, run_all
from claimeven.solver.players.win_sets.frame import NODES, UNIT, Frame, new_frame
from claimeven.solver.players.win_sets.kernel import (
    INFINITY,
    WIN,
    landing_cell,
    load_cells,
    put,
    search,
    value_sets,
    wins_at,
)

BY_GAME = 0
SECONDS = 5.0
DEPTH_WITH_GRAVITY = 7
DEPTH_WITHOUT_GRAVITY = 3
LONGEST_GAME = 144
DECIDED = WIN - LONGEST_GAME - 1
"""A value beyond this is a win, or a loss, that the search has seen."""


@dataclass(slots=True)
class _Search:
    """The frames of a game, one a thread, handed out to searches."""

    game: Game
    frames: list[Frame]
    idle: SimpleQueue[Frame]
    stop: np.ndarray[tuple[int], np.dtype[np.int64]]


class WinSetsPlayer:
    """Plays any game: the move with the best value so many plies deep, one of the best by chance if there are several.

    A win or a loss seen outranks every evaluation; the quicker win and the later loss are better. Depth 0 stands for
    7 with gravity and 3 without. It deepens one ply at a time, and when the time is up plays the best move of the last
    depth that was completed. Which moves are best does not depend on the number of threads.

    >>> player = WinSetsPlayer(depth=2)
    >>> player.start(Game())
    >>> player.choose(State.start(Game()).play_all([3, 0, 3, 0, 3, 1])).move
    3
    """

    unit = "nodes"

    def __init__(
        self, depth: int = BY_GAME, seconds: float = SECONDS, seed: int = 0, threads: int | None = None
    ) -> None:
        self.name = name_with_settings("negamax", depth=depth or None, seconds=None if seconds == SECONDS else seconds)
        self._depth = depth
        self._seconds = seconds
        self._random = Random(seed)
        self._threads = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="negamax")
        self._search: _Search | None = None

    def start(self, game: Game) -> None:
        stop = np.zeros(1, np.int64)
        frames = [_frame_of(game, stop) for _ in range(self._threads)]
        idle: SimpleQueue[Frame] = SimpleQueue()
        for frame in frames:
            idle.put(frame)
        self._search = _Search(game, frames, idle, stop)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        deadline = deadline_of(self._seconds if seconds is None else min(seconds, self._seconds))
        if self._search is None or self._search.game != state.game:
            self.start(state.game)
        assert self._search is not None
        search_ = self._search
        search_.stop[0] = 0
        for frame in search_.frames:
            load_cells(frame, np.array(list(state.cells), np.uint8))
            frame.counters[NODES] = 0
        legal = set(state.legal_moves)
        moves = [move for move in centre_out(state.game) if move in legal]
        # One ply is looked at whatever the time, so that there is a move to play.
        values = {move: _value_move(search_, state, 1, -INFINITY, move) for move in moves}
        reached = 1
        for depth in range(2, min(self._depth_for(state.game), state.cells.count(0)) + 1):
            if abs(max(values.values())) > DECIDED or len(moves) == 1 or time.monotonic() >= deadline:
                break
            moves.sort(key=lambda move: -values[move])
            deeper = self._value_all(search_, state, depth, moves, deadline)
            if search_.stop[0]:
                break
            values, reached = deeper, depth
        best = max(values.values())
        return Choice(
            self._random.choice(sorted(move for move, value in values.items() if value == best)),
            work=sum(int(frame.counters[NODES]) for frame in search_.frames),
            score=best / UNIT,
            note=f"depth {reached}",
        )

    def _depth_for(self, game: Game) -> int:
        return self._depth or (DEPTH_WITH_GRAVITY if game.gravity else DEPTH_WITHOUT_GRAVITY)

    def _value_all(
        self, search_: _Search, state: State, depth: int, moves: Sequence[Move], deadline: float
    ) -> dict[Move, int]:
        """The values of moves, the most promising given first; those of the best moves are exact."""
        values: dict[Move, int] = {}

        def value(move: Move) -> None:
            # One below the best so far: a move as good gets its exact value too, whoever comes first.
            alpha = max(values.copy().values(), default=-INFINITY + 1) - 1
            values[move] = _value_move(search_, state, depth, alpha, move)

        # The first one alone: the others are cut off by its value.
        for batch in (moves[:1], moves[1:]):
            run_all(self._pool, [partial(value, move) for move in batch], deadline, partial(search_.stop.fill, 1))
        return values


def _value_move(search_: _Search, state: State, depth: int, alpha: int, move: Move) -> int:
    """The value of a move, `depth` plies deep; if it is no greater than `alpha`, only that is known."""
    frame = search_.idle.get()
    try:
        side, ply = state.to_move - FIRST, len(state.moves)
        load_cells(frame, np.array(list(state.cells), np.uint8))
        cell = landing_cell(frame, move)
        if wins_at(frame, cell, side):
            return WIN - (ply + 1)
        put(frame, cell, side)
        return -int(search(frame, 1 - side, ply + 1, depth - 1, -INFINITY, -alpha))
    finally:
        search_.idle.put(frame)


def evaluate_win_sets(state: State) -> float:
    """What a position that is not over is worth to the side to move, by its win sets alone.

    >>> evaluate_win_sets(State.start(Game()).play(3))
    -30.0
    """
    frame = _frame_of(state.game, np.zeros(1, np.int64))
    load_cells(frame, np.array(list(state.cells), np.uint8))
    side = state.to_move - FIRST
    return float((value_sets(frame, side) - value_sets(frame, 1 - side)) / UNIT)


def _frame_of(game: Game, stop: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Frame:
    return new_frame(
        game.width, game.height, game.connect, game.gravity, game.blocked, centre_out(game), game.lines, stop
    )


def make(settings: Mapping[str, str], resources: Resources) -> WinSetsPlayer:
    """The player; `depth` in plies (0: by the game) and `seconds` a move at most."""
    read = Settings("negamax", settings)
    depth = read.whole("depth", BY_GAME, least=BY_GAME, greatest=LONGEST_GAME)
    seconds = read.number("seconds", SECONDS, least=0.001, greatest=3600.0)
    read.finish()
    return WinSetsPlayer(depth, seconds, resources.seed, resources.threads)
