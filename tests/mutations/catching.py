"""Which test of the default run catches a mistake: the broken module is imported in place of the right one.

Nothing is written: the mistake lives in the memory of a forked process, which runs the tests with kernels as plain
Python, because compiling them takes longer than the tests.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, FrameType, ModuleType
from typing import Any

from tests.mutations.mutation import ROOT, Mutation

PATIENCE = 240
"""Seconds after which a broken module counts as one that never ends."""

NOT_CAUGHT = ""
NEVER_ENDS = "it never ends"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mistake: the test that caught it, or nothing if none did."""

    breaks: str
    file: str
    caught_by: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class _Ended(BaseException):
    """The patience is over; no test may take this for a failure of its own."""


class _BrokenModule(SourceFileLoader):
    """Loads a module from its broken source."""

    def __init__(self, mutation: Mutation) -> None:
        super().__init__(mutation.module, str(ROOT / mutation.file))
        self._source = mutation.apply()

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec")


class _Finder:
    """Finds the broken module before the right one is found."""

    def __init__(self, mutation: Mutation) -> None:
        self._loader = _BrokenModule(mutation)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._loader.name:
            return None
        return spec_from_file_location(name, self._loader.path, loader=self._loader)


class _FirstFailure:
    """A pytest plugin that remembers the first test that failed."""

    def __init__(self) -> None:
        self.caught_by = NOT_CAUGHT

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.caught_by:
            self.caught_by = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.caught_by:
            self.caught_by = f"{report.nodeid}, while it is imported"


def catch(mutation: Mutation | None, tests: Iterable[str] = ()) -> Outcome:
    """Run the tests against a mistake, or against none; to be called in a process that ends afterwards."""
    import hypothesis
    import pytest

    # A failing example is enough; to make it small costs more than finding it.
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutations", phases=phases, database=None, derandomize=True)
    hypothesis.settings.load_profile("mutations")
    if mutation is not None:
        sys.meta_path.insert(0, _Finder(mutation))
        tests = mutation.tests
    failure = _FirstFailure()
    start = time.perf_counter()
    signal.signal(signal.SIGALRM, _end)
    signal.alarm(PATIENCE)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for file in tests:
                pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--tb=no", str(ROOT / file)], plugins=[failure])
                if failure.caught_by:
                    break
    except _Ended:
        failure.caught_by = NEVER_ENDS
    finally:
        signal.alarm(0)
    seconds = time.perf_counter() - start
    breaks, file = (mutation.breaks, mutation.file) if mutation else ("nothing", "")
    return Outcome(breaks, file, failure.caught_by, seconds)


def catch_all(mutations: Sequence[Mutation | None], tests: Sequence[str] = ()) -> Iterator[Outcome]:
    """Run the tests against every mistake, each in a process of its own, on all cores; in any order.

    The process that calls this must not have imported `solver`, whose modules are imported anew for each.
    """
    if any(name.split(".")[0] == "solver" for name in sys.modules):
        raise RuntimeError("solver is imported already, so that its modules would not be broken")
    os.environ["CLAIMEVEN_PURE_PYTHON"] = "1"
    _import_what_stays_whole()
    fork = multiprocessing.get_context("fork")
    with fork.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(_Catch(tuple(tests)), mutations, chunksize=1)


@dataclass(frozen=True, slots=True)
class _Catch:
    """`catch` with its tests, as a pool can take it."""

    tests: tuple[str, ...]

    def __call__(self, mutation: Mutation | None) -> Outcome:
        return catch(mutation, self.tests)


def _import_what_stays_whole() -> None:
    """Import, once for all processes, what takes long and is not ours."""
    for name in ("hypothesis.strategies", "networkx", "numba", "pytest"):
        import_module(name)


def _end(signal_number: int, frame: FrameType | None) -> None:
    raise _Ended
