"""Players by name: `make_player("mcts:seconds=1")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from solver.players.player import Lookup, Player, PlayerError

PLAYERS: dict[str, str] = {
    "random": "solver.players.random_player:make",
    "perfect": "solver.players.perfect:make",
    "rules": "solver.players.rules_player:make",
    "negamax": "solver.players.win_sets_player:make",
    "easy": "solver.players.window_player:make_easy",
    "medium": "solver.players.window_player:make_medium",
    "hard": "solver.players.window_player:make_hard",
    "guru": "solver.players.window_player:make_guru",
    "victor": "solver.players.window_player:make_victor",
    "mcts": "solver.players.mcts_player:make",
    "connect-k": "solver.players.connect_k_player:make",
}
"""Where each player is made. Modules are imported only when their player is asked for."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a player may draw on: a seed for its choices, what is known of positions, and how many threads."""

    seed: int = 0
    lookup: Lookup | None = None
    threads: int | None = None


Maker = Callable[[Mapping[str, str], Resources], Player]
"""Makes a player of its settings, as text; raises PlayerError for one that it does not know or cannot read."""


def make_player(text: str, resources: Resources | None = None) -> Player:
    """The player written `NAME` or `NAME:SETTING=VALUE,...`; raises PlayerError, naming what there is.

    >>> make_player("random").name
    'random'
    """
    name, _, rest = text.strip().partition(":")
    if name not in PLAYERS:
        raise PlayerError(f"there is no player {name!r}; there are: {', '.join(PLAYERS)}")
    settings: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or key in settings:
            raise PlayerError(f"{text!r}: settings are written NAME=VALUE, each once, separated by commas")
        settings[key.strip()] = value.strip()
    module, function = PLAYERS[name].split(":")
    maker: Maker = getattr(import_module(module), function)
    return maker(settings, resources or Resources())
