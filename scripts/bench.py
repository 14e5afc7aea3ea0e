"""`claimeven bench`: how fast it is, on standard test positions, with a yardstick in the same run."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scripts.compiling import announce_compilation
from scripts.errors import InputError, reported_as
from scripts.suite_files import read_suites
from solver.position import PositionError

if TYPE_CHECKING:
    from reports.rule_speed import RuleSpeed


@click.group()
def bench() -> None:
    """Measure speed.

    \b
    Examples:
      claimeven bench rules suites
      claimeven bench rules suites --out reports/results
    """


@bench.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Also write rules.md and rules.json into this directory.",
)
def rules(folder: Path, out: Path | None) -> None:
    """Measure the nine-rule evaluation on the suites in FOLDER.

    A suite is a file with a position a line: the moves, and anything after a space. Reported are evaluations a second
    on one core after warm-up, the share of the time that finding solutions, their conflicts and the search for a
    chosen set take, and the readable search in networkx as the yardstick.

    \b
    Example:
      claimeven bench rules suites --out reports/results
    """
    with reported_as("", PositionError):
        suites = read_suites(folder)
    if not suites:
        raise InputError(f"{folder} holds no suites")
    announce_compilation()
    from reports.machine import describe_run
    from reports.rule_speed import measure_rules
    from reports.rule_speed_table import format_rule_speeds

    speeds: list[RuleSpeed] = []
    for name, positions in suites.items():
        click.echo(f"{name} ...", err=True)
        speeds.append(measure_rules(name, positions))
    run = describe_run()
    table = format_rule_speeds(speeds, run)
    click.echo(table)
    if out is not None:
        (out / "rules.md").write_text(table + "\n", encoding="utf-8")
        measured = {"run": run, "suites": [asdict(speed) for speed in speeds]}
        (out / "rules.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
