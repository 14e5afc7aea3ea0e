"""`claimeven store`: the store itself, whatever is in it."""

from __future__ import annotations

import json

import click
from tqdm import tqdm

from claimeven.scripts.errors import InputError
from claimeven.scripts.options.store import open_store, store_errors
from claimeven.scripts.stored_flaws import StoredFlaws


@click.group()
def store() -> None:
    """Move stores from one place or database to another.

    \b
    Example:
      claimeven store copy book.db postgresql://db.example.org/claimeven
    """


@store.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def copy(source: str, target: str, as_json: bool) -> None:
    """Copy what a store knows into another one, and check that it is there.

    FROM and TO are files or database URLs. A password belongs into a service file or PGPASSWORD, as others can see
    what is written here. TO is made if it is not there; what it knows already stays, and if the two exclude each other
    that ends the command. Taken over are verdicts, proofs, which are checked, claims and what positions cost; runs and
    games stay. Everything is read back. A copy that was stopped goes on with the same command.

    \b
    Examples:
      claimeven store copy book.db copy.db
      claimeven store copy book.db 'postgresql:///?service=claimeven'
      claimeven store copy postgresql://db.example.org/claimeven book.db
    """
    flaws = StoredFlaws()
    with store_errors():
        from claimeven.db.location import StoreLocation

        if StoreLocation.parse(source) == StoreLocation.parse(target):
            raise InputError("FROM and TO are the same store")
    with open_store(source, writable=False) as old, open_store(target, writable=True) as new:
        from claimeven.db.transfer import copy_store

        total = sum(number for board in old.boards() for number in old.count_positions(board).values())
        with tqdm(total=total, unit=" positions", disable=None, leave=False) as bar:
            counts = copy_store(old, new, bar.update, flaws)
        place = str(new.location)
    if as_json:
        fields = {"verdicts": counts.verdicts, "proofs": counts.proofs, "claims": counts.claims}
        click.echo(json.dumps(fields | {"checked": counts.checked}))
    else:
        click.echo(
            f"{place}: {counts.verdicts:,} verdicts, {counts.proofs:,} proofs and {counts.claims:,} claims; "
            f"{counts.checked:,} verdicts read back, all there"
        )
    flaws.finish()
