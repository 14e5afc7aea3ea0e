"""Amounts: numbers, shares, all, none."""

from __future__ import annotations

import click
import pytest

from claimeven.scripts.options.amount import Amount, AmountType


@pytest.mark.parametrize(
    ("text", "total", "share"),
    [("200", 1000, 0.2), ("200", 100, 1.0), ("5%", 1000, 0.05), ("2.5%", 10, 0.025), ("all", 7, 1.0), ("None", 7, 0.0)],
)
def test_what_share_an_amount_is(text: str, total: int, share: float) -> None:
    amount = AmountType().convert(text, None, None)
    assert amount.share_of(total) == pytest.approx(share)
    assert amount.is_none == (share == 0)
    assert AmountType().convert(amount, None, None) is amount


def test_nothing_is_not_divided_by() -> None:
    assert Amount(number=5).share_of(0) == 1.0


@pytest.mark.parametrize("text", ["", "x", "-1", "101%", "1.5", "%", "１"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not an amount"):
        AmountType().convert(text, None, None)
