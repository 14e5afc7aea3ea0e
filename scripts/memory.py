"""Too little memory for a command: known by its signs, and looked for before libraries are loaded and threads started.

Libraries that are loaded with too little of it print what they like, end the process, or leave modules behind in which
names are missing. This imports next to nothing, as it is there before everything else.
"""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING

from claimeven.solver.spare_memory import check_memory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from threading import Thread
    from types import ModuleType

TOO_LITTLE = "there is not enough memory; what was stored before is kept"

LIBRARIES = {"click": 12 << 20, "hashlib": 16 << 20, "sqlalchemy": 48 << 20, "numpy": 96 << 20, "matplotlib": 96 << 20}
"""What must be there before each of these is loaded: what it takes, and all that comes with it and after it."""

STACK = 8 << 20
"""What a thread has as its stack where the system does not say."""

FIRST_STEPS = 4 << 20
"""What a thread takes beside its stack until it is at work."""

_SIGNS = (
    # A thread needs memory for its stack, a library for its code, and Python has no error of its own for that.
    "can't start new thread",
    "failed to map segment",
    "cannot allocate memory",
    # Python itself forgets the error where there is no memory for one.
    "without exception set",
    "without setting an exception",
)


class RoomForLibraries:
    """Finds no module, but raises MemoryError for a library that there is too little memory for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None, for whoever is asked next to find it."""
        if fullname in LIBRARIES:
            check_memory(LIBRARIES[fullname])
        return None


def ask_for_room() -> None:
    """From now on look for memory before one of the libraries is loaded."""
    sys.meta_path.insert(0, RoomForLibraries())


def ask_for_room_for_threads() -> None:
    """From now on look for memory before any thread is started.

    A thread that has its stack and then no memory for its first steps dies in silence, and `Thread.start` waits forever
    for it to say that it is there. A limit of memory that ends in these few pages is rare, and a hang.
    """
    from threading import Thread

    begin, number = Thread.start, _stack_bytes() + FIRST_STEPS

    def start(thread: Thread) -> None:
        check_memory(number)
        begin(thread)

    Thread.start = start  # type: ignore[method-assign,assignment]


def _stack_bytes() -> int:
    """How much address space a new thread has as its stack."""
    if sys.platform == "win32":
        return STACK
    import resource

    limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return STACK if limit == resource.RLIM_INFINITY else limit


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or what led to it, comes from too little memory."""
    while error is not None:
        is_full = isinstance(error, OSError) and error.errno == errno.ENOMEM
        if is_full or isinstance(error, MemoryError) or any(each in str(error).lower() for each in _SIGNS):
            return True
        error = error.__cause__ or error.__context__  # a module or library that cannot be loaded says why there
    return False
