"""`claimeven book`: opening books, out of the store and into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from tqdm import tqdm

from scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from scripts.store_option import db_option, open_store
from solver.board import Board, BoardError

# The names of db.book.EXPORT_FORMATS and IMPORT_FORMATS; a test compares them. Help must not import the formats.
EXPORT_FORMATS = ("uci", "pons", "bitbully", "csv", "json", "jsonl", "sqlite")
IMPORT_FORMATS = ("pons", "bitbully", "suite")

_board_option = click.option(
    "--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows, and x how many win if not four."
)


@click.group()
def book() -> None:
    """Write opening books, and compare others with your own.

    \b
    Examples:
      claimeven book export --format uci --out connect-4.data
      claimeven book import suite positions.txt
    """


@book.command("export")
@click.option(
    "--format", "format_", type=click.Choice(EXPORT_FORMATS), required=True, help="The format of the file to write."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write or to replace."
)
@click.option(
    "--ply",
    type=click.IntRange(0),
    metavar="N",
    help="Up to ply N; uci and bitbully hold one ply, this one.  [default: all plies; uci and bitbully: 8]",
)
@_board_option
@db_option
def export(format_: str, out: Path, ply: int | None, board: str, db: str | None) -> None:
    """Write what the store knows to a file.

    One of each mirror pair is written. uci and bitbully need every position of their ply decided. bitbully is the file
    of 8 plies or, with --ply 12, the one of 12 plies with distances; pons and the latter hold scores.

    \b
    Examples:
      claimeven book export --format uci --out connect-4.data
      claimeven book export --format pons --ply 8 --out 7x6.book
      claimeven book export --format jsonl --ply 4 --out book.jsonl
    """
    size = _read_board(board)
    if not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    with open_store(db, writable=False) as store, _format_errors():
        from db.book import export_book

        total = sum(number for each, number in store.count_positions(size).items() if ply is None or each <= ply)
        with tqdm(total=total, desc=format_, unit=" positions", disable=None, leave=False) as bar:
            number = export_book(store, size, format_, out, ply, bar.update)
    click.echo(f"{number:,} positions written to {out}", err=True)


@book.command("import")
@click.argument("format_", metavar="FORMAT", type=click.Choice(IMPORT_FORMATS))
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@_board_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@click.pass_context
def import_(context: click.Context, format_: str, file: Path, board: str, db: str | None, as_json: bool) -> None:
    """Read a book or a suite as claims.

    FORMAT is pons, bitbully or suite (moves and score a line). Every claim is compared with what the store knows, and
    those that it excludes are listed; then the exit status is 1. Those that say more are kept with the source "import",
    beside the verdicts: query shows them where nothing better is known, and nothing is ever derived from them.

    \b
    Examples:
      claimeven book import pons 7x6.book
      claimeven book import bitbully book_8ply.dat --db book.db
      claimeven book import suite positions.txt
    """
    size = _read_board(board)
    with open_store(db, writable=True) as store, _format_errors(file):
        from db.book import read_claims
        from db.claims import import_claims

        size, batches = read_claims(format_, file, size)
        run = store.start_run("book import", {"format": format_, "file": file.name, "board": str(size)})
        with tqdm(desc=format_, unit=" claims", disable=None, leave=False) as bar:
            report = import_claims(store, size, batches, run, bar.update)
        counts = {
            "claims": report.claims,
            "confirmed": report.confirmed,
            "new": report.kept,
            "disagreements": report.disagreements,
        }
        store.finish_run(run, counts)
    if as_json:
        click.echo(json.dumps(counts | {"listed": report.descriptions}))
    else:
        click.echo("\n".join(f"{name:<13}  {number:>12,}" for name, number in counts.items()))
        for line in report.descriptions:
            click.echo(line)
        if report.disagreements > len(report.descriptions):
            click.echo(f"... and {report.disagreements - len(report.descriptions):,} more")
    if report.disagreements:
        context.exit(FOUND_A_PROBLEM)


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


def _read_board(board: str) -> Board:
    with reported_as("--board", BoardError):
        return Board.parse(board)


@contextmanager
def _format_errors(file: Path | None = None) -> Iterator[None]:
    """One clear line: status 1 for a file or a store that is not what it should be, 2 for what a format cannot hold."""
    from db.formats.error import FormatError, IncompleteBookError

    try:
        yield
    except IncompleteBookError as error:
        raise click.ClickException(str(error)) from error
    except FormatError as error:
        if file is None:
            raise InputError(str(error)) from error
        raise click.ClickException(f"{file}: {error}") from error
