"""How a command ends when something is wrong: one clear line on stderr and an exit status, never a traceback.

Status 0: fine. 1: the work found a problem. 2: wrong usage. 130 and 141: stopped by Ctrl-C, and by a reader that closed
the pipe, as shells count them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

FOUND_A_PROBLEM = 1
WRONG_USAGE = 2
INTERRUPTED = 130
CLOSED_PIPE = 141


class InputError(click.ClickException):
    """What the user gave cannot be worked on."""

    exit_code = WRONG_USAGE


@contextmanager
def reported_as(place: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn these errors of the library into an InputError that says where, as in `--board: '7y6' is not a board`."""
    try:
        yield
    except errors as error:
        raise InputError(f"{place}: {error}" if place else str(error)) from error


@contextmanager
def clean_ending(context: click.Context) -> Iterator[None]:
    """End the command cleanly on what the outside world may do at any time."""
    try:
        yield
    except BrokenPipeError:
        _stop_writing()
        context.exit(CLOSED_PIPE)
    except KeyboardInterrupt:
        click.echo("\nstopped", err=True)
        context.exit(INTERRUPTED)
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        raise click.ClickException("there is not enough memory; what was stored before is kept") from error
    except OSError as error:
        if error.filename is None:
            _stop_writing()
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}") from error


def _is_out_of_memory(error: Exception) -> bool:
    # A thread needs memory for its stack, and Python has no error of its own for that.
    return isinstance(error, MemoryError) or "can't start new thread" in str(error)


def _stop_writing() -> None:
    """Send what is still in the buffer of stdout nowhere, so that flushing it at the exit does not fail again."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
