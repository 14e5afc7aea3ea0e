"""`claimeven verify`: is everything in the store still true?"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from scripts.errors import FOUND_A_PROBLEM, reported_as
from scripts.store_option import db_option, open_store
from solver.board import Board, BoardError

if TYPE_CHECKING:
    from db.store import Store
    from db.verification import Check

LISTED = 20
"""How many flaws are shown; all are counted."""


@click.command()
@db_option
@click.option("--board", metavar="CxR", help="Only this board.  [default: all boards of the store]")
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="About N objects of each kind, chosen at random.  [default: all]",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another sample for another number.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@click.pass_context
def verify(
    context: click.Context, db: str | None, board: str | None, sample: int | None, seed: int, as_json: bool
) -> None:
    """Check again what the store holds.

    Every certificate is put to the independent checker, every verdict is compared with those of the positions after
    its moves, and every claim of an imported file with what is known. Flaws are listed, and the exit status is 1 if
    there is one.

    \b
    Examples:
      claimeven verify
      claimeven verify --db book.db --sample 1000
    """
    with reported_as("--board", BoardError):
        only = None if board is None else Board.parse(board)
    with open_store(db, writable=False) as store:
        from db.verification import CHECKS

        counts: dict[str, list[int]] = {}
        flaws: list[str] = []
        for name, check in CHECKS.items():
            looked_at = 0
            wrong: list[str] = []
            for each in store.boards() if only is None else [only]:
                number, found = _run_check(store, each, name, check, sample, random.Random(seed))
                looked_at += number
                wrong += found
            counts[name] = [looked_at, len(wrong)]
            flaws += wrong
    if as_json:
        fields = {name: {"checked": checked, "wrong": wrong} for name, (checked, wrong) in counts.items()}
        click.echo(json.dumps(fields | {"flaws": flaws}))
    else:
        for name, (checked, number_wrong) in counts.items():
            click.echo(f"{name:<12}  {checked:>12,} checked  {number_wrong:>8,} wrong")
        for flaw in flaws[:LISTED]:
            click.echo(flaw)
        if len(flaws) > LISTED:
            click.echo(f"... and {len(flaws) - LISTED:,} more")
    if flaws:
        context.exit(FOUND_A_PROBLEM)


def _run_check(
    store: Store, board: Board, name: str, check: Check, sample: int | None, chance: random.Random
) -> tuple[int, list[str]]:
    from db.verification import count_objects

    total = count_objects(store, board)[name]
    share = 1.0 if sample is None or not total else min(1.0, sample / total)
    looked_at, flaws = 0, list[str]()
    with tqdm(total=round(total * share), desc=f"{board} {name}", unit="", disable=None, leave=False) as bar:
        for step in check(store, board, share, chance):
            looked_at += step.looked_at
            flaws += step.flaws
            bar.update(step.looked_at)
    return looked_at, flaws
