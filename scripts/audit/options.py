"""The values of two options of `claimeven audit`: a range of plies, and which proofs to play out."""

from __future__ import annotations

import re
from typing import Any

import click


class PlyRange(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A ply, or the first and the last of several as in 0-8."""

    name = "A-B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", value, re.ASCII)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            self.fail(f"{value!r} is not a ply or a range of plies such as 0-8", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class Proofs(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """How many proofs, or which."""

    name = "N|all|thesis"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value in ("all", "thesis"):
            return str(value)
        if not re.fullmatch(r"[1-9]\d{0,8}", str(value), re.ASCII):
            self.fail(f"{value!r} is not a number of proofs, nor all, nor thesis", param, ctx)
        return int(value)
