"""Where the measurements of `claimeven bench` go: to stdout and, if asked for, into a directory as page and data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from claimeven.scripts.options.out_directory import OutDirectory


def out_option(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option that names the directory."""
    return click.option(
        "--out",
        type=OutDirectory(),
        help=f"Also write {name}.md and {name}.json into this directory.",
    )


def write_results(page: str, name: str, measured: dict[str, Any], out: Path | None) -> None:
    """Show a page, and write it and what was measured into the directory."""
    click.echo(page)
    if out is not None:
        (out / f"{name}.md").write_text(page + "\n", encoding="utf-8")
        (out / f"{name}.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
