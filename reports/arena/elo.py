"""Ratings from results: the Bradley-Terry model by maximum likelihood, on the scale of Elo.

A draw counts as half a win and half a loss. Ratings are relative, so their mean is set to 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SCALE = 400 / math.log(10)
"""Elo points a unit of the logistic scale: 400 points are odds of 10 to 1."""

TWO_SIDED_95 = 1.959964
ROUNDS = 200
CLOSE_ENOUGH = 1e-10
LARGEST_STEP = 2.0

Pair = tuple[int, int]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each player with the half-width of its 95% interval, both None for one who played no game.

    `is_bounded` says that results alone allow no finite ratings, because some players scored everything or nothing
    against all the others together; then a drawn game with one and the same average player was added for everybody.
    """

    elo: tuple[float | None, ...]
    error: tuple[float | None, ...]
    is_bounded: bool


def rate(players: int, points: Mapping[Pair, float]) -> Ratings:
    """Ratings from the points that player i scored against player j, by (i, j); a game gives one point in all.

    Players of two groups that never met are rated around 0 each. For two players it is 400 log10(p / (1 - p)).

    >>> ratings = rate(2, {(0, 1): 7.5, (1, 0): 2.5})
    >>> round(ratings.elo[0] - ratings.elo[1], 3), round(400 * math.log10(0.75 / 0.25), 3), ratings.is_bounded
    (190.849, 190.849, False)
    """
    won = np.zeros((players, players))
    for (one, other), score in points.items():
        won[one, other] += score
    has_played = (won + won.T).sum(axis=1) > 0
    is_bounded = not _has_finite_ratings(won)
    if is_bounded:
        won = _with_average_player(won, has_played)
    strengths = _maximise(won)
    covariance = _invert(_information(strengths, won + won.T))
    # An average player who was added is there to be played against and not to be rated.
    centring = np.eye(players) - has_played / max(np.count_nonzero(has_played), 1)
    elo = SCALE * centring @ strengths[:players]
    variance = np.diag(centring @ covariance[:players, :players] @ centring.T)
    errors = SCALE * TWO_SIDED_95 * np.sqrt(np.maximum(variance, 0))
    return Ratings(
        tuple(float(value) if known else None for value, known in zip(elo, has_played, strict=True)),
        tuple(float(value) if known else None for value, known in zip(errors, has_played, strict=True)),
        is_bounded,
    )


def _with_average_player(won: Matrix, has_played: NDArray[np.bool_]) -> Matrix:
    """The results with one more player, who drew with everybody."""
    result: Matrix = np.pad(won, (0, 1))
    result[:-1, -1] = result[-1, :-1] = 0.5 * has_played
    return result


def _maximise(won: Matrix) -> Matrix:
    """The strengths of greatest likelihood, by Newton's method; the likelihood is concave."""
    played = won + won.T
    strengths = np.zeros(len(won))
    for _ in range(ROUNDS):
        gradient = (won - played * _chances(strengths)).sum(axis=1)
        step = _invert(_information(strengths, played)) @ gradient
        # Far from the top the parabola is a bad guess, and a full step may lead away from it.
        strengths = strengths + step * min(1.0, LARGEST_STEP / max(float(np.abs(step).max(initial=0)), CLOSE_ENOUGH))
        if np.abs(step).max(initial=0) < CLOSE_ENOUGH:
            break
    return strengths


def _chances(strengths: Matrix) -> Matrix:
    """The expected score of each player against each."""
    result: Matrix = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return result


def _information(strengths: Matrix, played: Matrix) -> Matrix:
    """The Fisher information: the Laplacian of the pairings, each weighing its games times p (1 - p)."""
    chances = _chances(strengths)
    weights = played * chances * (1 - chances)
    result: Matrix = np.diag(weights.sum(axis=1)) - weights
    return result


def _invert(information: Matrix) -> Matrix:
    """The inverse among ratings whose mean is 0, the only ones that results tell anything about."""
    # The default cut-off lets rounding errors through for information, and their inverses are enormous.
    return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), dtype=np.float64)


def _has_finite_ratings(won: Matrix) -> bool:
    """Whether within every group of players who met, each has a chain of points to each (Ford 1957)."""
    met = won + won.T > 0
    return all(_reach(won > 0, start) == _reach(met, start) == _reach(won.T > 0, start) for start in range(len(won)))


def _reach(leads: NDArray[np.bool_], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in np.flatnonzero(leads[waiting.pop()]).tolist():
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def points_of(results: Sequence[tuple[int, int, int | None]]) -> dict[Pair, float]:
    """The points of games given as (first player, second player, winner), the winner None for a draw.

    >>> points_of([(0, 1, 0), (1, 0, None)])
    {(0, 1): 1.5, (1, 0): 0.5}
    """
    points: dict[Pair, float] = {}
    for first, second, winner in results:
        for one, other in ((first, second), (second, first)):
            gain = 0.5 if winner is None else float(winner == one)
            points[one, other] = points.get((one, other), 0.0) + gain
    return points
