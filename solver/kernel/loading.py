"""Machine code in the cache: a kernel is loaded from there, and kept there once it is compiled."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from claimeven.solver.kernel import seal
from claimeven.solver.kernel.machine_code import MachineCode, UnusableCodeError
from claimeven.solver.kernel.place import cache_directory
from claimeven.solver.kernel.types import Signature
from claimeven.solver.spare_memory import check_memory

SPARE_MEMORY = 64 << 20
"""What must be there before a kernel is loaded or compiled: LLVM has no error for too little, it ends the process."""

preparing = threading.RLock()
"""Held while a kernel is made ready, and always taken before numba's own lock."""


def load_code(function: Callable[..., Any], signature: Signature) -> int | None:
    """The address of a kernel that is loaded without numba; None if it is not in the cache or cannot be used so.

    Raises MemoryError if there is too little memory to go on.
    """
    check_memory(SPARE_MEMORY)
    directory = cache_directory()
    if directory is None:
        return None
    try:
        packed = seal.code_file(function, directory).read_bytes()
        code = MachineCode.unpack(packed, str(signature))
        return None if code is None else code.load()
    except (OSError, ValueError, TypeError, UnusableCodeError, RuntimeError, ImportError):
        return None  # numba does it, and says what is wrong


def keep_code(function: Callable[..., Any], directory: Path, code: MachineCode) -> None:
    """Keep a kernel for `load_code`; raises OSError if it cannot be written."""
    place = seal.code_file(function, directory)
    temporary = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        temporary.write_bytes(code.pack())
        os.replace(temporary, place)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
