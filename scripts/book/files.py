"""`claimeven book export` and `claimeven book import`: the store and the files of other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from tqdm import tqdm

from claimeven.scripts.book.board import board_option, read_board
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.options.store import db_option, open_store
from claimeven.scripts.stored_flaws import StoredFlaws

# The names that `db.books.files` has; a test compares them. Help must not import the formats.
EXPORT_FORMATS = ("uci", "pons", "bitbully", "csv", "json", "jsonl", "sqlite")
IMPORT_FORMATS = ("pons", "bitbully", "suite")


@click.command("export")
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
    help="Up to ply N; uci and bitbully hold one ply, this one.  [default: the plies of the book, or all if there is "
    "none; uci and bitbully: 8]",
)
@board_option
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
    size = read_board(board)
    if not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    if out.exists() and not out.is_file():
        raise InputError(f"--out: {out} is not a file, and a book would replace it")
    with open_store(db, writable=False) as store, _format_errors():
        from claimeven.db.books.extent import find_last_ply
        from claimeven.db.books.files import export_book

        if ply is None and format_ not in ("uci", "bitbully"):
            ply = find_last_ply(store, size)
        total = sum(number for each, number in store.count_positions(size).items() if ply is None or each <= ply)
        with tqdm(total=total, desc=format_, unit=" positions", disable=None, leave=False) as bar:
            flaws = StoredFlaws()
            number = export_book(store, size, format_, out, ply, bar.update, flaws)
    click.echo(f"{number:,} positions written to {out}", err=True)
    flaws.finish()


@click.command("import")
@click.argument("format_", metavar="FORMAT", type=click.Choice(IMPORT_FORMATS))
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@board_option
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
    size = read_board(board)
    if not file.is_file():
        raise InputError(f"FILE: {file} is not a file")
    with open_store(db, writable=True) as store, _format_errors(file):
        from claimeven.db.books.claims import import_claims
        from claimeven.db.books.files import read_claims

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


@contextmanager
def _format_errors(file: Path | None = None) -> Iterator[None]:
    """One clear line: status 1 for a file or a store that is not what it should be, 2 for what a format cannot hold."""
    from claimeven.db.formats.error import FormatError, IncompleteBookError

    try:
        yield
    except IncompleteBookError as error:
        raise click.ClickException(str(error)) from error
    except FormatError as error:
        if file is None:
            raise InputError(str(error)) from error
        raise click.ClickException(f"{file}: {error}") from error
