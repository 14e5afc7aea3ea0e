"""Ctrl-C, once or in a burst, ends a command with its line, its status, and no traceback."""

import signal
import time
from pathlib import Path

import pytest

from tests.scripts.processes import finish, start


@pytest.mark.parametrize(("times", "how"), [(1, ["--score"]), (4, ["--score"]), (1, ["--engine", "dfpn"])])
def test_solve_says_how_to_go_on(times: int, how: list[str], tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    process = start("solve", "", *how, "--db", str(path), start_new_session=True)
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


def test_waiting_for_input_is_interrupted_too() -> None:
    process = start("solve", "-", "--score", "--no-cache", stdin=-1)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    status, _, diagnostics = finish(process)
    assert status == 130
    assert "stopped" in diagnostics
    assert "Traceback" not in diagnostics
