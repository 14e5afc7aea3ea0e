from __future__ import annotations

import pytest

from claimeven.solver.players.player import PlayerError
from claimeven.solver.players.settings import Settings


def test_what_is_not_given_has_its_default() -> None:
    settings = Settings("player", {})
    assert settings.whole("depth", 8, least=1, greatest=9) == 8
    assert settings.number("seconds", 0.5, least=0.1, greatest=1.0) == 0.5
    settings.finish()


@pytest.mark.parametrize("text", ["", "x", "-1", "+3", "1.0", " 3", "0", "10", "٣", "1" * 5000])
def test_whole_numbers_out_of_bounds_or_no_numbers(text: str) -> None:
    with pytest.raises(PlayerError, match="player: depth is a whole number from 1 to 9"):
        Settings("player", {"depth": text}).whole("depth", 8, least=1, greatest=9)


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "-0.5", "2"])
def test_numbers_out_of_bounds_or_no_numbers(text: str) -> None:
    with pytest.raises(PlayerError, match=r"player: seconds is a number from 0.1 to 1"):
        Settings("player", {"seconds": text}).number("seconds", 0.5, least=0.1, greatest=1.0)


def test_a_setting_that_nobody_took_is_refused_with_those_that_there_are() -> None:
    settings = Settings("player", {"depth": "3", "speed": "9"})
    assert settings.whole("depth", 8, least=1, greatest=9) == 3
    with pytest.raises(PlayerError, match="player: there is no setting 'speed'; there are: depth"):
        settings.finish()
