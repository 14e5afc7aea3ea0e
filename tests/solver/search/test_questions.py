"""The order of questions: who wins first, in turns, then how soon; the value asks what the score asks."""

from __future__ import annotations

import pytest

from claimeven.solver.search.budget import NO_LIMIT
from claimeven.solver.search.questions import is_settled, next_question, question_nodes


def questions(score: int, *, is_value: bool, late_turns: int = 0) -> list[int]:
    """The questions about a position with this score after eight stones, if so many turns first take too long."""
    least, greatest, turn, asked = -17, 17, 0, []
    while not is_settled(least, greatest, is_value):
        alpha = next_question(least, greatest, turn)
        assert least <= alpha < greatest
        asked.append(alpha)
        if turn < late_turns and question_nodes(least, greatest, turn) < NO_LIMIT:
            turn += 1
        elif score > alpha:
            least = alpha + 1
        else:
            greatest = alpha
    assert is_value or least == greatest == score
    return asked


@pytest.mark.parametrize("late_turns", range(4))
@pytest.mark.parametrize("score", range(-17, 18))
def test_the_value_asks_the_first_of_the_questions_that_the_score_asks(score: int, late_turns: int) -> None:
    value = questions(score, is_value=True, late_turns=late_turns)
    exact = questions(score, is_value=False, late_turns=late_turns)
    assert exact[: len(value)] == value


def test_a_quick_end_is_asked_for_first_and_the_value_when_that_takes_too_long() -> None:
    assert questions(12, is_value=True) == [-8, 8]
    assert questions(12, is_value=True, late_turns=1) == [-8, 0]
    assert questions(0, is_value=True) == [-8, 8, 0, -1]


def test_turns_of_a_kind_take_longer_and_longer_and_quick_ones_are_the_lesser_part() -> None:
    limits = [question_nodes(-17, 17, turn) for turn in range(30)]
    quick, direct = limits[::2], limits[1::2]
    assert quick == sorted(set(quick))
    assert direct == sorted(direct)
    assert all(16 * early <= late for early, late in zip(quick[:9], direct[:9], strict=True))
    assert limits[-1] < NO_LIMIT
    assert question_nodes(-8, 8, 3) == question_nodes(1, 17, 0) == NO_LIMIT
