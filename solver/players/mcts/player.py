"""*mcts*: UCT, with a tree that is kept from move to move and knows what is proved."""

from __future__ import annotations

import time
from collections.abc import Mapping

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.mcts.search import MOST_VISITS, TreeSearch
from claimeven.solver.players.mcts.tree import DRAWN, LOST, UNPROVED, WON
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings, name_with_settings
from claimeven.solver.players.tactics import opponent_of, winning_moves

EXPLORATION = 0.8
SECONDS = 1.0
MEBIBYTES = 256

SLICE_SECONDS = 0.02
"""How long the kernel runs at a time: Ctrl-C and the clock wait for it."""
FIRST_SLICE = 500
MARGIN = 0.05
"""The share of the time for a move that is left for what comes after the search."""

PROOFS = {LOST: "lost", DRAWN: "drawn", WON: "won"}


class MctsPlayer:
    """A player by UCT.

    It plays `playouts` games a move if that is not 0, else as many as fit into the seconds, and fewer if the value of
    the position is proved before. A win at once, and the only move against one, cost nothing.
    """

    unit = "playouts"

    def __init__(self, *, seconds: float, playouts: int, exploration: float, memory_bytes: int, seed: int) -> None:
        self._seconds, self._playouts = seconds, playouts
        self._exploration, self._memory_bytes, self._seed = exploration, memory_bytes, seed
        self.search: TreeSearch | None = None

    @property
    def name(self) -> str:
        return name_with_settings(
            "mcts",
            playouts=self._playouts or None,
            seconds=None if self._playouts else self._seconds,
            exploration=None if self._exploration == EXPLORATION else self._exploration,
            memory=None if self._memory_bytes == MEBIBYTES << 20 else self._memory_bytes >> 20,
        )

    def start(self, game: Game) -> None:
        self.search = TreeSearch(game, self._memory_bytes, self._seed)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        begin = time.monotonic()
        if self.search is None or self.search.game != state.game:
            self.start(state.game)
        assert self.search is not None
        self.search.move_to(state)
        if wins := winning_moves(state, state.to_move):
            return Choice(wins[0], score=1.0, note="wins")
        if threats := winning_moves(state, opponent_of(state.to_move)):
            return Choice(threats[0], note="forced")
        if seconds is None and not self._playouts:
            seconds = self._seconds
        work = self._grow(self.search, None if seconds is None else begin + seconds * (1 - MARGIN))
        best = max(self.search.children(), key=lambda child: child.preference)
        if best.proof != UNPROVED:
            return Choice(best.move, work, float(best.proof - DRAWN), PROOFS[best.proof])
        return Choice(best.move, work, best.mean, f"{best.visits:,} of {self.search.visits:,}")

    def _grow(self, search: TreeSearch, deadline: float | None) -> int:
        """Grow the tree until the deadline, or by so many games; returns how many were played."""
        limit = self._playouts or MOST_VISITS
        work, portion = 0, FIRST_SLICE
        now = time.monotonic()
        while work < limit and not search.is_proved and search.visits < MOST_VISITS:
            work += search.grow(min(portion, limit - work), self._exploration)
            before, now = now, time.monotonic()
            if deadline is not None and now + SLICE_SECONDS >= deadline:
                break
            portion = max(int(portion * min(SLICE_SECONDS / max(now - before, 1e-6), 4.0)), 1)
        return work


def make(given: Mapping[str, str], resources: Resources) -> MctsPlayer:
    """The player `mcts`; its settings are seconds or playouts, exploration, and memory in MiB.

    >>> make({"playouts": "1000"}, Resources()).name
    'mcts:playouts=1000'
    """
    settings = Settings("mcts", given)
    player = MctsPlayer(
        seconds=settings.number("seconds", SECONDS, least=0.001, greatest=3600.0),
        playouts=settings.whole("playouts", 0, least=0, greatest=MOST_VISITS),
        exploration=settings.number("exploration", EXPLORATION, least=0.0, greatest=100.0),
        memory_bytes=settings.whole("memory", MEBIBYTES, least=1, greatest=1 << 14) << 20,
        seed=resources.seed,
    )
    settings.finish()
    return player
