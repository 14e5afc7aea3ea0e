"""How kernels are compiled: without the GIL, once, when they are needed, and cached under a hash of the sources.

numba's own cache notices a change of the file a kernel is in, but not of the files it takes other kernels
and constants from. Keying the cache by all of those makes a stale kernel impossible, so kernels may be spread
over readable modules. A module with kernels in it imports as little else as it can, because whatever it
imports counts as part of the kernels.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba.core import config as _config
from numba.core import types
from numba.core.caching import NullCache
from numba.extending import intrinsic

from claimeven.solver import kernel_cache

numba_config: Any = _config  # its settings are made at run time, unknown to type checkers

on_compile: Callable[[], None] | None = None
"""Called once, just before the first kernel that is not in the cache is compiled."""


PURE_PYTHON = bool(os.environ.get("CLAIMEVEN_PURE_PYTHON"))
"""Whether kernels stay plain Python: a hundred times slower, but there at once after a change of their source."""

if PURE_PYTHON:
    np.seterr(over="ignore")  # kernels count on uint64 wrapping around


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make the decorated function a kernel for `signature`, a numba signature or its text, and for no other.

    It is loaded from the cache, or compiled, when it is first called, or when a kernel that calls it is compiled: what
    the cache holds of a kernel has all that it calls in it, so most kernels are never loaded by themselves.
    """
    return lambda function: function if PURE_PYTHON else _declare(function, signature)


def _declare(function: Callable[..., Any], signature: Any) -> Any:
    dispatcher: Any = numba.njit(nogil=True)(function)
    is_prepared = False

    def compile_(function: Callable[..., Any], caches: bool) -> Any:
        if caches:
            dispatcher.enable_caching()
        else:
            dispatcher._cache = NullCache()
        dispatcher.compile(signature)
        return dispatcher

    def prepare() -> None:
        nonlocal is_prepared
        with _preparing:
            if is_prepared:
                return
            is_prepared = True  # a kernel that calls itself asks again while it is compiled
            try:
                _compile(function, compile_)
            except BaseException:
                is_prepared = False
                raise
            dispatcher.disable_compile()
            del dispatcher.get_call_template, dispatcher._compile_for_args

    # How numba asks for a function of these types, from a kernel and from Python.
    def get_call_template(arguments: Any, keywords: Any) -> Any:
        prepare()
        return type(dispatcher).get_call_template(dispatcher, arguments, keywords)

    def compile_for_args(*arguments: Any, **keywords: Any) -> Any:
        prepare()
        return dispatcher

    dispatcher.get_call_template, dispatcher._compile_for_args = get_call_template, compile_for_args
    _declared.append(prepare)
    return dispatcher


_preparing = threading.RLock()
_declared: list[Callable[[], None]] = []


def prepare_kernels() -> None:
    """Load or compile all kernels of the modules that are imported, so that nothing has to be compiled later."""
    for prepare in _declared:
        prepare()


def callback(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Compile the decorated function as a C function, whose `address` kernels can be given; cached like a kernel."""

    def compile_(function: Callable[..., Any], caches: bool) -> Any:
        with _preparing:  # before numba's own lock, as everywhere
            return numba.cfunc(signature, cache=caches)(function)

    return lambda function: _compile(function, compile_)


SPARE_MEMORY = 64 << 20
"""What must be there before a kernel is loaded or compiled: LLVM has no error for too little, it ends the process."""


def _compile(function: Callable[..., Any], compile_: Callable[[Callable[..., Any], bool], Any]) -> Any:
    """What the cache holds of a function, or what `compile_` makes of it; a cache that fails is done without.

    Raises MemoryError if there is too little memory to go on.
    """
    try:
        mmap.mmap(-1, SPARE_MEMORY).close()
    except OSError:
        raise MemoryError from None
    directory = cache_directory()
    if directory is None:
        _announce()
        return compile_(function, False)
    # numba reads the setting while it decorates; other users of numba in this process keep theirs.
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(directory)
    try:
        if kernel_cache.is_intact(function, directory):
            return compile_(function, True)
        _announce()
        if _cannot_write:
            return compile_(function, False)
        compiled = compile_(function, True)
        kernel_cache.seal(function, directory)
        return compiled
    except OSError as error:
        reason = error.strerror or str(error)
        kernel_cache.tell(f"the kernel cache in {directory} cannot be used ({reason}); kernels are compiled every time")
        _cannot_write.append(directory)
        return compile_(function, False)
    finally:
        numba_config.CACHE_DIR = before


_cannot_write: list[Path] = []
"""The cache directory, once writing into it has failed; what is in it can still be read."""


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels are kept; None where nothing can be written, then they are compiled every time."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("claimeven", appauthor=False)
    directory = Path(base) / f"kernels-{_hash_of_sources()}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError:
        return None


def _hash_of_sources() -> str:
    # Of each copy of the sources its own: numba keeps the kernels of each apart, and the seals have to do so too.
    digest = hashlib.sha256(str(Path(__file__).parent).encode())
    for path in kernel_sources():
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_IMPORTED = re.compile(r"^\s*(?:from|import) claimeven\.solver\.([\w.]+)", re.MULTILINE)


def kernel_sources() -> list[Path]:
    """The modules that hold kernels, and every module of this package that those import."""
    root = Path(__file__).parent
    sources = {path: path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    found = {path for path, text in sources.items() if "from claimeven.solver.kernel import" in text}
    waiting = list(found)
    while waiting:
        for name in _IMPORTED.findall(sources[waiting.pop()]):
            module = root.joinpath(*name.split("."))
            for path in (module.with_suffix(".py"), module / "__init__.py"):
                if path in sources and path not in found:
                    found.add(path)
                    waiting.append(path)
    return sorted(found)


@cache
def _announce() -> None:
    if on_compile is not None:
        on_compile()


def instruction(plain: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Any]:
    """An intrinsic, or the plain function that does the same where kernels are plain Python."""
    return lambda generator: plain if PURE_PYTHON else intrinsic(generator)


@instruction(plain=lambda value: np.uint64(int(value).bit_count()))
def popcount(typing_context: Any, value: Any) -> Any:
    """The number of bits set; inside kernels only."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@instruction(plain=lambda value: np.uint64((int(value) & -int(value)).bit_length() - 1 if value else 64))
def lowest_bit(typing_context: Any, value: Any) -> Any:
    """The number of the lowest bit set, 64 if there is none; inside kernels only."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate
