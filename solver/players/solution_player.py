"""The player that plays from a solution, without any search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from claimeven.solver.board import Board
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Choice, PlayerError
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.tactics import centre_first, safe_moves, winning_moves
from claimeven.solver.solution.guide import Guide
from claimeven.solver.solution.solution import Solution, SolutionError


def make(settings: Mapping[str, str], resources: Resources) -> SolutionPlayer:
    """`solution:FILE`, the file of a solution."""
    file = settings.get("file", "")
    if not file or len(settings) > 1:
        raise PlayerError("solution: write solution:FILE, with the file of a solution")
    try:
        return SolutionPlayer(f"solution:{Path(file).name}", Solution.load(file))
    except OSError as error:
        raise PlayerError(f"solution: {file}: {error.strerror or error}") from None
    except SolutionError as error:
        raise PlayerError(f"solution: {error}") from None


class SolutionPlayer:
    """Plays what a solution says. Where it says nothing, as for the other side, it wins or defends at once where it can
    and otherwise stays near the middle."""

    unit = ""

    def __init__(self, name: str, solution: Solution) -> None:
        self.name = name
        self._solution = solution

    def start(self, game: Game) -> None:
        """Every game of the solution's board can be played."""
        if not game.is_standard or Board(game.width, game.height, game.connect) != self._solution.board:
            raise PlayerError(f"{self.name} is for {self._solution.board} boards, not for {game}")

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        """The move of the solution at once, whatever `seconds` are."""
        try:
            advice = Guide.in_game(self._solution, state.moves).advise()
        except SolutionError:
            moves = winning_moves(state, state.to_move) or safe_moves(state)
            choice = next((move for move in centre_first(state) if move in moves), centre_first(state)[0])
            return Choice(choice, note="not in the solution")
        return Choice(advice.column, note=advice.reason)
