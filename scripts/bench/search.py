"""`claimeven bench search`: how fast exact search is, beside another program or another version of this one."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.bench.suites import folder_argument, read_chosen
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, reported_as
from claimeven.scripts.options.search import MemorySize

if TYPE_CHECKING:
    from claimeven.reports.bench.suites import SuitePosition


@click.command()
@folder_argument
@click.option("--game/--no-game", default=True, show_default=True, help="Solve the empty 7x6 board too.")
@click.option("--only", multiple=True, metavar="SUITE", help="Only this suite; may be given more than once.")
@click.option("--first", type=click.IntRange(1), metavar="N", help="Only the first N positions of every suite.")
@click.option("--alone", is_flag=True, help="Do not run the other program, even if it is installed.")
@click.option(
    "--beside",
    metavar="PYTHON",
    type=click.Path(exists=True, dir_okay=False),
    help="The Python of an environment with another version of this program, to be measured in turns.",
)
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="How often each is measured with --beside."
)
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of the table.")
@out_option("bench")
def search(
    folder: Path | None,
    game: bool,
    only: tuple[str, ...],
    first: int | None,
    alone: bool,
    beside: str | None,
    rounds: int,
    jobs: int | None,
    memory: int,
    out: Path | None,
) -> None:
    """Measure exact search on the suites in FOLDER and on the whole game.

    A suite is a file with `moves score` a line; without FOLDER it is the suites that come with the program. All answers
    are compared with the suite. If bitbully is installed (`pip install claimeven[bench]`) it solves the same positions.
    With --beside it is another version of this program instead: medians of several rounds, and the ratio with its
    spread; --out then writes beside.md and beside.json.

    \b
    Examples:
      claimeven bench search --no-game
      claimeven bench search suites --only begin-easy --alone
      claimeven bench search --out reports/results
      claimeven bench search --only 9x5-easy --beside old/bin/python --rounds 5
    """
    suites = {name: suite[:first] for name, suite in read_chosen(folder, only).items()}
    announce_compilation()
    threads = jobs or os.cpu_count() or 1
    if beside is not None:
        _search_beside(beside, suites, game, threads, memory, rounds, out)
        return
    from claimeven.reports.bench.search_speed import (
        KINDS,
        format_search_speeds,
        has_yardstick,
        is_known_to_yardstick,
        measure_game,
        measure_suite,
        name_yardstick,
        warm_up,
    )
    from claimeven.reports.machine import describe_run

    yardstick = has_yardstick() and not alone
    warm_up()
    speeds = []
    for kind in KINDS:
        for name, suite in suites.items():
            click.echo(f"{name}, {kind} ...", err=True)
            speeds.append(measure_suite(name, kind, suite, threads, memory, yardstick and is_known_to_yardstick(suite)))
        if game:
            click.echo(f"whole game, {kind} ...", err=True)
            speeds.append(measure_game(kind, threads, memory, yardstick))
    run = describe_run()
    page = format_search_speeds(speeds, name_yardstick() if yardstick else None, run)
    write_results(page, "bench", {"run": run, "speeds": [asdict(speed) for speed in speeds]}, out)
    wrong = sum(speed.wrong for speed in speeds)
    if wrong:
        click.echo(f"{wrong} answers differ from the suites", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


def _search_beside(
    python: str,
    suites: dict[str, list[SuitePosition]],
    game: bool,
    threads: int,
    memory: int,
    rounds: int,
    out: Path | None,
) -> None:
    from claimeven.reports.bench.search_beside import (
        VersionError,
        format_side_by_side,
        measure_side_by_side,
        two_versions,
    )
    from claimeven.reports.bench.search_speed import KINDS, WHOLE_GAME
    from claimeven.reports.machine import describe_run

    measured = []
    with reported_as("--beside", VersionError), two_versions(python) as versions:
        for name, suite in {**suites, **({"whole game": [WHOLE_GAME]} if game else {})}.items():
            for version in versions:
                version.ask("score", suite[-1:], threads, memory)  # compiles what it needs
            for kind in KINDS:
                click.echo(f"{name}, {kind} ...", err=True)
                measured.append(measure_side_by_side(versions, name, kind, suite, threads, memory, rounds))
        other = versions[1].description
    run = describe_run()
    page = format_side_by_side(measured, other, run)
    write_results(page, "beside", {"run": run, "other": other, "suites": [asdict(each) for each in measured]}, out)
    wrong = sum(each.wrong for each in measured)
    if wrong:
        click.echo(f"{wrong} answers differ from the suites", err=True)
        raise SystemExit(FOUND_A_PROBLEM)
