"""The options of every command that searches: --jobs, --memory, --nodes and --seconds."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from claimeven.scripts.options.seconds import Seconds
from claimeven.solver.search.budget import Budget

UNITS = {"K": 10, "M": 20, "G": 30}
LEAST_MEMORY = 1 << 20


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What the options say; None is the library's own default."""

    jobs: int | None
    memory_bytes: int | None
    budget: Budget


class MemorySize(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A number of bytes, written with a unit as in 512M."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d{1,6})([KMG])I?B?", value.strip().upper(), re.ASCII)
        if match is None:
            self.fail(f"{value!r} is not a size; write it with a unit, as in 512M or 2G", param, ctx)
        size = int(match[1]) << UNITS[match[2]]
        if size < LEAST_MEMORY:
            self.fail(f"{value!r} is too small; 1M is the least", param, ctx)
        return size


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets them as one argument, `settings`."""

    @click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
    @click.option(
        "--memory", type=MemorySize(), help="Size of the transposition table, as in 512M or 2G.  [default: 512M]"
    )
    @click.option("--nodes", type=click.IntRange(1), metavar="N", help="Give a position up after N nodes.")
    @click.option("--seconds", type=Seconds(), metavar="S", help="Give a position up after S seconds.")
    @functools.wraps(command)
    def with_settings(
        *arguments: Any, jobs: int | None, memory: int | None, nodes: int | None, seconds: float | None, **others: Any
    ) -> Any:
        settings = SearchSettings(jobs, memory, Budget(nodes, seconds))
        return command(*arguments, settings=settings, **others)

    return with_settings
