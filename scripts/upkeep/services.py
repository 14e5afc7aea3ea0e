"""What some tests need beside Python: a browser and a PostgreSQL server, installed and started where that is possible.

On Debian, as root, missing packages are installed. Anywhere else, and whenever something fails, a line on stderr says
so and the tests that need it are skipped; the run goes on.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "CLAIMEVEN_TEST_DB"
"""Tells the tests the URL of a database that they may use."""

BROWSER = ("chromium", "chromium-driver")
BROWSER_PROGRAMS = ("chromium", "chromedriver")
SERVER = ("postgresql",)
SERVER_USER = "postgres"
"""Whom the server runs as if this is root, as it refuses to run as root itself."""

INSTALL_SECONDS = 600
START_SECONDS = 60


def provide_browser() -> bool:
    """Make sure that there is a browser and the program that drives it; gives whether there is."""
    if not _has_browser() and not _install(BROWSER, _has_browser):
        _warn("there is no chromium with chromedriver, so the tests in a browser are skipped")
    return _has_browser()


@contextmanager
def provide_database() -> Iterator[dict[str, str]]:
    """The environment variables of a PostgreSQL server that runs until the end of the block; none if there is none."""
    if os.environ.get(VARIABLE):
        yield {}
        return
    with provide_server() as server:
        yield {} if server is None else {VARIABLE: server.url}


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server of our own, with an empty database."""

    url: str
    programs: Path
    data: Path

    def restart(self) -> None:
        """End the server as a power cut does, and start it again at the same port."""
        _run_as_server([self.programs / "pg_ctl", "-D", self.data, "-m", "immediate", "-w", "restart"])

    def stop(self) -> None:
        _run_as_server([self.programs / "pg_ctl", "-D", self.data, "-m", "immediate", "stop"])


@contextmanager
def provide_server() -> Iterator[Server | None]:
    """A server that runs until the end of the block; None if there is none."""
    if _server_programs() is None:
        _install(SERVER, lambda: _server_programs() is not None)
    programs = _server_programs()
    if programs is None:
        _warn("there is no PostgreSQL, so the tests with it are skipped")
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="claimeven-postgresql-", ignore_cleanup_errors=True) as directory:
        url = _start(programs, Path(directory))
        server = None if url is None else Server(url, programs, Path(directory) / "data")
        try:
            yield server
        finally:
            if server is not None:
                server.stop()


def _has_browser() -> bool:
    return all(shutil.which(program) for program in BROWSER_PROGRAMS)


def _server_programs() -> Path | None:
    """The directory of the newest server's programs, which Debian keeps off the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: (len(str(path)), str(path)))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


def _start(programs: Path, directory: Path) -> str | None:
    """Start a server with a new, empty database of its own and give its URL; None if that does not work."""
    data = directory / "data"
    port = _free_port()
    settings = f"-p {port} -k {directory} -c listen_addresses=127.0.0.1 -c fsync=off"
    commands: tuple[list[Path | str], ...] = (
        [programs / "initdb", "-D", data, "-U", "claimeven", "--auth=trust", "-E", "UTF8", "--no-sync"],
        [programs / "pg_ctl", "-D", data, "-l", directory / "log", "-o", settings, "-w", "start"],
    )
    try:
        if _is_root():
            shutil.chown(directory, SERVER_USER)
        for command in commands:
            _run_as_server(command).check_returncode()
    except (OSError, LookupError, subprocess.SubprocessError) as error:
        _warn(f"PostgreSQL does not start ({error}), so the tests with it are skipped")
        return None
    return f"postgresql+psycopg://claimeven@127.0.0.1:{port}/postgres"


def _run_as_server(command: Sequence[Path | str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command,
        user=SERVER_USER if _is_root() else None,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=START_SECONDS,
        check=False,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _install(packages: tuple[str, ...], is_there: Callable[[], bool]) -> bool:
    """Install packages of Debian if this is Debian and root asks; gives whether they are there afterwards."""
    if not (Path("/etc/debian_version").exists() and shutil.which("apt-get") and _is_root()):
        return False
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    print(f"installing {' '.join(packages)} for the tests (once) ...", file=sys.stderr, flush=True)
    # The lists of packages may be missing, or older than what they list.
    for command in (install, ["apt-get", "update", "-qq"], install):
        try:
            subprocess.run(
                command,
                env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=INSTALL_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        if is_there():
            return True
    return False


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def _warn(message: str) -> None:
    print(f"warning: {message}", file=sys.stderr, flush=True)
