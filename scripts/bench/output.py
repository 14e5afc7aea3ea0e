"""Where the measurements of `claimeven bench` go: to stdout and, if asked for, into a directory as page and data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from claimeven.scripts.options.out_directory import OutDirectory
from claimeven.solver.whole_file import write_whole

Measured = TypeVar("Measured")


def out_option(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option that names the directory."""
    return click.option(
        "--out",
        type=OutDirectory(),
        help=f"Also write {name}.md and {name}.json into this directory.",
    )


def read_results(name: str, from_json: Callable[[Any], list[Measured]], out: Path | None) -> list[Measured]:
    """What an earlier run has written into the directory; `from_json` makes it of the data or raises."""
    if out is None or not (path := out / f"{name}.json").exists():
        return []
    try:
        return from_json(json.loads(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise click.ClickException(f"{path}: `bench` did not write it") from None


def write_results(page: str, name: str, measured: dict[str, Any], out: Path | None) -> None:
    """Show a page, and write it and what was measured into the directory."""
    click.echo(page)
    if out is not None:
        write_whole(out / f"{name}.md", page + "\n")
        write_whole(out / f"{name}.json", json.dumps(measured, indent=1) + "\n")
