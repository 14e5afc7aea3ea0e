"""`claimeven audit coverage`: how many positions of the suites are proved."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.audit.page import write_page
from claimeven.scripts.errors import reported_as


def measure_suites(folder: Path, output: OutputSettings) -> bool:
    """Count what is proved of the suites; whether a score contradicts or the count is not the known one."""
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.coverage import measure_coverage
    from claimeven.reports.audit.soundness import keep_coverage
    from claimeven.reports.bench.suites import SuiteError, read_suites
    from claimeven.reports.machine import describe_run

    with reported_as("", SuiteError):
        suites = read_suites(folder)
    coverage = [measure_coverage(name, suite, output.threads) for name, suite in suites.items()]
    if output.out is not None:
        with reported_as("--out", AuditFileError):
            keep_coverage(output.out, coverage, describe_run())
            write_page(output.out)
    if output.as_json:
        click.echo(json.dumps({"coverage": [asdict(each) for each in coverage]}))
    else:
        for each in coverage:
            known = "" if each.literal is None else f" ({each.literal} by the second implementation)"
            here, *ahead = each.proved
            click.echo(
                f"{each.suite}: {each.positions:,} positions, {here:,} proved{known}, looking ahead "
                f"{', '.join(f'{number:,}' for number in ahead)}; {each.contradictions} contradictions"
            )
    return not all(each.is_right for each in coverage)
