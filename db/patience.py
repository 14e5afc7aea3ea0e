"""A server that is restarted is waited for: what it was asked is asked again, and nothing is lost.

Every call is one transaction, all of which is kept or nothing. Whether one that was cut off at its end was kept is not
known, so each must be one that can be done twice: verdicts that are there already are not written again.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from claimeven.db.errors import LostServerError

WAIT_SECONDS = 0.5

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Patient(Protocol):
    """Whose calls are repeated, for so many seconds."""

    patience: float


Asker = TypeVar("Asker", bound=Patient)


def patiently(
    method: Callable[Concatenate[Asker, Arguments], Result],
) -> Callable[Concatenate[Asker, Arguments], Result]:
    """Let a method be called again as long as it raises LostServerError and the patience lasts."""

    @functools.wraps(method)
    def call(self: Asker, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        # What can be gone through only once must not be gone by the second time.
        again: tuple[Any, ...] = tuple(list(each) if isinstance(each, Iterator) else each for each in arguments)
        deadline = time.monotonic() + self.patience
        while True:
            try:
                return method(self, *again, **named)
            except LostServerError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(WAIT_SECONDS)

    return call
