"""`claimeven bench solutions`: how large solutions are, and how often the finder succeeds."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.options.seconds import Seconds
from claimeven.scripts.solution.reading import read_solution
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    from claimeven.reports.solution.results import FileResult, FinderResult
    from claimeven.solver.solution.finding.finder import Library

PLIES = ("16", "14", "12", "10", "8")
"""Those first where the finder mostly succeeds, as a failure takes all the time."""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--positions", type=click.IntRange(0, 10_000), default=30, show_default=True, help="Positions a ply; 0 for none."
)
@click.option("--seconds", type=Seconds(), default=60.0, show_default=True, help="CPU time for a position.")
@click.option(
    "--ply", "plies", type=click.Choice(PLIES), multiple=True, metavar="N",
    help="Only positions of this ply; may be given several times.",
)  # fmt: skip
@click.option(
    "--library", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE",
    help="Let the finder begin with the diagrams of this solution of 7x6.",
)  # fmt: skip
@click.option("--sat", is_flag=True, help="Ask SAT where a little local search fails (`pip install 'claimeven[sat]'`).")
@click.option("--plain", is_flag=True, help="Check large files by the plain check too; it is slow.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same positions.")
@out_option("solutions")
def solutions(
    files: tuple[Path, ...],
    positions: int,
    seconds: float,
    plies: tuple[str, ...],
    library: Path | None,
    sat: bool,
    plain: bool,
    seed: int,
    out: Path | None,
) -> None:
    """Check solutions, give their sizes, and measure the finder.

    FILES are checked by the kernel and, if they are small or with --plain, by the plain check beside it; their sizes
    stand beside the published ones. Then the finder looks for diagrams of random positions of 7x6 that White wins, of
    plies 8 to 16. What --out has already of this is not measured again: a run that was stopped goes on. Status 1 if a
    check finds a flaw.

    \b
    Examples:
      claimeven bench solutions reports/solutions/*.json --positions 0
      claimeven bench solutions reports/solutions/*.json --ply 16 --ply 14 --out reports/results
      claimeven bench solutions --library reports/solutions/7x6-white.json --ply 16
      claimeven bench solutions --sat --ply 8 --seconds 60
    """
    announce_compilation()
    from claimeven.reports.machine import describe_run
    from claimeven.reports.solution.results import format_results, measure_file, measure_finder
    from claimeven.solver.solution.finding.sat_finder import has_sat

    if sat and not has_sat():
        raise InputError("--sat needs python-sat: pip install 'claimeven[sat]'")

    before, finder = _read_results(out)
    measured = [measure_file(path, plain=plain, before=before) for path in files]
    known = None if library is None else _read_library(library)
    chosen = [int(ply) for ply in PLIES if not plies or ply in plies]
    run = describe_run()

    def collect() -> dict[str, Any]:
        return {"run": run, "files": [asdict(each) for each in measured], "finder": [asdict(each) for each in finder]}

    with tqdm(total=positions * len(chosen), unit=" positions", disable=None) as bar:
        for result in measure_finder(chosen, positions, seconds, seed, list(finder), known, with_sat=sat):
            finder.append(result)
            bar.set_postfix_str(f"ply {result.ply}", refresh=False)
            bar.update(1)
            if out is not None:
                write_whole(out / "solutions.json", json.dumps(collect(), indent=1) + "\n")
    write_results(format_results(measured, finder, run), "solutions", collect(), out)
    if any(each.flaws for each in measured):
        raise SystemExit(FOUND_A_PROBLEM)


def _read_library(path: Path) -> Library:
    """The diagrams of a solution; InputError if it is not one of 7x6."""
    from claimeven.solver.board import Board
    from claimeven.solver.solution.building.revival import library_of

    solution = read_solution(path)
    if solution.board != Board():
        raise InputError(f"{path} is a solution of {solution.board}: the finder is measured on 7x6")
    return library_of(solution)


def _read_results(out: Path | None) -> tuple[list[FileResult], list[FinderResult]]:
    """What an earlier run has written; nothing if there is none, or if it is of another form."""
    from claimeven.reports.solution.results import FileResult, FinderResult

    if out is None or not (out / "solutions.json").is_file():
        return [], []
    try:
        data = json.loads((out / "solutions.json").read_text(encoding="utf-8"))
        return [FileResult(**each) for each in data["files"]], [FinderResult(**each) for each in data["finder"]]
    except (ValueError, KeyError, TypeError):
        return [], []
