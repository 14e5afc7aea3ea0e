"""`claimeven bench dfpn`: proof-number search on the whole game and on openings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.bench.output import out_option, read_results, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, reported_as
from claimeven.scripts.options.search import MemorySize
from claimeven.scripts.options.store import open_store
from claimeven.solver.board import Board, BoardError

if TYPE_CHECKING:
    from claimeven.reports.bench.proof_numbers import PlyProofs


@click.command()
@click.option("--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows.")
@click.option(
    "--ply",
    "plies",
    type=click.IntRange(0, 8),
    multiple=True,
    default=(0, 4),
    show_default=True,
    help="All positions of this ply; 0 is the whole game; may be given more than once.",
)
@click.option("--values", is_flag=True, help="Ask whether Black wins too, where White does not; this takes far longer.")
@click.option(
    "--search",
    "searches",
    is_flag=True,
    help="Compare with alpha-beta even where the book that comes along has a value.",
)
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="1G", show_default=True, help="Size of the tables.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep what is found in stores there, and go on with what is there already.",
)
@out_option("dfpn")
def dfpn(
    board: str,
    plies: tuple[int, ...],
    values: bool,
    searches: bool,
    jobs: int | None,
    memory: int,
    keep: Path | None,
    out: Path | None,
) -> None:
    """Measure proof-number search with the nine rules, beside alpha-beta.

    All positions of a ply are asked whether White wins and, with --values, whether Black does. The answers are compared
    with the book that comes along, or with alpha-beta in the same run where it has none or with --search, and a wrong
    one ends the command with status 1. The whole game of 7x6 takes a minute, all its openings of four plies far longer;
    with --keep a run that was stopped can be gone on with, and the costs of all runs are added up. With --out the plies
    of the board that the file has and that are not measured now stay there.

    \b
    Examples:
      claimeven bench dfpn --board 6x4 --ply 0 --ply 2
      claimeven bench dfpn --keep runs --out reports/results
    """
    with reported_as("--board", BoardError):
        size = Board.parse(board)
    announce_compilation()
    from claimeven.reports.bench.proof_numbers import format_proofs, prove_ply
    from claimeven.reports.machine import describe_run

    kept = _read(out, size)
    threads = jobs or os.cpu_count() or 1
    run = describe_run()
    made_by = run | {"threads": str(threads)}
    with open_store("sqlite://", writable=True) as store:
        prove_ply(Board(4, 4), 0, threads, 1 << 20, store)  # compiles all that is needed
    proofs = []
    with _directory(keep) as directory:
        for ply in sorted(set(plies)):
            click.echo(f"{size}, ply {ply} ...", err=True)
            with (
                open_store(str(directory / f"dfpn-{size}-{ply}.db"), writable=True) as store,
                tqdm(unit=" positions", disable=None, file=sys.stderr) as bar,
            ):

                def show(done: int, total: int, nodes: int, bar: Any = bar) -> None:
                    bar.total = total
                    bar.set_postfix({"nodes": f"{nodes:,}"}, refresh=False)
                    bar.update(done - bar.n)

                try:
                    proved = prove_ply(
                        size, ply, threads, memory, store, asks_black=values, uses_book=not searches, on_progress=show
                    )
                    proofs.append(replace(proved, made_by=made_by))
                except KeyboardInterrupt:
                    if keep is None:
                        raise
                    raise KeyboardInterrupt(
                        f"stopped; what is done is in {keep}, run the same command to go on"
                    ) from None
    listed = sorted([*proofs, *(each for each in kept if each.ply not in plies)], key=lambda each: each.ply)
    measured = {"run": run, "threads": threads, "plies": [asdict(each) for each in listed]}
    write_results(format_proofs(listed), "dfpn", measured, out)
    if any(each.differing for each in proofs):
        click.echo("an answer is wrong", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


def _read(out: Path | None, board: Board) -> list[PlyProofs]:
    """What the file in a directory says of a board."""
    from claimeven.reports.bench.proof_numbers import proofs_from_json

    return [each for each in read_results("dfpn", proofs_from_json, out) if each.board == str(board)]


@contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    """The directory of that name, made if it is not there, or one for this run."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with TemporaryDirectory() as directory:
        yield Path(directory)
