"""`claimeven book build`: every position up to a ply, decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.book.board import board_option, read_board
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.options.cluster import ClusterSettings, cluster_options, open_decider
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, open_store

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.solver.board import Board


@click.command()
@click.option("--ply", type=click.IntRange(0, 64), required=True, metavar="N", help="Decide all positions up to ply N.")
@click.option("--score", is_flag=True, help="The exact scores too, which takes longer.")
@board_option
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
    size = read_board(board)
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
