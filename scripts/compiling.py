"""The line that says why the first run of a command takes longer."""

from __future__ import annotations

import click


def announce_compilation() -> None:
    """Say it on stderr when kernels have to be compiled; call this before anything that holds kernels is imported."""
    from claimeven.solver import kernel

    kernel.on_compile = _announce


def _announce() -> None:
    click.echo("compiling kernels, once on this machine (about half a minute) ...", err=True)
