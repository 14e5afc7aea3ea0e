"""*connect-k*: alpha-beta over counted frames, one ply deeper at a time, for every game."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import numpy as np

from claimeven.solver.players.connect_k.board import make_board, make_frames
from claimeven.solver.players.connect_k.frames import FREE, NOWHERE, SIDE, Board, Frames, find_completing
from claimeven.solver.players.connect_k.search import (
    BEST,
    CELLS,
    COUNTERS,
    DECIDED,
    NODES,
    WIN,
    Memory,
    search,
)
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings, name_with_settings

SECONDS = 5.0
DEEPEST = 144
ENTRIES = 1 << 20
MARGIN = 0.03
"""The share of the time for a move that is left for what comes before and after the search."""


class ConnectKPlayer:
    """A player that counts frames; without a depth, it searches as deep as the seconds allow.

    The table is kept from move to move. With a depth that is reached in time, the same game gives the same moves.
    """

    unit = "nodes"

    def __init__(self, *, seconds: float, depth: int) -> None:
        self._seconds, self._depth = seconds, depth
        self._game: Game | None = None
        self._frames: Frames
        self._memory: Memory

    @property
    def name(self) -> str:
        seconds = None if self._depth and self._seconds == SECONDS else self._seconds
        return name_with_settings("connect-k", depth=self._depth or None, seconds=seconds)

    def start(self, game: Game) -> None:
        self._game = game
        self._frames = make_frames(game)
        self._memory = make_memory(game)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        begin = time.monotonic()
        if self._game != state.game:
            self.start(state.game)
        frames = self._frames
        board = make_board(frames, state)
        side = int(board.numbers[SIDE])
        for mover, note in ((side, "wins"), (1 - side, "forced")):
            if (cell := find_completing(frames, board, mover, NOWHERE)) != NOWHERE:
                return Choice(int(frames.move_of[cell]), score=WIN if mover == side else None, note=note)
        allowed = self._seconds if seconds is None else min(self._seconds, seconds)
        cell, score, depth = self._deepen(state, board, begin + allowed * (1 - MARGIN))
        return Choice(int(frames.move_of[cell]), int(self._memory.counters[NODES]), score, f"depth {depth}")

    def _deepen(self, state: State, board: Board, deadline: float) -> tuple[int, int, int]:
        """The best cell, its score, and the depth it comes from."""
        memory = self._memory
        memory.counters[:] = 0
        memory.counters[CELLS] = len(state.cells) - (state.game.blocked is not None)
        memory.counters[BEST] = NOWHERE
        memory.stop[0] = 0
        found: list[tuple[int, int, int]] = []

        def work() -> None:
            for depth in range(1, min(self._depth or DEEPEST, int(board.numbers[FREE])) + 1):
                score = int(search(self._frames, board, memory, -WIN, WIN, depth, 0))
                if memory.stop[0]:
                    # The move that was best one ply less deep is searched first, so a better one is better.
                    if found:
                        found.append((int(memory.counters[BEST]), found[-1][1], found[-1][2]))
                    return
                found.append((int(memory.counters[BEST]), score, depth))
                if abs(score) >= DECIDED:
                    return

        # Not in this thread: the one that waits is the one that Ctrl-C reaches.
        worker = threading.Thread(target=work, name="connect-k", daemon=True)
        worker.start()
        try:
            worker.join(max(deadline - time.monotonic(), 0.0))
        finally:
            memory.stop[0] = 1
            worker.join()
        if found:
            return found[-1]
        # Not even one ply was finished: any move will do.
        return next(int(cell) for cell in board.landing if cell != NOWHERE), 0, 0


def make_memory(game: Game) -> Memory:
    """An empty memory, large enough for lines of any length."""
    plies = game.cells + 2
    return Memory(
        np.zeros(ENTRIES, np.uint64),
        np.zeros(ENTRIES, np.int64),
        np.zeros(1, np.int64),
        np.zeros(COUNTERS, np.int64),
        np.zeros((plies, game.moves), np.int16),
        np.zeros((plies, game.moves), np.int64),
    )


def make(given: Mapping[str, str], resources: Resources) -> ConnectKPlayer:
    """The player `connect-k`; its settings are seconds, five at most, and depth.

    >>> make({"depth": "4"}, Resources()).name
    'connect-k:depth=4'
    """
    settings = Settings("connect-k", given)
    player = ConnectKPlayer(
        seconds=settings.number("seconds", SECONDS, least=0.001, greatest=SECONDS),
        depth=settings.whole("depth", 0, least=0, greatest=DEEPEST),
    )
    settings.finish()
    return player
