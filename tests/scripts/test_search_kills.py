"""A search that is killed leaves nothing behind: no files, no processes, no shared memory."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.scripts.processes import start

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")

SHARED_MEMORY = Path("/dev/shm")
OF_OTHERS = (".org.chromium", "PostgreSQL")
"""What programs that other tests start meanwhile keep there."""


def members(group: int) -> list[int]:
    """The processes of a process group that have not ended."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = status.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(number) == group and state != "Z":
            found.append(int(status.parent.name))
    return found


def shared_memory() -> set[str]:
    """What this user has in shared memory."""
    if not SHARED_MEMORY.exists():
        return set()
    user = os.geteuid()
    names = [path.name for path in SHARED_MEMORY.iterdir() if path.exists() and path.stat().st_uid == user]
    return {name for name in names if not name.startswith(OF_OTHERS)}


@pytest.mark.parametrize(
    ("arguments", "sign"),
    [
        (["solve", "", "--score", "--no-cache"], "SIGKILL"),
        (["solve", "", "--score", "--no-cache"], "SIGINT"),
        (["bench", "boards", "--cells", "42", "--score"], "SIGKILL"),
    ],
)
def test_nothing_is_left_behind(arguments: list[str], sign: str, tmp_path: Path) -> None:
    shared = shared_memory()
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with start(*arguments, env=environment, start_new_session=True) as process:
        threads = Path(f"/proc/{process.pid}/task")
        for _ in range(600):  # until the search is at work on its threads
            time.sleep(0.05)
            if process.poll() is not None or len(list(threads.iterdir())) > 2:
                break
        time.sleep(0.5)
        assert process.poll() is None
        assert members(process.pid) == [process.pid]
        process.send_signal(signal.Signals[sign])
        _, diagnostics = process.communicate(timeout=30)
    assert "Traceback" not in diagnostics
    assert process.returncode in (-signal.SIGKILL, 130)
    assert members(process.pid) == []
    assert list(tmp_path.iterdir()) == []
    assert shared_memory() <= shared
