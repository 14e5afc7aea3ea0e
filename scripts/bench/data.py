"""The part of `claimeven bench` that measures what is done with many positions: input files, the store, books."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, reported_as
from claimeven.scripts.options.search import MemorySize
from claimeven.scripts.options.store import open_store, store_errors

if TYPE_CHECKING:
    from claimeven.reports.bench.book_speed import BuildSpeed

COMMAND = (sys.executable, "-m", "claimeven")
SMALL = 20_000
"""Lines of the run that shows that memory does not depend on the input."""
YARDSTICK_LINES = 5_000
MANY = 10
"""Times as many lines, where a second is not enough to tell the work from the start."""


@click.command()
@click.option("--lines", type=click.IntRange(1), default=60_000, show_default=True, help="Lines of middle positions.")
@click.option("--late", type=click.IntRange(1), default=1_000_000, show_default=True, help="Lines of late positions.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same lines.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="How often each is measured.")
@click.option(
    "--beside",
    metavar="COMMAND",
    type=click.Path(exists=True, dir_okay=False),
    help="The `claimeven` command of another version, in an environment of its own, to be measured in turns.",
)
@click.option("--alone", is_flag=True, help="Do not run bitbully, even if it is installed.")
@out_option("batch")
def batch(lines: int, late: int, seed: int, rounds: int, beside: str | None, alone: bool, out: Path | None) -> None:
    """Measure `claimeven solve` on files.

    Exact scores of middle positions (24 to 34 stones) without a store, into a new one, and once that one knows them
    all; the rules alone; values of late positions (36 to 40 stones), every thousandth line of them broken, of few and
    of many lines, where peak memory should be the same; many are too many for an older version. The least times of all
    rounds are shown. A missing or a wrong answer ends the command with status 1.

    \b
    Examples:
      claimeven bench batch --lines 2000 --late 5000 --alone
      claimeven bench batch --beside old/bin/claimeven --out reports/results
    """
    announce_compilation()
    from claimeven.reports.bench.batch_speed import (
        MIDDLE,
        BatchCase,
        format_batch_speeds,
        measure_parsing,
        measure_rule_kernel,
        measure_solve,
        measure_yardstick,
        random_lines,
    )
    from claimeven.reports.bench.search_speed import has_yardstick
    from claimeven.reports.machine import describe_run

    threads = os.cpu_count() or 1
    versions: dict[str, tuple[str, ...]] = {"this": COMMAND}
    if beside is not None:
        versions["other"] = (beside,)
    speeds = []
    with TemporaryDirectory() as name:
        directory = Path(name)
        middle, many, few = directory / "middle.txt", directory / "late.txt", directory / "few.txt"
        middle.write_text("".join(f"{line}\n" for line in random_lines(lines, seed, MIDDLE, None)), encoding="utf-8")
        many.write_text("".join(f"{line}\n" for line in random_lines(late, seed)), encoding="utf-8")
        few.write_text("".join(f"{line}\n" for line in random_lines(min(late, SMALL), seed)), encoding="utf-8")
        more, again = directory / "more.txt", directory / "again.txt"
        more.write_text("".join(f"{line}\n" for line in random_lines(MANY * lines, seed + 1, MIDDLE, None)), "utf-8")
        again.write_text(MANY * middle.read_text(encoding="utf-8"), encoding="utf-8")
        for round_ in range(rounds):
            for version, command in versions.items():
                store = str(directory / f"{version}-{round_}.db")
                cases = [
                    (BatchCase("middle, search, no store", ("--score", "--engine", "search")), middle),
                    (BatchCase("middle, into a new store", ("--score", "--db", store)), middle),
                    (BatchCase("middle, all known", ("--score", "--db", store)), middle),
                    (BatchCase("middle, rules", ("--engine", "rules")), middle),
                    (BatchCase("late, no store", ("--no-cache",), is_broken=True), few),
                ]
                if version == "this":
                    cases += [
                        (BatchCase("many, search, no store", ("--score", "--engine", "search")), more),
                        (BatchCase("many, all known", ("--score", "--db", store)), again),
                        (BatchCase("many, rules", ("--engine", "rules")), more),
                        (BatchCase("late, no store", ("--no-cache",), is_broken=True), many),
                    ]
                for case, file in cases:
                    click.echo(f"{version}: {case.name} ...", err=True)
                    speeds.append(measure_solve(version, [*command, "solve"], case, file, directory / "answers"))
        rates = {"parsing, 1 thread": measure_parsing(middle)}
        rates[f"the rules' kernels, {threads} threads"] = measure_rule_kernel(middle, threads)
        if has_yardstick() and not alone:
            rates["bitbully, exact score, 1 thread"] = measure_yardstick(middle, min(lines, YARDSTICK_LINES))
    run = describe_run()
    measured = {"run": run, "speeds": [asdict(speed) for speed in speeds], "rates": rates}
    write_results(format_batch_speeds(speeds, rates, rounds, run), "batch", measured, out)
    if not all(speed.is_right for speed in speeds):
        click.echo("not every line was answered as it should be", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


@click.command()
@click.option(
    "--rows",
    type=click.IntRange(1),
    multiple=True,
    default=(1_000_000,),
    show_default=True,
    help="Positions in the store; may be given more than once.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same store.")
@click.option("--db", metavar="URL", help="Also measure a store in this empty database, with the first number of rows.")
@click.option(
    "--beside",
    metavar="PYTHON",
    help="Measure the version that this Python has installed, in turns with this one; the first number of rows.",
)
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="How often each is measured with --beside."
)
@out_option("store")
def store(rows: tuple[int, ...], seed: int, db: str | None, beside: str | None, rounds: int, out: Path | None) -> None:
    """Measure a store: bulk writing and lookup, size, and queries.

    The store is made in a temporary directory and holds positions of 7x6, ply after ply. Ten million rows take a few
    minutes and half a gigabyte. What is written to the database that --db names stays there. --out writes
    store-server.md and store-server.json with --db, store-beside.md and store-beside.json with --beside.

    \b
    Examples:
      claimeven bench store
      claimeven bench store --rows 300000 --beside old/bin/python
      claimeven bench store --db postgresql://localhost/empty
      claimeven bench store --rows 1000000 --rows 10000000 --out reports/results
    """
    from claimeven.reports.bench.store_speed import format_store_speeds, measure_store
    from claimeven.reports.machine import describe_run

    if beside is not None:
        _store_beside(beside, rows[0], rounds, seed, out)
        return
    speeds = []
    with TemporaryDirectory() as directory:
        for number in rows:
            click.echo(f"{number:,} rows ...", err=True)
            speeds.append(measure_store(Path(directory) / f"{number}.db", number, seed, [*COMMAND, "query"]))
    if db is not None:
        click.echo(f"{rows[0]:,} rows on the server ...", err=True)
        with store_errors():
            speeds.append(measure_store(db, rows[0], seed, [*COMMAND, "query"]))
    run = describe_run()
    measured = {"run": run, "speeds": [asdict(speed) for speed in speeds]}
    write_results(format_store_speeds(speeds, run), "store" if db is None else "store-server", measured, out)


def _store_beside(python: str, rows: int, rounds: int, seed: int, out: Path | None) -> None:
    from claimeven.reports.bench.search_beside import VersionError
    from claimeven.reports.bench.store_beside import format_beside, measure_beside
    from claimeven.reports.machine import describe_run

    with TemporaryDirectory() as directory, reported_as("--beside", VersionError):
        found, versions = measure_beside(python, rows, rounds, seed, Path(directory))
    run = describe_run()
    page = format_beside(found, rows, versions, rounds, run)
    write_results(page, "store-beside", {"run": run, "steps": [asdict(each) for each in found]}, out)


@click.command()
@click.option("--positions", type=click.IntRange(1), default=300, show_default=True, help="Positions of the sample.")
@click.option("--ply", type=click.IntRange(0, 41), default=8, show_default=True, help="The ply they are drawn from.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed draws the same positions.")
@click.option("--alone", is_flag=True, help="Do not run the other program, even if it is installed.")
@click.option("--db", metavar="PATH|URL", help="Also show the builds that this store records.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of the table.")
@out_option("book")
def book(
    positions: int,
    ply: int,
    seed: int,
    alone: bool,
    db: str | None,
    jobs: int | None,
    memory: int,
    out: Path | None,
) -> None:
    """Measure the making of a 7x6 book on a sample of a ply.

    The sample is decided as `book build` does it, from an empty table into a new store. If bitbully is installed
    (`pip install claimeven[bench]`) it solves the same positions without its book. A value that differs ends the
    command with status 1.

    \b
    Examples:
      claimeven bench book --positions 20 --alone
      claimeven bench book --db book.db --out reports/results
    """
    announce_compilation()
    from claimeven.reports.bench.book_speed import draw_sample, format_book_speed, measure_sample, read_builds
    from claimeven.reports.bench.search_speed import has_yardstick, name_yardstick, warm_up
    from claimeven.reports.machine import describe_run
    from claimeven.solver.board import Board

    builds: list[BuildSpeed] = []
    if db is not None:
        with open_store(db, writable=False) as opened:
            builds = list(read_builds(opened.runs()))
    yardstick = has_yardstick() and not alone
    warm_up()
    keys = draw_sample(Board(), ply, positions, seed)
    measure_sample(ply, keys[:1], 1, 1 << 20, yardstick=False)  # compiles what a build needs
    sample = measure_sample(ply, keys, jobs or os.cpu_count() or 1, memory, yardstick=yardstick)
    run = describe_run()
    page = format_book_speed(sample, builds, name_yardstick() if yardstick else None, run)
    measured = {"run": run, "sample": asdict(sample), "builds": [asdict(build) for build in builds]}
    write_results(page, "book", measured, out)
    if sample.disagreements:
        click.echo(f"{sample.disagreements} values differ", err=True)
        raise SystemExit(FOUND_A_PROBLEM)
