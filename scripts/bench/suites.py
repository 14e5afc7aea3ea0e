"""The suites that a measurement is about: a folder of them, and which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.errors import reported_as

if TYPE_CHECKING:
    from claimeven.reports.bench.suites import SuitePosition

folder_argument = click.argument(
    "folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False)
)


def read_chosen(folder: Path | None, only: Sequence[str]) -> dict[str, list[SuitePosition]]:
    """The suites in a folder, or those that come with the program, by name; all of them if `only` names none."""
    from claimeven.reports.bench.suites import SHIPPED, SuiteError, read_suites

    with reported_as("", SuiteError):
        suites = read_suites(folder or SHIPPED)
        unknown = [name for name in only if name not in suites]
        if unknown:
            raise SuiteError(f"--only: there is no suite {unknown[0]!r}, but {', '.join(suites)}")
    return {name: suite for name, suite in suites.items() if not only or name in only}
