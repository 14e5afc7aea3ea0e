"""Kernels, loaded in a thread of their own from the start of the server on, and compiled if this machine has not.

Compiling takes half a minute, once. What store and book know is answered meanwhile, and whoever needs a kernel waits
for it: his time to search begins when it is there.
"""

from __future__ import annotations

import asyncio
import gc
import math
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial

from claimeven.reports.web.search import Search
from claimeven.solver.board import Board
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.registry import PLAYERS, Resources, make_player
from claimeven.solver.position import Position
from claimeven.solver.rule_proof import find_proof
from claimeven.solver.search.budget import UNLIMITED
from claimeven.solver.search.searcher import Searcher

SEARCH, PROOFS = "search", "proofs"
OPENING = (3, 3, 3, 3, 3, 2, 2, 2)
"""A game after which every player has to think."""


class Kernels:
    """The kernels of a server, by what needs them: SEARCH, PROOFS and the names of players, in this order."""

    def __init__(self, steps: Mapping[str, Callable[[], object]] | None = None) -> None:
        self._steps = _steps() if steps is None else steps
        self._ready = {name: asyncio.Event() for name in self._steps}
        self._is_closed = False

    @property
    def are_ready(self) -> bool:
        return all(event.is_set() for event in self._ready.values())

    def is_ready(self, name: str) -> bool:
        """Whether what needs kernels of this name need not wait; what is not known by name needs none."""
        return name not in self._ready or self._ready[name].is_set()

    async def wait(self, name: str, seconds: float | None = None) -> None:
        """Wait until kernels are there, so many seconds at most."""
        if not self.is_ready(name):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready[name].wait(), seconds)

    def begin(self) -> None:
        """Start loading; called by the event loop that waits."""
        # A daemon, as nothing stops a compiler, and the end of the server shall not wait for it.
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._load, args=(loop,), name="kernels", daemon=True).start()

    def close(self) -> None:
        """Load no more than what is being loaded."""
        self._is_closed = True

    def _load(self, loop: asyncio.AbstractEventLoop) -> None:
        for name, load in self._steps.items():
            if self._is_closed:
                return
            with suppress(Exception):  # whatever fails here fails where it is needed too, and is told there
                load()
            with suppress(RuntimeError):  # the loop may have ended meanwhile
                loop.call_soon_threadsafe(self._ready[name].set)
        # What was loaded stays; clients shall not wait until a collector of garbage has looked through all of it.
        gc.collect()
        gc.freeze()


def _steps() -> dict[str, Callable[[], object]]:
    return {SEARCH: _load_search, PROOFS: _load_rules} | {name: partial(_load_player, name) for name in PLAYERS}


# Once in a process: they stay loaded.
@cache
def _load_search() -> None:
    board = Board(4, 4)
    search = Search(board, [Position.start(board)], math.inf)
    search.work(Searcher(board, 1 << 20, 1), UNLIMITED, math.inf, threading.Event())


@cache
def _load_rules() -> None:
    find_proof(Position.start(Board(4, 4)))


@cache
def _load_player(name: str) -> None:
    game = Game()
    player = make_player(name, Resources(threads=1))
    player.start(game)
    player.choose(State.start(game).play_all(OPENING), 0.01)
