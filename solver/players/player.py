"""What a player is: something that chooses a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from claimeven.solver.players.game import Game, Move, State
from claimeven.solver.position import Position
from claimeven.solver.verdict import Verdict

Lookup = Callable[[Position], Verdict]
"""What a store or a book knows of a position; `claimeven.solver.verdict.UNKNOWN` if nothing."""


class PlayerError(ValueError):
    """A player, or a setting of one, that does not exist, or that cannot play this game."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The move chosen, and what choosing it cost.

    `work` counts what the player counts: nodes, or games played to the end. `score` is the player's own opinion, on its
    own scale, for the side to move; None if it has none. `note` is for people.
    """

    move: Move
    work: int = 0
    score: float | None = None
    note: str = ""


@runtime_checkable
class Player(Protocol):
    """A player of one game at a time. Players of chance take all of it from the seed they were made with."""

    @property
    def name(self) -> str:
        """What it is called in tables, its settings included."""

    @property
    def unit(self) -> str:
        """What `Choice.work` counts: "nodes", "playouts" or "" for nothing."""

    def start(self, game: Game) -> None:
        """A new game begins: forget the last one. Raises PlayerError if this game cannot be played."""

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        """A legal move of a state that is not over, of the game that was started.

        States come in the order of the game, the opponent's moves included, but a player must not rely on it. `seconds`
        is the time that the move may take; None leaves it to the player's own settings.
        """
