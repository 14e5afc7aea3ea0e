"""Ctrl-C, once or in a burst, ends a command with its line, its status, and no traceback."""

import signal
import time
from pathlib import Path

import pytest

from tests.scripts.processes import finish, start


@pytest.mark.parametrize("times", [1, 4])
def test_solve_says_how_to_go_on(times: int, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    process = start("solve", "", "--score", "--db", str(path), start_new_session=True)
    while not path.exists():
        time.sleep(0.05)
        assert process.poll() is None
    time.sleep(2)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    status, output, diagnostics = finish(process)
    assert (status, output) == (130, "")
    lines = [line for line in diagnostics.splitlines() if line and not line.startswith("compiling")]
    assert lines == [f"stopped; what is done is in {path}, run the same command to go on", "stopped"]


def test_solve_without_a_store_says_that_nothing_is_kept() -> None:
    process = start("solve", "-", "--score", "--no-cache", stdin=-1)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    status, _, diagnostics = finish(process)
    assert status == 130
    assert "nothing is kept" in diagnostics
    assert "Traceback" not in diagnostics
