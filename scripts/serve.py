"""`claimeven serve`: the explorer in a browser, and the JSON API behind it."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import InputError
from claimeven.scripts.options.search import LEAST_MEMORY, MemorySize
from claimeven.scripts.options.seconds import Seconds
from claimeven.scripts.options.store import db_option, no_book_option, no_cache_option, store_errors

if TYPE_CHECKING:
    import socket

    from claimeven.db.location import StoreLocation
    from claimeven.reports.web.solutions import NamedSolution

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SWITCH_SECONDS = 0.0005
"""How long a thread of ours may keep the interpreter from the one that answers; Python's own is ten times that."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8044, show_default=True, help="The port; 0 takes a free one."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--write", "writes", is_flag=True, help="Keep what is searched in the store.")
@click.option(
    "--seconds", type=Seconds(), default=60.0, show_default=True, metavar="S", help="Time to search, for a request."
)
@click.option(
    "--searches",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Requests that search.",
)
@click.option("--memory", type=MemorySize(), default="256M", show_default=True, help="For transposition tables.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads of a search.  [default: all cores]")
@click.option(
    "--solution",
    "solutions",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="A solution to show on its board; may be given again.",
)
@db_option
@no_cache_option
@no_book_option
def serve(
    host: str,
    port: int,
    opens: bool,
    writes: bool,
    seconds: float,
    searches: int,
    memory: int,
    jobs: int | None,
    solutions: tuple[Path, ...],
    db: str | None,
    no_cache: bool,
    no_book: bool,
) -> None:
    """Serve the explorer: a board to click, a score under every column, and why.

    The address is printed; Ctrl-C ends it. Positions are looked up in the store and in the book, then tried with the
    rules, then searched. The same answers are there for programs: /solve?pos=4455 as the online solver gives them,
    /analyze, /prove, /graph, /query, /solution and more, described by /openapi.json. The store is only read, unless
    --write is given. It needs the extra web: pip install 'claimeven[web]'.

    \b
    Examples:
      claimeven serve --open
      claimeven serve --port 0 --db book.db --write
      claimeven serve --solution 5x4.json --seconds 10
    """
    location = _find_store(db, no_cache=no_cache, writes=writes)
    if memory < 2 * LEAST_MEMORY:
        raise InputError("--memory: a server needs 2M at least")
    try:
        import uvicorn

        announce_compilation()
        from claimeven.reports.web.app import LOOPBACK as LOCAL_NAMES
        from claimeven.reports.web.app import make_app
        from claimeven.reports.web.known import Known
        from claimeven.reports.web.limits import Limits, count_cores
        from claimeven.reports.web.solutions import Solutions
    except ImportError as error:
        if error.name and error.name.partition(".")[0] not in ("uvicorn", "starlette"):
            raise
        raise click.ClickException("the explorer needs more packages: pip install 'claimeven[web]'") from None
    given = [_read_solution(file) for file in solutions]
    is_local = host in LOOPBACK
    limits = Limits(seconds=seconds, searches=searches, memory_bytes=memory, threads=jobs or count_cores())
    listening = _listen(host, port)
    url = f"http://{_name(host)}:{listening.getsockname()[1]}/"
    with store_errors():
        known = Known(location, uses_book=not no_book, writes=writes)
        app = make_app(known, limits, solutions=Solutions(given), hosts=LOCAL_NAMES if is_local else ("*",))
        config = uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            timeout_keep_alive=limits.keep_alive,
            limit_concurrency=limits.connections,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        click.echo(url)
        if not is_local:
            click.echo(
                f"note: {host} can be reached from other machines, by anyone and without a password; "
                "127.0.0.1 is this machine alone",
                err=True,
            )
        if opens:
            _open_later(url)
        sys.setswitchinterval(SWITCH_SECONDS)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
        click.echo("stopped", err=True)


def _find_store(db: str | None, *, no_cache: bool, writes: bool) -> StoreLocation | None:
    """The store to use; one that the user names must be there, unless it is to be written."""
    if no_cache:
        if writes:
            raise InputError("--write: with --no-cache there is no store to write")
        return None
    from claimeven.db.errors import MissingStoreError
    from claimeven.db.location import StoreLocation
    from claimeven.db.quick_reader import open_reader

    with store_errors():
        location = StoreLocation.find(db)
        if writes:
            from claimeven.db.store import Store

            Store.open(location, writable=True).close()
            return location
        try:
            with open_reader(location):
                return location
        except MissingStoreError:
            if db is not None:
                raise
            return None


def _read_solution(file: Path) -> NamedSolution:
    """The solution of a file; one that does not hold ends the command."""
    import json

    from claimeven.reports.web.solutions import NamedSolution
    from claimeven.scripts.solution.reading import read_solution
    from claimeven.solver.solution.file_check import find_solution_flaws

    solution = read_solution(file)
    for flaw in find_solution_flaws(json.loads(file.read_text(encoding="utf-8"))):
        raise InputError(f"--solution: {file} does not hold: {flaw}; claimeven solution check {file} says all of it")
    return NamedSolution(file.name, solution)


def _listen(host: str, port: int) -> socket.socket:
    """A socket at the address; one that is taken or does not exist ends the command."""
    from claimeven.reports.web.listening import listen

    try:
        return listen(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"--host, --port: cannot listen at {host} port {port}: {reason}") from None


def _name(host: str) -> str:
    """The host as a browser on this machine is given it."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _open_later(url: str) -> None:
    """Open a browser once the server had a moment to begin."""
    import webbrowser

    threading.Timer(0.5, webbrowser.open, [url]).start()
