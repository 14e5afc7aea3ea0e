"""`claimeven book plan`: what a book would take on a cluster, measured on this machine."""

from __future__ import annotations

import json

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.options.search import MemorySize

SAMPLE = 200
PRICE = 0.05


@click.command()
@click.option("--ply", type=click.IntRange(8, 14), required=True, metavar="N", help="The book's last ply, 8 to 14.")
@click.option(
    "--workers", type=click.IntRange(1, 10_000), default=1, show_default=True, metavar="W", help="Workers, a core each."
)
@click.option(
    "--sample",
    type=click.IntRange(8),
    default=SAMPLE,
    show_default=True,
    metavar="K",
    help="Decide about K positions of ply 8, 4K of ply 10 and 16K of ply 12; more is slower and more exact.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same positions.")
@click.option(
    "--price",
    type=click.FloatRange(0),
    default=PRICE,
    show_default=True,
    metavar="P",
    help="What an hour of a core costs, in whatever money.",
)
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of a worker's table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def plan(ply: int, workers: int, sample: int, seed: int, price: float, memory: int, as_json: bool) -> None:
    """Say what a book of 7x6 would take on so many workers.

    Positions of plies 8, 10 and 12 are decided on one core of this machine, which takes about half a minute, and what
    the process that asks has to do is timed. From this follow time, money and bytes of every book from ply 8 to 14,
    on workers as fast as this core, with a simulation of the one that was asked for. Nothing is kept.

    \b
    Examples:
      claimeven book plan --ply 10 --workers 20
      claimeven book plan --ply 14 --workers 1000 --sample 500 --price 0.03 --json
    """
    announce_compilation()
    from claimeven.db.books.measurement import measure_costs
    from claimeven.reports.plan import (
        align,
        describe_asker,
        describe_plan,
        forecast_table,
        make_plan,
        plans_to_json,
        sample_table,
    )

    model, asker = measure_costs(sample, seed, memory, lambda sentence: click.echo(sentence, err=True))
    made = make_plan(model, asker, ply, workers, price, seed)
    if as_json:
        click.echo(json.dumps(plans_to_json(model, asker, [made], price)))
        return
    lines = [
        *describe_plan(made),
        "",
        f"All books, in time and cost ({price:g} an hour of a core) by the number of workers:",
        *align(forecast_table(model, asker, price)),
        "",
        "Measured on one core:",
        *align(sample_table(model)),
        describe_asker(asker),
        "Plies between the sampled ones are interpolated, 13 and 14 extrapolated.",
    ]
    click.echo("\n".join(lines))
