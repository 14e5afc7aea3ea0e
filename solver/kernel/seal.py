"""The files that compiled kernels are kept in, sealed: what is not as it was written is never loaded.

numba believes its files. One that was cut off ends in an error of the unpickler, one with a changed bit may be run as
machine code. So every kernel has a file beside numba's two kinds and its machine code, with the digest of each of them.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from functools import cache
from glob import escape
from pathlib import Path
from typing import Any

SEAL, CODE = ".seal", ".code"
WAIT_SECONDS = 0.2

on_compile: Callable[[], None] | None = None
"""Called once, just before the first kernel that is not in the cache is compiled."""

on_trouble: Callable[[str], None] | None = None
"""Told once, in a sentence, that the cache was damaged, and once that it cannot be written."""


def is_intact(function: Callable[..., Any], directory: Path, *, has_waited: bool = False) -> bool:
    """Whether a kernel is in the cache as it was written; what is left of one that is not is taken away.

    Raises OSError if the files can neither be read nor taken away.
    """
    files = files_of(function, directory)
    if not files:
        return False
    seals = [file for file in files if file.suffix == SEAL]
    others = [file for file in files if file.suffix != SEAL]
    if len(seals) == 1 and others and _read(seals[0]) == _digests(others):
        return True
    if seals and not has_waited:
        # Another process may have compiled it too, and be about to seal it anew.
        time.sleep(WAIT_SECONDS)
        return is_intact(function, directory, has_waited=True)
    if seals:  # without one, whoever compiled it was stopped before it was sealed
        _tell_damage(directory, files[0].name)
    for file in files:
        file.unlink(missing_ok=True)
    return False


def seal(function: Callable[..., Any], directory: Path) -> None:
    """Note what the files of a kernel that was compiled just now are; raises OSError if that cannot be written."""
    files = [file for file in files_of(function, directory) if file.suffix != SEAL]
    if not files:
        return
    place = code_file(function, directory).with_suffix(SEAL)
    temporary = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        temporary.write_bytes(_digests(files))
        os.replace(temporary, place)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def files_of(function: Callable[..., Any], directory: Path) -> list[Path]:
    """The files of a kernel in the cache, its seal among them."""
    from numba.core.caching import _CacheLocator

    # numba has a folder for every folder of sources: two copies of the program share a cache, but no file in it.
    locator: Any = _CacheLocator  # has no types
    folder = directory / locator.get_suitable_cache_subpath(function.__code__.co_filename)
    # Files that are being written have longer endings.
    found = folder.glob(f"{escape(name_of(function))}.*")
    code = code_file(function, directory)
    own = [file for file in (code, code.with_suffix(SEAL)) if file.exists()]
    return [*sorted(file for file in found if file.suffix in (".nbi", ".nbc")), *own]


def code_file(function: Callable[..., Any], directory: Path) -> Path:
    """The file for the machine code of a kernel; two copies of the program have one each."""
    source = hashlib.sha256(os.path.abspath(function.__code__.co_filename).encode()).hexdigest()[:16]
    return directory / f"{name_of(function)}-{source}{CODE}"


def name_of(function: Callable[..., Any]) -> str:
    """How the names of the files of a kernel begin."""
    code = function.__code__
    return f"{Path(code.co_filename).stem}.{function.__qualname__}-{code.co_firstlineno}"


@cache
def announce() -> None:
    """Say that kernels are compiled now; once."""
    if on_compile is not None:
        on_compile()


@cache
def tell(sentence: str) -> None:
    """Say what is wrong with the cache; the same sentence once."""
    if on_trouble is not None:
        on_trouble(sentence)


_damaged: set[Path] = set()


def _tell_damage(directory: Path, name: str) -> None:
    """Say that a cache is damaged, naming the first file of it that is."""
    if directory not in _damaged:
        _damaged.add(directory)
        tell(f"the kernel cache in {directory} is damaged ({name}); what is wrong in it is compiled again")


def _digests(files: list[Path]) -> bytes:
    return "".join(f"{hashlib.sha256(_read(file)).hexdigest()} {file.name}\n" for file in files).encode()


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it is gone, or the disk does not give it back: in either case not what was written
        return b""
