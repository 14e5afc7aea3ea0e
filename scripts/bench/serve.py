"""`claimeven bench serve`: the server under load, beside a flood of long searches, and with requests that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM


@click.command()
@click.option("--clients", type=click.IntRange(1, 200), default=50, show_default=True, help="Clients at once.")
@click.option("--requests", type=click.IntRange(1, 100_000), default=2000, show_default=True, help="Requests a round.")
@click.option(
    "--floods", type=click.IntRange(0, 60), default=20, show_default=True, help="Endless searches in the last round."
)
@click.option("--fuzz", type=click.IntRange(0, 1_000_000), default=10_000, show_default=True, help="Wrong requests.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same requests.")
@out_option("serve")
def serve(clients: int, requests: int, floods: int, fuzz: int, seed: int, out: Path | None) -> None:
    """Measure `claimeven serve` under load, and compare every answer.

    A server is started, asked by many clients at once, asked again beside searches that do not end, and sent requests
    that are wrong. A wrong answer, or a failure of the server, ends in status 1. It needs the extra web.

    \b
    Examples:
      claimeven bench serve --requests 200 --fuzz 200
      claimeven bench serve --out reports/results
    """
    announce_compilation()
    from claimeven.reports.bench.serve_speed import format_server_speed, measure_server
    from claimeven.reports.machine import describe_run

    speed = measure_server(clients, requests, floods, fuzz, seed)
    run = describe_run()
    failures = [wrong for load in speed.rounds for wrong in load.wrong]
    failures += [] if speed.fuzzed is None else speed.fuzzed.failures
    measured: dict[str, Any] = {
        "run": run,
        "seed": seed,
        "clients": clients,
        "yardstick": speed.yardstick,
        "rounds": [load.to_json() for load in speed.rounds],
    }
    if speed.fuzzed is not None:
        measured["fuzzed"] = {"statuses": dict(speed.fuzzed.statuses), "failures": speed.fuzzed.failures}
    write_results(format_server_speed(speed, run), "serve", measured, out)
    if failures or "Traceback" in speed.log:
        click.echo("\n".join([f"{len(failures)} failures, the first of them:", *failures[:10]]), err=True)
        raise SystemExit(FOUND_A_PROBLEM)
