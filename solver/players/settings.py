"""Reading the settings of a player from text."""

from __future__ import annotations

import math
from collections.abc import Mapping

from claimeven.solver.players.player import PlayerError


class Settings:
    """The settings given to a player, taken one by one; `finish` refuses what nobody took.

    >>> settings = Settings("mcts", {"seconds": "0.5"})
    >>> settings.number("seconds", 1.0, least=0.001, greatest=3600.0), settings.whole("depth", 8, least=1, greatest=42)
    (0.5, 8)
    >>> settings.finish()
    """

    def __init__(self, player: str, given: Mapping[str, str]) -> None:
        self._player = player
        self._given = dict(given)
        self._known: list[str] = []

    def whole(self, name: str, default: int, *, least: int, greatest: int) -> int:
        """A whole number; raises PlayerError if the text is none, or out of bounds."""
        self._known.append(name)
        text = self._given.pop(name, str(default))
        if not text.isascii() or not text.isdigit() or len(text) > 12 or not least <= int(text) <= greatest:
            raise PlayerError(f"{self._player}: {name} is a whole number from {least} to {greatest}, not {text!r}")
        return int(text)

    def number(self, name: str, default: float, *, least: float, greatest: float) -> float:
        """A number; raises PlayerError if the text is none, or out of bounds."""
        self._known.append(name)
        text = self._given.pop(name, str(default))
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= greatest:
            raise PlayerError(f"{self._player}: {name} is a number from {least:g} to {greatest:g}, not {text!r}")
        return value

    def finish(self) -> None:
        """Raise PlayerError if a setting is left that the player does not have."""
        if self._given:
            known = ", ".join(self._known) or "none"
            raise PlayerError(f"{self._player}: there is no setting {next(iter(self._given))!r}; there are: {known}")


def name_with_settings(player: str, **settings: float | None) -> str:
    """What a player is called in tables: its name, and those settings that are not None.

    >>> name_with_settings("guru", depth=6, seconds=0.5), name_with_settings("guru", depth=None)
    ('guru:depth=6,seconds=0.5', 'guru')
    """
    given = ",".join(f"{name}={value:g}" for name, value in settings.items() if value is not None)
    return f"{player}:{given}" if given else player
