"""Stored proofs that do not hold: named on stderr while a command goes on without them, and counted for its status."""

from __future__ import annotations

import click

from claimeven.scripts.errors import FOUND_A_PROBLEM

LISTED = 20
"""How many are named; all are counted."""


class StoredFlaws:
    """Told of every flaw; `finish` ends the command with status 1 if there was one."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, flaw: str) -> None:
        self.number += 1
        if self.number <= LISTED:
            click.echo(f"left out: {flaw}", err=True)

    def finish(self) -> None:
        """Say how many there were, and what to do."""
        if not self.number:
            return
        proofs = "1 stored proof does" if self.number == 1 else f"{self.number:,} stored proofs do"
        click.echo(f"{proofs} not hold; to drop what is wrong: claimeven verify --repair", err=True)
        raise SystemExit(FOUND_A_PROBLEM)
