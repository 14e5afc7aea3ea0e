"""The type of an option that is a time for thinking, in seconds."""

from __future__ import annotations

import math
from typing import Any

import click

LONGEST = 86_400.0


class Seconds(click.FloatRange):
    """More than 0 and at most a day, which keeps out what no clock can wait for: nan and inf are numbers too."""

    name = "S"

    def __init__(self) -> None:
        super().__init__(0, LONGEST, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds
