"""The options that subcommands of `claimeven audit` share, and the types of their values."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from claimeven.scripts.errors import InputError, reported_as
from claimeven.scripts.options.out_directory import OutDirectory
from claimeven.scripts.options.search import MemorySize
from claimeven.solver.board import Board, BoardError

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """Where results go: into a directory if one is given, and to the screen as text or JSON."""

    out: Path | None
    as_json: bool
    threads: int
    jobs: int | None = None
    """Threads that were asked for; workers of a cluster have their own number otherwise."""


@dataclass(frozen=True, slots=True)
class CampaignSettings:
    """How a campaign is run: how far the rules look ahead, what a search may cost, and whether it begins anew."""

    look_ahead: int
    nodes: int | None
    memory_bytes: int
    is_fresh: bool


class PlyRange(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A ply, or the first and the last of several as in 0-8."""

    name = "A-B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", value, re.ASCII)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            self.fail(f"{value!r} is not a ply or a range of plies such as 0-8", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class Proofs(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """How many proofs, or which."""

    name = "N|all|thesis"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value in ("all", "thesis"):
            return str(value)
        if not re.fullmatch(r"[1-9]\d{0,8}", str(value), re.ASCII):
            self.fail(f"{value!r} is not a number of proofs, nor all, nor thesis", param, ctx)
        return int(value)


class EvenBoard(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A board on which the rules have a meaning."""

    name = "CxR"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Board:
        if isinstance(value, Board):
            return value
        with reported_as("--board", BoardError):
            board = Board.parse(value)
        if board.rows % 2:
            raise InputError(f"--board: the rules need an even number of rows and {board} has {board.rows}")
        return board


board_option = click.option("--board", type=EvenBoard(), default="7x6", show_default=True, help="Columns x rows.")
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same positions."
)
least_stones_option = click.option(
    "--least-stones",
    type=click.IntRange(0, 63),
    metavar="K",
    help="Positions have at least K stones.  [default: so many that search is quick]",
)


def output_options(*, keeps: bool = True) -> Callable[[Command], Command]:
    """Add --jobs, --json and, if there is something to keep, --out; the command gets them as one argument, `output`."""

    def decorate(command: Command) -> Command:
        @click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
        @click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
        @functools.wraps(command)
        def with_output(
            *arguments: Any, jobs: int | None, as_json: bool, out: Path | None = None, **others: Any
        ) -> Any:
            output = OutputSettings(out, as_json, jobs or os.cpu_count() or 1, jobs)
            return command(*arguments, output=output, **others)

        if not keeps:
            return with_output
        return click.option(
            "--out", type=OutDirectory(), help="Keep results in this directory, with soundness.md and soundness.json."
        )(with_output)

    return decorate


def campaign_options(command: Command) -> Command:
    """Add what every comparison with search has; the command gets it as one argument, `settings`."""

    @click.option(
        "--look-ahead",
        is_flag=False,
        flag_value="1",
        default="0",
        type=click.Choice(["0", "1", "2"]),
        help="Audit what the rules prove looking so many moves ahead.",
    )
    @click.option(
        "--nodes",
        type=click.IntRange(1),
        metavar="N",
        help="Give a search up after N nodes.  [default: 5 million for random positions]",
    )
    @click.option("--memory", type=MemorySize(), default="256M", show_default=True, help="Size of the search's table.")
    @click.option("--fresh", is_flag=True, help="Begin anew what --out has already.")
    @functools.wraps(command)
    def with_settings(
        *arguments: Any, look_ahead: str, nodes: int | None, memory: int, fresh: bool, **others: Any
    ) -> Any:
        settings = CampaignSettings(int(look_ahead), nodes, memory, fresh)
        return command(*arguments, settings=settings, **others)

    return with_settings
