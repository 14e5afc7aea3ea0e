"""`claimeven bench solutions`: how large solutions are, and how often the finder succeeds."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from tqdm import tqdm

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.options.seconds import Seconds

PLIES = (8, 10, 12, 14, 16)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--positions", type=click.IntRange(0, 10_000), default=30, show_default=True, help="Positions a ply; 0 for none."
)
@click.option("--seconds", type=Seconds(), default=60.0, show_default=True, help="Time for a position.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same positions.")
@out_option("solutions")
def solutions(files: tuple[Path, ...], positions: int, seconds: float, seed: int, out: Path | None) -> None:
    """Check solutions, give their sizes, and measure the finder.

    FILES are checked by the kernel and, if they are small, by the plain check beside it; their sizes stand beside the
    published ones. Then the finder looks for diagrams of random positions of 7x6 that White wins, of plies 8 to 16.
    Status 1 if a check finds a flaw.

    \b
    Examples:
      claimeven bench solutions reports/solutions/*.json --positions 0
      claimeven bench solutions reports/solutions/*.json --seconds 60 --out reports/results
    """
    announce_compilation()
    from claimeven.reports.machine import describe_run
    from claimeven.reports.solution.results import format_results, measure_file, measure_finder

    measured = [measure_file(path) for path in files]
    with tqdm(total=positions * len(PLIES), unit=" positions", disable=None) as bar:

        def report(ply: int) -> None:
            bar.set_postfix_str(f"ply {ply}", refresh=False)
            bar.update(1)

        finder = measure_finder(PLIES, positions, seconds, seed, report) if positions else []
    run = describe_run()
    data = {"run": run, "files": [asdict(each) for each in measured], "finder": [asdict(each) for each in finder]}
    write_results(format_results(measured, finder, run), "solutions", data, out)
    if any(each.flaws for each in measured):
        raise SystemExit(FOUND_A_PROBLEM)
