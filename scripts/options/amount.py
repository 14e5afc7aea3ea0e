"""How many of many things an option asks for: a number, a percentage, all or none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of things, or a share of them.

    >>> Amount(number=200).share_of(1000), Amount(share=0.1).share_of(1000), Amount(number=200).share_of(50)
    (0.2, 0.1, 1.0)
    """

    number: int | None = None
    share: float = 1.0

    def share_of(self, total: int) -> float:
        """Which share of `total` things this is."""
        if self.number is None:
            return self.share
        return min(1.0, self.number / total) if total else 1.0

    @property
    def is_none(self) -> bool:
        return self.number == 0 or (self.number is None and self.share == 0)


class AmountType(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """`200`, `5%`, `all` or `none`."""

    name = "AMOUNT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Amount:
        if isinstance(value, Amount):
            return value
        text = value.strip().lower()
        if text in ("all", "none"):
            return Amount(share=float(text == "all"))
        share = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?)%", text, re.ASCII)
        if share is not None and float(share[1]) <= 100:
            return Amount(share=float(share[1]) / 100)
        if re.fullmatch(r"\d{1,15}", text, re.ASCII):
            return Amount(number=int(text))
        return self.fail(f"{value!r} is not an amount; write a number, a percentage as in 5%, all or none", param, ctx)
