"""How a command ends when something is wrong: one clear line on stderr and an exit status, never a traceback.

Status 0: fine. 1: the work found a problem. 2: wrong usage. 130 and 141: stopped by Ctrl-C, and by a reader that closed
the pipe, as shells count them.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from claimeven.scripts.memory import TOO_LITTLE, is_out_of_memory

FOUND_A_PROBLEM = 1
WRONG_USAGE = 2
INTERRUPTED = 130
CLOSED_PIPE = 141

PATIENCE_SECONDS = 2.0
"""How long after the first Ctrl-C others are taken for the same."""


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
    except KeyboardInterrupt as interrupt:
        _end_interrupted(context, interrupt)
    except (MemoryError, RuntimeError, SystemError, ImportError, OSError) as error:
        before = error.__context__
        if isinstance(error, RuntimeError) and isinstance(before, KeyboardInterrupt):
            # Ctrl-C while a lock was being taken back after a wait: it is released though nobody has it.
            _end_interrupted(context, before)
        if is_out_of_memory(error):
            raise click.ClickException(TOO_LITTLE) from error
        if _is_false_proof(error):
            raise click.ClickException(str(error)) from error
        if not isinstance(error, OSError):
            raise
        if error.filename is None:
            _stop_writing()
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}") from error


def _end_interrupted(context: click.Context, interrupt: KeyboardInterrupt) -> NoReturn:
    click.echo(f"\n{str(interrupt) or 'stopped'}", err=True)  # who knows how to go on says so in it
    context.exit(INTERRUPTED)


def catch_interrupts() -> None:
    """Let Ctrl-C stop the command once, however often it is pressed; pressed again later, it ends the process at once.

    Without this a second one may come while the first is being worked on, or while the interpreter is leaving, and end
    in a traceback.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # whoever started us wants it otherwise
    first: float | None = None

    def stop(number: int, frame: object) -> None:
        nonlocal first
        now = time.monotonic()
        if first is None:
            first = now
            raise KeyboardInterrupt
        if now - first > PATIENCE_SECONDS:
            os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, stop)


def _is_false_proof(error: Exception) -> bool:
    # Nothing is imported for it: --help does without all that, and there may be no memory for it.
    module = sys.modules.get("claimeven.solver.proof.certificate")
    return module is not None and isinstance(error, module.FalseProofError)


def _stop_writing() -> None:
    """Send what is still in the buffer of stdout nowhere, so that flushing it at the exit does not fail again."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
