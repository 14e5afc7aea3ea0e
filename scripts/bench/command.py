"""`claimeven bench`: how fast it is, on test positions, with a yardstick in the same run."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.bench.cluster import cluster
from claimeven.scripts.bench.data import batch, book, store
from claimeven.scripts.bench.output import out_option, read_results, write_results
from claimeven.scripts.bench.players import players
from claimeven.scripts.bench.proof_numbers import dfpn
from claimeven.scripts.bench.search import search
from claimeven.scripts.bench.serve import serve
from claimeven.scripts.bench.solutions import solutions
from claimeven.scripts.bench.suites import folder_argument, read_chosen
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.options.search import MemorySize
from claimeven.scripts.options.seconds import Seconds
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    from claimeven.reports.bench.suites import SuitePosition


@click.group()
def bench() -> None:
    """Measure speed, with a yardstick in the same run.

    \b
    Examples:
      claimeven bench search --no-game
      claimeven bench rules suites --out reports/results
    """


@bench.command()
@folder_argument
@click.option("--only", multiple=True, metavar="SUITE", help="Only this suite; may be given more than once.")
@out_option("rules")
def rules(folder: Path | None, only: tuple[str, ...], out: Path | None) -> None:
    """Measure the nine-rule evaluation on the suites in FOLDER.

    Suites of boards with an odd number of rows are left out. Reported are evaluations a second on one core after
    warm-up, the share of the time that finding solutions, their conflicts and the search for a chosen set take, and the
    readable search in networkx as the yardstick. A proof that contradicts the suite's score ends the command with
    status 1.

    \b
    Examples:
      claimeven bench rules
      claimeven bench rules suites --out reports/results
    """
    chosen = read_chosen(folder, only)
    suites = {name: suite for name, suite in chosen.items() if suite[0].position.board.rows % 2 == 0}
    announce_compilation()
    from claimeven.reports.bench.rule_speed import format_rule_speeds, measure_rules
    from claimeven.reports.machine import describe_run

    speeds = []
    for name, suite in suites.items():
        click.echo(f"{name} ...", err=True)
        speeds.append(measure_rules(name, suite))
    run = describe_run()
    page = format_rule_speeds(speeds, run)
    write_results(page, "rules", {"run": run, "suites": [asdict(speed) for speed in speeds]}, out)
    false = sum(speed.contradictions for speed in speeds)
    if false:
        click.echo(f"{false} proofs contradict the suites", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


@bench.command()
@click.option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Positions a board.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same positions.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--only", multiple=True, metavar="BOARD", help="Only minimax on this board; may be given more than once.")
@click.option(
    "--empty",
    type=click.IntRange(1, 20),
    metavar="N",
    help="At most so many squares are empty where minimax is asked.  [default: what it can do in seconds]",
)
@out_option("agreement")
def agreement(
    positions: int, seed: int, jobs: int | None, only: tuple[str, ...], empty: int | None, out: Path | None
) -> None:
    """Compare exact search with programs that share no code with it.

    On small boards and in late positions that is plain minimax, on 7x6 also bitbully if it is installed, and the search
    itself on 1, 2 and 4 threads. A disagreement is shown with its moves and ends the command with status 1. With --out
    the comparisons that the file has and that are not made now stay there.

    \b
    Examples:
      claimeven bench agreement --positions 10000 --out reports/results
      claimeven bench agreement --positions 100000 --only 9x5 --empty 12
    """
    announce_compilation()
    from claimeven.reports.bench.agreement import (
        EMPTY_FOR_MINIMAX,
        agreements_from_json,
        compare_threads,
        compare_with_minimax,
        compare_with_other_program,
        format_agreements,
        join_agreements,
    )
    from claimeven.reports.bench.search_speed import has_yardstick
    from claimeven.reports.machine import describe_run

    unknown = [board for board in only if board not in EMPTY_FOR_MINIMAX]
    if unknown:
        raise InputError(f"--only: minimax is for {', '.join(EMPTY_FOR_MINIMAX)}, not for {unknown[0]!r}")
    old = read_results("agreement", agreements_from_json, out)
    run = describe_run()
    threads = jobs or os.cpu_count() or 1
    agreements = []
    for board in only or EMPTY_FOR_MINIMAX:
        click.echo(f"{board}, minimax ...", err=True)
        agreements.append(compare_with_minimax(board, positions, seed, threads, empty))
    if has_yardstick() and not only:
        click.echo("7x6, bitbully ...", err=True)
        agreements.append(compare_with_other_program(positions, seed, threads))
    if not only:
        click.echo("7x6, threads ...", err=True)
        agreements.append(compare_threads(positions, seed))
    agreements = [replace(each, made_by=run) for each in agreements]
    listed = join_agreements(old, agreements)
    measured = {"run": run, "agreements": [asdict(each) for each in listed]}
    write_results(format_agreements(listed), "agreement", measured, out)
    if any(each.disagreements for each in agreements):
        raise SystemExit(FOUND_A_PROBLEM)


@bench.command()
@click.option(
    "--cells", type=click.IntRange(1, 64), default=30, show_default=True, help="Boards up to this many squares."
)
@click.option(
    "--only", multiple=True, metavar="BOARD", help="Only this board, of any size; may be given more than once."
)
@click.option("--score", is_flag=True, help="The exact score too.")
@click.option(
    "--engine", type=click.Choice(["search", "dfpn"]), default="search", show_default=True,
    help="Alpha-beta, or proof numbers with the nine rules, which give no scores.",
)  # fmt: skip
@click.option("--seconds", type=Seconds(), metavar="S", help="Give a board up after S seconds.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of the table.")
@out_option("boards")
def boards(
    cells: int,
    only: tuple[str, ...],
    score: bool,
    engine: str,
    seconds: float | None,
    jobs: int | None,
    memory: int,
    out: Path | None,
) -> None:
    """Solve empty boards and compare with the published values.

    7x6 has 42 squares; a board that is decided and differs ends the command with status 1. With --out the boards that
    the file has and that are not solved now stay there.

    \b
    Examples:
      claimeven bench boards
      claimeven bench boards --cells 42 --score --seconds 3600 --out reports/results
      claimeven bench boards --only 4x12 --score
      claimeven bench boards --only 12x4 --engine dfpn
    """
    if score and engine == "dfpn":
        raise InputError("--score: proof numbers know who wins and no scores")
    announce_compilation()
    from claimeven.reports.bench.board_values import (
        ALPHA_BETA,
        DFPN,
        board_values_from_json,
        choose_boards,
        format_board_values,
        join_board_values,
        published_values,
        solve_boards,
    )
    from claimeven.reports.machine import describe_run
    from claimeven.solver.search.budget import Budget

    unknown = [board for board in only if board not in published_values()]
    if unknown:
        raise InputError(f"--only: no value of a board {unknown[0]!r} was published that fits into 64 bits")
    old = read_results("boards", board_values_from_json, out)
    run = describe_run()
    values = []
    threads, budget = jobs or os.cpu_count() or 1, Budget(seconds=seconds)
    by = DFPN if engine == "dfpn" else ALPHA_BETA
    for each in solve_boards(choose_boards(cells, only), threads, memory, score, budget, by):
        click.echo(f"{each.board}: {each.value or 'not decided'}, {each.seconds:.1f} s", err=True)
        values.append(replace(each, made_by=run))
    listed = join_board_values(old, values)
    measured = {"run": run, "boards": [asdict(each) for each in listed]}
    write_results(format_board_values(listed), "boards", measured, out)
    if not all(each.is_right for each in values):
        click.echo("a value differs from what was published", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


@bench.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--size", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="Positions a suite.")
@click.option("--only", multiple=True, metavar="SUITE", help="Only this suite; may be given more than once.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same suites.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="512M", show_default=True, help="Size of the table.")
def make_suites(folder: Path, size: int, only: tuple[str, ...], seed: int, jobs: int | None, memory: int) -> None:
    """Make suites of random positions in FOLDER, with their exact scores.

    There are six of 7x6 by how many stones are played (begin, middle, end) and how far off the end is (easy, medium,
    hard), one of all plies from 8 on (every-ply), and an easy and a hard one of each of some other boards (9x5-easy).
    A suite is written when it is complete.

    \b
    Examples:
      claimeven bench make-suites suites --size 100
      claimeven bench make-suites suites --size 50 --only 9x5-easy --only 9x5-hard
    """
    announce_compilation()
    from claimeven.reports.bench.suite_maker import KINDS, make_suites
    from claimeven.reports.bench.suites import format_suite

    unknown = [name for name in only if name not in [kind.name for kind in KINDS]]
    if unknown:
        raise InputError(f"--only: there is no suite {unknown[0]!r}, but {', '.join(kind.name for kind in KINDS)}")
    kinds = [kind for kind in KINDS if not only or kind.name in only]
    folder.mkdir(parents=True, exist_ok=True)
    suites: dict[str, list[SuitePosition]] = {}
    with tqdm(total=size * len(kinds), unit=" positions", disable=None, file=sys.stderr) as progress:
        for name, entry in make_suites(kinds, size, seed, memory, jobs):
            suite = suites.setdefault(name, [])
            suite.append(entry)
            progress.update()
            if len(suite) == size:
                write_whole(folder / name, format_suite(suite))
                click.echo(folder / name)


for _command in (search, batch, book, store, cluster, players, dfpn, serve, solutions):
    bench.add_command(_command)
