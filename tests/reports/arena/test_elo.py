"""Ratings: closed forms, what they must satisfy, and results that allow none."""

from __future__ import annotations

import math
import random

import pytest

from claimeven.reports.arena.elo import SCALE, TWO_SIDED_95, points_of, rate


def expected_score(difference: float) -> float:
    """The part of the points that a player expects who is so many Elo points stronger, by the definition of Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


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
    assert list(ratings.error) == pytest.approx([error, error])
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


def test_errors_of_three_are_those_of_differences_to_one_of_them() -> None:
    """The same information written the other way: the first player fixed at 0, the other two free."""
    points = {(0, 1): 6.0, (1, 0): 4.0, (0, 2): 15.5, (2, 0): 4.5, (1, 2): 3.0, (2, 1): 2.0}
    ratings = rate(3, points)
    elo = [rating for rating in ratings.elo if rating is not None]

    def weight(one: int, other: int) -> float:
        chance = expected_score(elo[one] - elo[other])
        return (points[one, other] + points[other, one]) * chance * (1 - chance) / SCALE**2

    between, of_one, of_two = weight(1, 2), weight(0, 1) + weight(1, 2), weight(0, 2) + weight(1, 2)
    determinant = of_one * of_two - between**2
    variance_one, variance_two, covariance = of_two / determinant, of_one / determinant, between / determinant
    # The mean of the ratings 0, a and b is (a + b) / 3, and what is given is the distance from it.
    variances = (
        (variance_one + variance_two + 2 * covariance) / 9,
        (4 * variance_one + variance_two - 4 * covariance) / 9,
        (variance_one + 4 * variance_two - 4 * covariance) / 9,
    )
    assert ratings.error == tuple(pytest.approx(TWO_SIDED_95 * math.sqrt(variance)) for variance in variances)


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


def test_the_average_player_that_was_added_does_not_count_in_the_mean() -> None:
    points = {(0, 1): 10.0, (0, 2): 10.0, (0, 3): 10.0, (1, 2): 1.0, (2, 1): 1.0, (1, 3): 2.0, (2, 3): 2.0}
    ratings = rate(5, points)
    elo = [rating for rating in ratings.elo if rating is not None]
    assert ratings.is_bounded
    assert len(elo) == 4
    assert sum(elo) == pytest.approx(0, abs=1e-6)


def test_a_group_that_lost_everything_to_another_is_bounded_too() -> None:
    even = {(0, 1): 1.0, (1, 0): 1.0, (2, 3): 1.0, (3, 2): 1.0}
    assert not rate(4, even | {(0, 2): 1.0, (2, 0): 1.0}).is_bounded
    assert rate(4, even | {(0, 2): 2.0, (2, 0): 0.0}).is_bounded


def test_a_circle_is_finite_without_help() -> None:
    ratings = rate(3, {(0, 1): 1.0, (1, 2): 1.0, (2, 0): 1.0})
    assert not ratings.is_bounded
    assert list(ratings.elo) == pytest.approx([0, 0, 0])


def test_who_did_not_play_has_no_rating() -> None:
    ratings = rate(3, {(0, 1): 1.0, (1, 0): 1.0})
    assert (ratings.elo[2], ratings.error[2]) == (None, None)
    assert rate(2, {}).elo == (None, None)
