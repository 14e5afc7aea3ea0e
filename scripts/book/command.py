"""`claimeven book`: the group of its commands."""

from __future__ import annotations

import click

from claimeven.scripts.book.building import build
from claimeven.scripts.book.checking import check
from claimeven.scripts.book.files import export, import_
from claimeven.scripts.book.packed import pack, verify_packed
from claimeven.scripts.book.plan import plan
from claimeven.scripts.options.store import db_option, open_store


@click.group()
def book() -> None:
    """Make opening books, export them, and compare others with your own.

    \b
    Examples:
      claimeven book build --ply 4
      claimeven book plan --ply 10 --workers 20
      claimeven book export --format uci --out connect-4.data
      claimeven book import suite positions.txt
    """


@book.command()
@db_option
def upgrade(db: str | None) -> None:
    """Bring a store of an older version up to date.

    \b
    Example:
      claimeven book upgrade --db book.db
    """
    with open_store(db, writable=True) as store:
        click.echo(f"{store.location} is up to date", err=True)


for command in (build, check, export, import_, pack, plan, verify_packed):
    book.add_command(command)
