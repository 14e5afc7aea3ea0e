"""Too little memory is known by its signs, and looked for before a library is loaded."""

from __future__ import annotations

import errno
import sys

import pytest

from claimeven.scripts import memory
from claimeven.scripts.memory import RoomForLibraries, is_out_of_memory
from claimeven.solver.spare_memory import check_memory


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
