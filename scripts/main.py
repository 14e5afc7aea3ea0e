"""The `claimeven` command: a group whose subcommands are imported only when they are needed."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

import click

from claimeven import __version__
from claimeven.scripts.errors import catch_interrupts, clean_ending
from claimeven.scripts.memory import ask_for_room_for_threads
from claimeven.solver.search import shortage

COMMANDS = {
    "analyze": "claimeven.scripts.analyze:analyze",
    "arena": "claimeven.scripts.arena:arena",
    "audit": "claimeven.scripts.audit.command:audit",
    "bench": "claimeven.scripts.bench.command:bench",
    "board": "claimeven.scripts.board:board",
    "book": "claimeven.scripts.book.command:book",
    "graph": "claimeven.scripts.graph:graph",
    "play": "claimeven.scripts.play.command:play",
    "prove": "claimeven.scripts.prove:prove",
    "query": "claimeven.scripts.query:query",
    "report": "claimeven.scripts.report:report",
    "serve": "claimeven.scripts.serve:serve",
    "solve": "claimeven.scripts.solve.command:solve",
    "solution": "claimeven.scripts.solution.command:solution",
    "stats": "claimeven.scripts.stats:stats",
    "store": "claimeven.scripts.store:store",
    "verify": "claimeven.scripts.verify:verify",
}
"""Where each subcommand is. Their modules must not import numba, networkx and the like before they run."""


class LazyGroup(click.Group):
    """A group that finds its subcommands in `COMMANDS`, and ends them cleanly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        shortage.on_shortage = _announce_shortage
        with clean_ending(ctx):
            return super().invoke(ctx)


def _announce_shortage(table_bytes: int) -> None:
    click.echo(
        f"there is no memory for a larger transposition table: search goes on with {table_bytes >> 20:,} MiB "
        "and may take longer",
        err=True,
    )


def _show_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        click.echo(f"claimeven {__version__}")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def claimeven() -> None:
    """Prove and solve Connect Four positions.

    \b
    Examples:
      claimeven prove 12                       the proof that Black holds 1. a1, b1
      claimeven graph 12 --out graph.svg       the picture behind it
    """


def main() -> None:
    """The entry point of the `claimeven` script."""
    # OpenBLAS takes memory for every core when numpy is loaded, and ends the process where there is too little; nothing
    # here multiplies matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Where no thread can be started for it, a progress bar does without the one that watches it.
    warnings.filterwarnings("ignore", "tqdm:disabling monitor support")
    ask_for_room_for_threads()
    catch_interrupts()
    claimeven(prog_name="claimeven")


if __name__ == "__main__":
    main()
