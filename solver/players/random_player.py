"""*random*: any legal move, all of them equally likely."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings


class RandomPlayer:
    """Plays any game, uniformly over the legal moves; the seed fixes the whole sequence of its choices.

    >>> player = RandomPlayer(seed=1)
    >>> player.choose(State.start(Game())).move in range(7)
    True
    """

    name = "random"
    unit = ""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def start(self, game: Game) -> None:
        """Nothing to forget: chance goes on where it was, so that one player's games differ."""

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        return Choice(self._random.choice(state.legal_moves))


def make(settings: Mapping[str, str], resources: Resources) -> RandomPlayer:
    """The player; it has no settings."""
    Settings("random", settings).finish()
    return RandomPlayer(resources.seed)
