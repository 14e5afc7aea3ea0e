"""Ratings: closed forms, what they must satisfy, and results that allow none."""

from __future__ import annotations

import math
import random

import pytest

from reports.elo import SCALE, TWO_SIDED_95, expected_score, points_of, rate


@pytest.mark.parametrize(("wins", "games"), [(5.0, 10), (7.5, 10), (99.5, 100), (1.0, 1000), (19.0, 20)])
def test_two_players_have_a_closed_form(wins: float, games: int) -> None:
    ratings = rate(2, {(0, 1): wins, (1, 0): games - wins})
    part = wins / games
    one, other = ratings.elo
    assert one is not None
    assert other is not None
    assert one - other == pytest.approx(400 * math.log10(part / (1 - part)), abs=1e-6)
    assert one + other == pytest.approx(0, abs=1e-6)
    # The difference has the variance 1 / (n p q), and each of two ratings around 0 has half the difference.
    error = TWO_SIDED_95 * SCALE / math.sqrt(games * part * (1 - part)) / 2
    assert ratings.error == (pytest.approx(error), pytest.approx(error))
    assert not ratings.is_bounded


def test_everybody_expects_the_points_he_has() -> None:
    chance = random.Random(1)
    points: dict[tuple[int, int], float] = {}
    for one in range(5):
        for other in range(one + 1, 5):
            points[one, other], points[other, one] = float(chance.randint(1, 9)), float(chance.randint(1, 9))
    ratings = rate(5, points)
    elo = [rating for rating in ratings.elo if rating is not None]
    assert sum(elo) == pytest.approx(0, abs=1e-6)
    for player in range(5):
        scored = sum(points[player, other] for other in range(5) if other != player)
        expected = sum(
            (points[player, other] + points[other, player]) * expected_score(elo[player] - elo[other])
            for other in range(5)
            if other != player
        )
        assert scored == pytest.approx(expected)


def test_ratings_come_back_from_games_played_by_them() -> None:
    true = [-200.0, 0.0, 200.0]
    chance = random.Random(7)
    results = []
    for _ in range(3000):
        one, other = chance.sample(range(3), 2)
        results.append((one, other, one if chance.random() < expected_score(true[one] - true[other]) else other))
    ratings = rate(3, points_of(results))
    for elo, error, right in zip(ratings.elo, ratings.error, true, strict=True):
        assert elo is not None
        assert error is not None
        assert abs(elo - right) < 2 * error
        assert 5 < error < 25


def test_all_or_nothing_is_rated_finitely_and_said() -> None:
    ratings = rate(2, {(0, 1): 10.0, (1, 0): 0.0})
    assert ratings.is_bounded
    one, other = ratings.elo
    assert one is not None
    assert other is not None
    # Both drew with a player at 0, halfway between them: where the expected points are those that were scored.
    assert 10 * expected_score(one - other) + expected_score(one) == pytest.approx(10.5)
    assert one == pytest.approx(-other)
    assert all(error is not None and math.isfinite(error) for error in ratings.error)


def test_a_group_that_lost_everything_to_another_is_bounded_too() -> None:
    even = {(0, 1): 1.0, (1, 0): 1.0, (2, 3): 1.0, (3, 2): 1.0}
    assert not rate(4, even | {(0, 2): 1.0, (2, 0): 1.0}).is_bounded
    assert rate(4, even | {(0, 2): 2.0, (2, 0): 0.0}).is_bounded


def test_a_circle_is_finite_without_help() -> None:
    ratings = rate(3, {(0, 1): 1.0, (1, 2): 1.0, (2, 0): 1.0})
    assert not ratings.is_bounded
    assert ratings.elo == (pytest.approx(0), pytest.approx(0), pytest.approx(0))


def test_who_did_not_play_has_no_rating() -> None:
    ratings = rate(3, {(0, 1): 1.0, (1, 0): 1.0})
    assert (ratings.elo[2], ratings.error[2]) == (None, None)
    assert rate(2, {}).elo == (None, None)
