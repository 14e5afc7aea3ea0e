"""The standings of an arena: points, cross table and Elo of each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimeven.reports.arena.elo import points_of, rate

Result = tuple[int, int, int | None]
"""The numbers of the player who began, of the other one, and of the winner, None for a draw."""


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws and losses, over all games or against one opponent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's results: in all, by the side it had, and against each player, itself left empty."""

    player: int
    name: str
    total: Score
    first: Score
    second: Score
    against: tuple[Score, ...]
    elo: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """All players, the strongest first; `is_bounded` is what `Ratings` says of it."""

    players: tuple[Standing, ...]
    is_bounded: bool


def make_standings(names: Sequence[str], results: Sequence[Result]) -> Standings:
    """The standings after these results.

    >>> standings = make_standings(["a", "b"], [(0, 1, 1), (1, 0, None)])
    >>> [(each.name, each.total.points, str(each.first)) for each in standings.players]
    [('b', 1.5, '+0 =1 -0'), ('a', 0.5, '+0 =0 -1')]
    """
    ratings = rate(len(names), points_of(results))
    standings = [
        Standing(
            player,
            name,
            count(player, [result for result in results if player in result[:2]]),
            count(player, [result for result in results if player == result[0]]),
            count(player, [result for result in results if player == result[1]]),
            tuple(
                count(player, [result for result in results if {player, other} == set(result[:2])])
                for other in range(len(names))
            ),
            ratings.elo[player],
            ratings.error[player],
        )
        for player, name in enumerate(names)
    ]
    standings.sort(key=lambda each: (-(each.elo or 0.0), -each.total.points, each.player))
    return Standings(tuple(standings), ratings.is_bounded)


def count(player: int, results: Sequence[Result]) -> Score:
    """How these games, in all of which the player took part, went for it."""
    wins = sum(winner == player for _, _, winner in results)
    draws = sum(winner is None for _, _, winner in results)
    return Score(wins, draws, len(results) - wins - draws)
