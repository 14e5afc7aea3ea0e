"""What makes a worker one of ours: the version and the sources of what it would compute with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCES = ("solver", "cluster")
"""The rooms that decide what a worker answers."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A version, and a digest of the sources: two checkouts of one version may differ."""

    version: str
    digest: str

    def __str__(self) -> str:
        return f"claimeven {self.version} ({self.digest[:12]})"


@cache
def own_identity() -> Identity:
    """The identity of this process."""
    from claimeven import __version__

    rooms = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in SOURCES:
        folder = rooms / room
        for path in sorted(folder.rglob("*.py"), key=lambda each: each.relative_to(folder).as_posix()):
            digest.update(f"{room}/{path.relative_to(folder).as_posix()}\n".encode())
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return Identity(__version__, digest.hexdigest())


def make_greeting() -> Callable[[], tuple[str, str | None, str | None]]:
    """A function that tells a worker's name, version and digest, None for what it has not.

    It is one inside another because such a function is sent as it is here, and not by a name that it has there: it must
    also work where another version is installed, or none.
    """

    def greet() -> tuple[str, str | None, str | None]:
        from importlib import import_module

        from distributed import get_worker

        name = str(get_worker().name)
        try:
            version = str(import_module("claimeven").__version__)
        except (ImportError, AttributeError):
            return name, None, None
        try:
            return name, version, str(import_module("claimeven.cluster.identity").own_identity().digest)
        except (ImportError, AttributeError):
            return name, version, None

    return greet


def describe_difference(version: str | None, digest: str | None) -> str | None:
    """Why a worker with this version and digest is refused, None if it is not."""
    own = own_identity()
    if version is None:
        return "claimeven is not installed there"
    if (version, digest) == (own.version, own.digest):
        return None
    other = Identity(version, digest) if digest is not None else f"claimeven {version}, which knows no cluster"
    return f"it has {other}, and this is {own}"
