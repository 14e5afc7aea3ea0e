"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from importlib import import_module
from pathlib import Path

import pytest

from claimeven.db.books.packed import NO_BOOK
from claimeven.db.location import VARIABLE


def pytest_configure(config: pytest.Config) -> None:
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
