"""Memory that runs out: the search goes on with the table it has, and says so."""

from __future__ import annotations

from collections.abc import Callable

on_shortage: Callable[[int], None] | None = None
"""Told, by any thread, that a table could not grow as it should and how many bytes it has."""


def tell_shortage(table_bytes: int) -> None:
    """Say that there is no memory for a larger table than one of so many bytes."""
    if on_shortage is not None:
        on_shortage(table_bytes)
