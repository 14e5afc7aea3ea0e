"""The game that players play: --board, --no-gravity and --blocked, in the same words for every command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from claimeven.scripts.errors import reported_as

if TYPE_CHECKING:
    from claimeven.solver.players.game import Game

Command = TypeVar("Command", bound=Callable[..., Any])

no_gravity_option = click.option("--no-gravity", is_flag=True, help="A move is any empty cell, not a column.")
blocked_option = click.option("--blocked", metavar="CELL", help="A cell that nobody may use, as in d1.")


def read_game(board: str | None, no_gravity: bool, blocked: str | None) -> Game:
    """The game that the options mean, 7x6 without any."""
    from claimeven.solver.players.game import GameError
    from claimeven.solver.players.game_text import parse_game

    with reported_as("--blocked" if blocked and _is_game(board, no_gravity) else "--board", GameError):
        return parse_game(board or "7x6", gravity=not no_gravity, blocked=blocked)


def _is_game(board: str | None, no_gravity: bool) -> bool:
    """Whether the game exists without the blocked cell, so that it must be that which is wrong."""
    from claimeven.solver.players.game import GameError
    from claimeven.solver.players.game_text import parse_game

    try:
        parse_game(board or "7x6", gravity=not no_gravity)
    except GameError:
        return False
    return True
