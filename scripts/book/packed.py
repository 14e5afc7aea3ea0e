"""`claimeven book pack` and `claimeven book verify-packed`: scores in a small file, and whether they are right."""

from __future__ import annotations

from pathlib import Path

import click
from tqdm import tqdm

from claimeven.scripts.book.board import board_option, read_board
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from claimeven.scripts.options.store import db_option, open_store


@click.command()
@click.option("--ply", type=click.IntRange(0, 64), default=8, show_default=True, metavar="N", help="Up to ply N.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write or to replace."
)
@board_option
@db_option
def pack(ply: int, out: Path, board: str, db: str | None) -> None:
    """Pack the scores of a book into a small file.

    The store must have the exact score of every position up to the ply (book build --score). The file holds a byte a
    position before compression, as the one that comes with the program does.

    \b
    Examples:
      claimeven book pack --ply 2 --out small.book
      claimeven book pack --ply 8 --db book.db --out 7x6.book
    """
    size = read_board(board)
    from claimeven.db.books.packed import PackedBookError, pack_store
    from claimeven.solver.whole_file import write_whole

    with open_store(db, writable=False) as store, reported_as("", PackedBookError):
        packed = pack_store(store, size, ply)
    write_whole(out, packed.pack())
    click.echo(f"{len(packed):,} positions of {size} up to ply {ply} written to {out}", err=True)


@click.command("verify-packed")
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--sample", type=click.IntRange(0), default=100, show_default=True, help="Positions to search afresh.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed draws the same positions.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.pass_context
def verify_packed(context: click.Context, file: Path | None, sample: int, seed: int, jobs: int | None) -> None:
    """Check a packed book against itself and by fresh searches.

    Without FILE it is the book that comes with the program. Every position before the last ply must have the score that
    follows from the positions after its moves; positions of the last ply are drawn and searched. The exit status is 1
    if a score is wrong.

    \b
    Examples:
      claimeven book verify-packed --sample 10
      claimeven book verify-packed 7x6.book --sample 1000
    """
    from claimeven.db.books.packed import PackedBookError, read_book, shipped_book

    with reported_as("", PackedBookError):
        packed = shipped_book() if file is None else read_book(file)
    if packed is None:
        raise InputError("no book comes with this copy of the program; name a file")
    announce_compilation()
    from claimeven.db.checks.packed_check import check_packed

    problems = []
    with tqdm(desc=str(packed.board), unit=" positions", disable=None, leave=False) as bar:
        for problem in check_packed(packed, sample, seed, jobs, bar.update):
            problems.append(problem)
            tqdm.write(problem)
    click.echo(
        f"{len(packed):,} positions of {packed.board} up to ply {packed.ply}, {sample} searched: {len(problems)} wrong"
    )
    if problems:
        context.exit(FOUND_A_PROBLEM)
