"""Too little memory is known by its signs, and looked for before a library is loaded."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest

from claimeven.scripts import memory
from claimeven.scripts.memory import RoomForLibraries, is_out_of_memory
from claimeven.solver.spare_memory import check_memory

START_A_THREAD = """
import resource, sys, threading
from claimeven.scripts.memory import ask_for_room_for_threads

ask_for_room_for_threads()
thread = threading.Thread(target=lambda: None)
with open("/proc/self/statm") as sizes:
    pages = int(sizes.read().split()[0])
limit = pages * resource.getpagesize() + resource.getrlimit(resource.RLIMIT_STACK)[0] + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    thread.start()
except (MemoryError, RuntimeError):
    print("refused")
else:
    thread.join()
    print("started")
"""
"""A thread where there is memory for its stack and for so many bytes more."""


def test_memory_that_nobody_has() -> None:
    check_memory(1 << 20)
    with pytest.raises(MemoryError):
        check_memory(1 << 60)


def test_a_library_is_loaded_where_there_is_room_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(memory.LIBRARIES, "wave", 1 << 60)
    monkeypatch.setattr(sys, "meta_path", [RoomForLibraries(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    with pytest.raises(MemoryError):
        __import__("wave")
    monkeypatch.setitem(memory.LIBRARIES, "wave", 1 << 20)
    assert __import__("wave").__name__ == "wave"


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and a limit of memory")
@pytest.mark.parametrize(
    ("more", "expected"), [(-4096, "refused"), (8192, "refused"), (24576, "refused"), (64 << 20, "started")]
)
def test_a_thread_without_memory_for_its_first_steps_is_not_waited_for(more: int, expected: str) -> None:
    import resource

    def limit_stack() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))

    ending = subprocess.run(
        [sys.executable, "-c", START_A_THREAD, str(more)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limit_stack,
    )
    assert ending.stdout.strip() == expected, ending.stderr


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "no"), True),
        (OSError(errno.ENOENT, "no"), False),
        (RuntimeError("can't start new thread"), True),
        (SystemError("error return without exception set"), True),
        (SystemError("bad argument to internal function"), False),
        (ImportError("libx.so: failed to map segment from shared object"), True),
        (ImportError("no such library"), False),
        (None, False),
    ],
)
def test_signs(error: BaseException | None, expected: bool) -> None:
    assert is_out_of_memory(error) is expected


def test_what_led_to_an_error_counts() -> None:
    ending = SystemExit(1)
    ending.__cause__ = MemoryError()
    assert is_out_of_memory(ending)
