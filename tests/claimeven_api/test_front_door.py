"""The front door: what is exported, that it is loaded late, and that its errors are the builtin ones at heart."""

from __future__ import annotations

import subprocess
import sys

import pytest

import claimeven

HEAVY = ("numba", "numpy", "sqlalchemy", "networkx", "matplotlib", "pandas")
IMPORT = "import time; start = time.perf_counter(); import claimeven; took = time.perf_counter() - start"


def run(code: str) -> str:
    """What a new Python prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_importing_loads_nothing_heavy_and_takes_no_time() -> None:
    loaded = f"import sys; print(took, *(name for name in {HEAVY} if name in sys.modules))"
    answers = [run(f"{IMPORT}; {loaded}").split() for _ in range(5)]
    assert [names for _, *names in answers] == [[]] * 5
    assert min(float(seconds) for seconds, *_ in answers) < 0.06


def test_positions_are_read_and_printed_without_numpy() -> None:
    code = f"import sys, claimeven; print(claimeven.Position('44').ply, *(n for n in {HEAVY} if n in sys.modules))"
    assert run(code) == "2"


def test_all_names_are_there_and_no_others() -> None:
    assert dir(claimeven) == sorted(claimeven.__all__)
    assert {name for name in claimeven.__all__ if getattr(claimeven, name) is None} == set()
    assert set(claimeven._HOMES) == set(claimeven.__all__) - {"__version__"}


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'claimeven' has no attribute 'Victor'"):
        _ = claimeven.Victor


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (claimeven.PositionError, ValueError),
        (claimeven.BoardError, ValueError),
        (claimeven.CertificateError, ValueError),
        (claimeven.ContradictionError, ValueError),
        (claimeven.StoreError, OSError),
    ],
)
def test_errors_are_the_nearest_builtin(error: type[Exception], builtin: type[Exception]) -> None:
    assert issubclass(error, builtin)
