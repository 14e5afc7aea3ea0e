"""The moves of our players, for whoever wants to play against them."""

from __future__ import annotations

from typing import Any

from claimeven.db.books.reader import look_up
from claimeven.reports.web.problem import Problem
from claimeven.reports.web.solutions import Solutions
from claimeven.solver.players.game import Game, GameError, State
from claimeven.solver.players.player import Player, PlayerError
from claimeven.solver.players.registry import PLAYERS, Resources, make_player
from claimeven.solver.players.solution_player import SolutionPlayer
from claimeven.solver.position import Position

SOLUTION = "solution"
"""The player that plays from a solution of the board, as `solution` or `solution:NAME`."""


def list_players() -> list[str]:
    return [*PLAYERS, SOLUTION]


def choose_move(
    position: Position, columns: tuple[int, ...], player: str, seconds: float, solutions: Solutions
) -> dict[str, Any]:
    """The move of a player, with what it thinks of it; raises Problem if there is no such player or game."""
    name, _, rest = player.partition(":")
    if name not in list_players():
        raise Problem(400, "player", f"there is no player {name[:40]!r}; there are: {', '.join(list_players())}")
    if position.is_over:
        raise Problem(422, "game", "the game is over")
    board = position.board
    try:
        game = Game(board.columns, board.rows, board.connect)
        if name == SOLUTION:
            named = solutions.stand(board, columns, rest or None, position.to_move).named
            chosen: Player = SolutionPlayer(named.name, named.solution)
        else:
            chosen = make_player(player, Resources(threads=1, lookup=look_up))
        chosen.start(game)
        choice = chosen.choose(State.start(game).play_all(columns), seconds)
    except (GameError, PlayerError) as error:
        raise Problem(422, "player", str(error)) from None
    return {"player": chosen.name, "column": choice.move + 1, "score": choice.score, "note": choice.note}
