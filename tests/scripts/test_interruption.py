"""Ctrl-C, once or in a burst, ends a command with its line, its status, and no traceback."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.scripts.processes import finish, start


@pytest.mark.parametrize(("times", "how"), [(1, ["--score"]), (4, ["--score"]), (1, ["--engine", "dfpn"])])
def test_solve_says_how_to_go_on(times: int, how: list[str], tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    # Larger boards than the usual one, which takes a fast machine two seconds.
    process = start("solve", "", "--board", "8x7", *how, "--db", str(path), start_new_session=True)
    while not path.exists():
        time.sleep(0.05)
        assert process.poll() is None
    time.sleep(2)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    status, output, diagnostics = finish(process)
    # The last of a burst may come when Python has gone: then it is the signal that ends the process, which is 130 too.
    assert status in ((130,) if times == 1 else (130, -signal.SIGINT))
    assert output == ""
    lines = [line for line in diagnostics.splitlines() if line and not line.startswith("compiling")]
    assert lines == [f"stopped; what is done is in {path}, run the same command to go on"]


@pytest.mark.parametrize(
    "seconds", [2.0, *(pytest.param(each / 2 + 0.25, marks=pytest.mark.slow) for each in range(20))]
)
def test_while_kernels_are_compiled(seconds: float, tmp_path: Path) -> None:
    """An interrupt in the middle of numba was lost, or became an error of numba's own."""
    nothing_compiled = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    process = start("prove", "12", env=os.environ | nothing_compiled, bufsize=0)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("compiling kernels")
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    status, output, diagnostics = finish(process)
    assert (status, output) == (130, "")
    assert "Traceback" not in diagnostics
    assert "Error" not in diagnostics


def test_waiting_for_input_is_interrupted_too() -> None:
    process = start("solve", "-", "--score", "--no-cache", stdin=-1)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    status, _, diagnostics = finish(process)
    assert status == 130
    assert "stopped" in diagnostics
    assert "Traceback" not in diagnostics


def test_the_processes_of_a_cluster_say_nothing() -> None:
    """A terminal sends Ctrl-C to all of them, and those of Dask had a traceback each."""
    pytest.importorskip("distributed")
    options = ("--board", "6x4", "--kind", "uniform", "--positions", "50000000", "--cluster", "local:2")
    process = start("audit", "random", *options, start_new_session=True)
    assert process.stderr is not None
    while not process.stderr.readline().startswith("dashboard"):
        assert process.poll() is None
    time.sleep(2)
    os.killpg(process.pid, signal.SIGINT)
    status, _, diagnostics = finish(process)
    assert status == 130
    assert "Traceback" not in diagnostics
