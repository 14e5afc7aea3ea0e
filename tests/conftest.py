"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from sqlalchemy import create_engine, make_url, text

from claimeven.db.books.packed import NO_BOOK
from claimeven.db.location import VARIABLE
from claimeven.scripts.upkeep.services import VARIABLE as SERVER_VARIABLE


def pytest_configure(config: pytest.Config) -> None:
    # How long an example takes hangs on what else the machine does, so none has a time limit.
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    # Shells let what they start in the background ignore Ctrl-C, and the processes that tests start would inherit that.
    # What tests ask should be solved; those of the book say so.
    os.environ[NO_BOOK] = "1"
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # This is the process that starts the others: what it compiles they find in the cache.
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        compile_kernels()


def compile_kernels() -> None:
    """Compile the kernels that have changed since."""
    from claimeven.solver import kernel

    folder = Path(kernel.__file__).parents[1]
    for path in kernel.kernel_sources():
        name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        import_module(f"claimeven.solver.{name}")
    kernel.prepare_kernels()


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own: none may touch the one of whoever runs it."""
    store = tmp_path / "own-store.db"
    monkeypatch.setenv(VARIABLE, str(store))
    return store


@pytest.fixture
def server_url() -> Iterator[str]:
    """The URL of an empty database of the test's own, on the server that `scripts.test` starts."""
    server = os.environ.get(SERVER_VARIABLE)
    if not server:
        pytest.skip(f"{SERVER_VARIABLE} is not set")
    name = f"test_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
