"""Asking a person at a terminal: the question on stderr, the answer from stdin."""

from __future__ import annotations

import sys

import click


def ask(question: str) -> str | None:
    """What the person types, in lower case and without space around it; None at the end of the input.

    Bytes that are no text become some character that no command and no column has.
    """
    click.echo(f"{question}> ", nl=False, err=True)
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    return line.decode("utf-8", "replace").strip().lower() if line else None
