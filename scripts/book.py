"""`claimeven book`: opening books, out of the store and into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from claimeven.scripts.options.cluster import ClusterSettings, cluster_options, open_decider
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, open_store
from claimeven.scripts.plan import plan
from claimeven.scripts.stored_flaws import StoredFlaws
from claimeven.solver.board import Board, BoardError

if TYPE_CHECKING:
    from claimeven.db.counts.published import PlyTotals
    from claimeven.db.store import Store

# The names of EXPORT_FORMATS and IMPORT_FORMATS in `db.book`; a test compares them. Help must not import the formats.
EXPORT_FORMATS = ("uci", "pons", "bitbully", "csv", "json", "jsonl", "sqlite")
IMPORT_FORMATS = ("pons", "bitbully", "suite")

_board_option = click.option(
    "--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows, and x how many win if not four."
)


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
@click.option("--ply", type=click.IntRange(0, 64), required=True, metavar="N", help="Decide all positions up to ply N.")
@click.option("--score", is_flag=True, help="The exact scores too, which takes longer.")
@_board_option
@db_option
@search_options
@cluster_options()
def build(
    ply: int, score: bool, board: str, db: str | None, settings: SearchSettings, cluster: ClusterSettings
) -> None:
    """Decide every unfinished position up to a ply.

    The positions of ply N are solved, one of each mirror pair, and all shallower ones follow from them. What the store
    decides already is not solved again, so a run that was stopped goes on where it was: run the same command again.

    If N is the number of squares, or beyond, the whole board is decided with all its scores, from the end of the game
    backwards and without any search.

    With --cluster the positions are decided by Dask workers, each with --jobs threads; this process checks what comes
    back and is the only one that writes.

    \b
    Examples:
      claimeven book build --ply 2
      claimeven book build --ply 8 --db book.db
      claimeven book build --ply 9 --db book.db --cluster local:2
      claimeven book build --ply 24 --board 4x6
    """
    size = _read_board(board)
    with open_store(db, writable=True) as store:
        announce_compilation()
        from claimeven.cluster.messages import Question
        from claimeven.db.books.build import BuildCounts, build_book

        question = Question(
            size, scores=score, budget=settings.budget, memory_bytes=settings.memory_bytes, threads=settings.jobs
        )
        counts = BuildCounts()
        run = store.start_run("book build", {"board": str(size), "ply": ply, "score": score})
        click.echo(f"counting the positions up to ply {min(ply, size.cells)} ...", err=True)
        with (
            open_decider(cluster, question) as decider,
            tqdm(desc=f"{size}", unit=" positions", disable=None) as bar,
        ):

            def report(number: int, counts: BuildCounts) -> None:
                bar.total = counts.total
                postfix = {"known": counts.known, **counts.by_source, "nodes": f"{counts.nodes:,}"}
                bar.set_postfix(postfix, refresh=number == 0)
                bar.update(number)

            try:
                build_book(store, decider, ply, counts, report)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"stopped; what is done is in {store.location}, run the same command to go on"
                ) from None
        summary = {"positions": counts.positions, "known": counts.known, **counts.by_source}
        store.finish_run(run, summary | {"undecided": counts.undecided})
        _show_plies(store, size, counts.plies)
    if counts.undecided:
        click.echo(f"{counts.undecided:,} positions are undecided within the budget; without it they will be", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


def _show_plies(store: Store, board: Board, plies: dict[int, int]) -> None:
    """A line a ply: how many positions White wins, are drawn and Black wins, one of each mirror pair."""
    from claimeven.db.counts.contents import count_board

    known = {each.ply: each.by_value for each in count_board(store, board).plies}
    click.echo(f"{'ply':>4}  {'white':>10}  {'draw':>10}  {'black':>10}  {'open':>10}")
    for ply, number in plies.items():
        white, draw, black = (known.get(ply, {}).get(value, 0) for value in ("white", "draw", "black"))
        click.echo(f"{ply:>4}  {white:>10,}  {draw:>10,}  {black:>10,}  {number - white - draw - black:>10,}")


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
    help="Up to ply N; uci and bitbully hold one ply, this one.  [default: the plies of the book, or all if there is "
    "none; uci and bitbully: 8]",
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


@book.command()
@_board_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@click.pass_context
def check(context: click.Context, board: str, db: str | None, as_json: bool) -> None:
    """Say whether a book is complete and its numbers are those that were published.

    Published totals count both mirror images and finished games, so the stored positions are counted twice if they are
    not their own mirror image, and the finished games that follow them are added. Shown a ply: positions, finished
    ones among them, how many White wins, are drawn and Black wins, and how many positions the book lacks; then, on the
    last line, what that comes to. Positions beyond the book do not count. The exit status is 1 if one is missing or a
    number differs.

    \b
    Examples:
      claimeven book check
      claimeven book check --board 4x4 --db book.db
    """
    size = _read_board(board)
    with open_store(db, writable=False) as store:
        from claimeven.db.books.extent import find_last_ply
        from claimeven.db.counts.published import TOTALS, count_totals

        last = find_last_ply(store, size)
        counted = count_totals(store, size, 0 if last is None else last)
        totals = list(tqdm(counted, desc=f"{size}", unit=" plies", disable=None, leave=False))
    positions, missing = sum(ply.positions for ply in totals), sum(ply.missing for ply in totals)
    # A total is for a whole board; an opening book is compared ply by ply.
    is_whole = not missing and totals[-1].unfinished == 0
    published = TOTALS.get(size) if is_whole else None
    is_right = all(ply.is_right for ply in totals) and published in (None, positions)
    if as_json:
        fields = {"board": str(size), "whole": is_whole, "positions": positions, "published": published}
        click.echo(json.dumps(fields | {"right": is_right, "plies": [asdict(ply) for ply in totals]}))
    else:
        click.echo("\n".join(_format_totals(totals)))
        click.echo(_conclude(size, last, totals, published))
    if not is_right:
        context.exit(FOUND_A_PROBLEM)


def _conclude(board: Board, last: int | None, totals: list[PlyTotals], published: int | None) -> str:
    """What a check comes to, in one sentence."""
    positions = sum(ply.positions for ply in totals)
    lacking = next((ply for ply in totals if ply.missing), None)
    differing = next((ply for ply in totals if not ply.is_right), None)
    if last is None:
        return f"{board}: there is no book; to make one: claimeven book build --ply N --board {board}"
    if lacking is not None:
        return f"{board}: the book to ply {last} is not complete, ply {lacking.ply} lacks {lacking.missing:,} positions"
    if differing is not None:
        return f"{board}: the book to ply {last} is wrong, the numbers of ply {differing.ply} are not those published"
    if published is not None and published != positions:
        return f"{board}: the book is wrong, it has {positions:,} positions, but {published:,} are published"
    is_compared = published is not None or all(ply.published is not None for ply in totals)
    return (
        f"{board}: the book to ply {last} is complete, {positions:,} positions with finished games and mirror images, "
        + ("as published" if is_compared else "not all of which anybody published")
    )


def _format_totals(totals: list[PlyTotals]) -> list[str]:
    header = ["ply", "positions", "finished", "white", "draw", "black", "missing", "compared"]
    rows = [
        [
            *(f"{number:,}" for number in (ply.ply, ply.positions, ply.finished, *ply.outcomes, ply.missing)),
            _compare(ply.positions, ply.published)
            + ("" if ply.published_outcomes in (None, ply.outcomes) else f", outcomes {ply.published_outcomes}"),
        ]
        for ply in totals
    ]
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]


def _compare(number: int, published: int | None) -> str:
    if published is None:
        return "nothing published"
    return "as published" if number == published else f"but {published:,} published"


@book.command()
@click.option("--ply", type=click.IntRange(0, 64), default=8, show_default=True, metavar="N", help="Up to ply N.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write or to replace."
)
@_board_option
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
    size = _read_board(board)
    from claimeven.db.books.packed import PackedBookError, pack_store
    from claimeven.solver.whole_file import write_whole

    with open_store(db, writable=False) as store, reported_as("", PackedBookError):
        packed = pack_store(store, size, ply)
    write_whole(out, packed.pack())
    click.echo(f"{len(packed):,} positions of {size} up to ply {ply} written to {out}", err=True)


@book.command("verify-packed")
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


book.add_command(plan)


def _read_board(board: str) -> Board:
    with reported_as("--board", BoardError):
        return Board.parse(board)


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
