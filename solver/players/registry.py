"""Players by name: `make_player("mcts:seconds=1")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from claimeven.solver.players.player import Lookup, Player, PlayerError

PLAYERS: dict[str, str] = {
    "random": "claimeven.solver.players.random_player:make",
    "perfect": "claimeven.solver.players.perfect:make",
    "rules": "claimeven.solver.players.rules_player:make",
    "negamax": "claimeven.solver.players.win_sets.player:make",
    "easy": "claimeven.solver.players.window.player:make_easy",
    "medium": "claimeven.solver.players.window.player:make_medium",
    "hard": "claimeven.solver.players.window.player:make_hard",
    "guru": "claimeven.solver.players.window.player:make_guru",
    "victor": "claimeven.solver.players.window.player:make_victor",
    "mcts": "claimeven.solver.players.mcts.player:make",
    "connect-k": "claimeven.solver.players.connect_k.player:make",
}
"""Where each player is made. Modules are imported only when their player is asked for."""

OF_FILES: dict[str, str] = {"solution": "claimeven.solver.players.solution_player:make"}
"""Players that are made of a file, as in `solution:FILE`."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a player may draw on: a seed for its choices, what is known of positions, and how many threads."""

    seed: int = 0
    lookup: Lookup | None = None
    threads: int | None = None


Maker = Callable[[Mapping[str, str], Resources], Player]
"""Makes a player of its settings, as text; raises PlayerError for one that it does not know or cannot read."""


def make_player(text: str, resources: Resources | None = None) -> Player:
    """The player written `NAME`, `NAME:SETTING=VALUE,...` or `solution:FILE`; raises PlayerError, naming what there is.

    >>> make_player("random").name
    'random'
    """
    name, _, rest = text.strip().partition(":")
    if name in OF_FILES:
        return _maker_at(OF_FILES[name])({"file": rest}, resources or Resources())
    if name not in PLAYERS:
        known = ", ".join([*PLAYERS, *(f"{each}:FILE" for each in OF_FILES)])
        raise PlayerError(f"there is no player {name!r}; there are: {known}")
    settings: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or key in settings:
            raise PlayerError(f"{text!r}: settings are written NAME=VALUE, each once, separated by commas")
        settings[key.strip()] = value.strip()
    return _maker_at(PLAYERS[name])(settings, resources or Resources())


def _maker_at(place: str) -> Maker:
    module, function = place.split(":")
    maker: Maker = getattr(import_module(module), function)
    return maker
