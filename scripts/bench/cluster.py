"""`claimeven bench cluster`: workers beside threads, and the model of `book plan` beside both."""

from __future__ import annotations

from pathlib import Path

import click

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.book.plan import PRICE
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.options.cluster import cluster_errors
from claimeven.scripts.options.search import MemorySize

PLY = 8


@click.command()
@click.option("--positions", type=click.IntRange(8), default=2000, show_default=True, help="Positions of ply 8.")
@click.option("--workers", type=click.IntRange(2, 64), default=2, show_default=True, help="Workers, and threads.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="How often each is measured.")
@click.option(
    "--sample", type=click.IntRange(8), default=500, show_default=True, help="Positions of ply 8 that the model knows."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same positions.")
@click.option("--price", type=click.FloatRange(0), default=PRICE, show_default=True, help="Of an hour of a core.")
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of each table.")
@out_option("cluster")
def cluster(
    positions: int, workers: int, rounds: int, sample: int, seed: int, price: float, memory: int, out: Path | None
) -> None:
    """Measure Dask workers beside threads, and check the model of `book plan`.

    The same positions of ply 8 are decided by threads of one process and by as many workers with a thread each, in
    turns, and by one worker. What the model says of the runs stands beside them, and what it says of books. A value
    that differs ends the command with status 1. It needs the extra cluster.

    \b
    Examples:
      claimeven bench cluster --positions 100 --rounds 1 --sample 20
      claimeven bench cluster --out reports/results
    """
    announce_compilation()
    from claimeven.cluster.planning.costs import draw_stretches
    from claimeven.db.books.measurement import measure_costs
    from claimeven.reports.bench.cluster_page import ClusterSpeed, format_cluster_speed, make_plans, speed_to_json
    from claimeven.reports.bench.cluster_speed import measure_rounds
    from claimeven.reports.machine import describe_run
    from claimeven.reports.plan import plans_to_json
    from claimeven.solver.board import Board
    from claimeven.solver.enumeration import enumerate_ply

    def tell(sentence: str) -> None:
        click.echo(sentence, err=True)

    model, asker = measure_costs(sample, seed, memory, tell)
    (keys,) = enumerate_ply(Board(), PLY, chunk=1 << 20)
    # Other positions than those that the model knows.
    drawn = draw_stretches(keys, positions, seed + 1)
    with cluster_errors("nothing was measured"):
        runs = measure_rounds(Board(), drawn, workers, rounds, memory, tell)
    speed = ClusterSpeed(PLY, *runs, model, asker, price)
    plans = make_plans(model, asker, price)
    run = describe_run()
    measured = {"run": run, **speed_to_json(speed), "books": plans_to_json(model, asker, plans, price)}
    write_results(format_cluster_speed(speed, plans, run), "cluster", measured, out)
    if speed.differences:
        click.echo(f"{speed.differences} values differ", err=True)
        raise SystemExit(FOUND_A_PROBLEM)
