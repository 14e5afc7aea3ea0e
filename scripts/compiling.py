"""The lines that say why the first run of a command takes longer, and what is wrong with the kernel cache."""

from __future__ import annotations

import click


def announce_compilation() -> None:
    """Say it on stderr when kernels have to be compiled; call this before anything that holds kernels is imported."""
    from claimeven.solver.kernel import seal

    seal.on_compile = _announce
    seal.on_trouble = _warn


def _announce() -> None:
    click.echo("compiling kernels, once on this machine (about half a minute) ...", err=True)


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)
