"""Players that do what a test tells them, good or bad."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping

from claimeven.solver.players.game import Game, Move, State
from claimeven.solver.players.player import Choice
from claimeven.solver.players.registry import Resources


class ScriptedPlayer:
    """Plays what a function of the state says; the states it saw are kept."""

    unit = ""

    def __init__(self, choose: Callable[[State], object], name: str = "scripted") -> None:
        self.name = name
        self.seen: list[State] = []
        self.games: list[Game] = []
        self._choose = choose

    def start(self, game: Game) -> None:
        self.games.append(game)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        self.seen.append(state)
        chosen = self._choose(state)
        return Choice(chosen) if type(chosen) is int else chosen  # type: ignore[return-value]


def plays(moves: Iterable[Move]) -> ScriptedPlayer:
    """A player with its moves known beforehand."""
    script = iter(moves)
    return ScriptedPlayer(lambda state: next(script))


def plays_leftmost() -> ScriptedPlayer:
    return ScriptedPlayer(lambda state: state.legal_moves[0], "leftmost")


def plays_at_random(seed: int) -> ScriptedPlayer:
    chance = random.Random(seed)
    return ScriptedPlayer(lambda state: chance.choice(state.legal_moves), "chance")


def crashes() -> ScriptedPlayer:
    def crash(state: State) -> object:
        raise RuntimeError("lost its\nmind")

    return ScriptedPlayer(crash, "crashing")


def sleeps(seconds: float) -> ScriptedPlayer:
    def sleep(state: State) -> object:
        time.sleep(seconds)
        return state.legal_moves[0]

    return ScriptedPlayer(sleep, "sleeping")


def make_leftmost(settings: Mapping[str, str], resources: Resources) -> ScriptedPlayer:
    return plays_leftmost()


def make_chance(settings: Mapping[str, str], resources: Resources) -> ScriptedPlayer:
    return plays_at_random(resources.seed)


def make_crashing(settings: Mapping[str, str], resources: Resources) -> ScriptedPlayer:
    return crashes()


def make_sleeping(settings: Mapping[str, str], resources: Resources) -> ScriptedPlayer:
    return sleeps(float(settings.get("seconds", "60")))


REGISTRY = {name: f"{__name__}:make_{name}" for name in ("leftmost", "chance", "crashing", "sleeping")}
"""What to add to the registry of players."""
