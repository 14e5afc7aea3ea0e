"""How kernels are compiled: without the GIL, once, when they are needed, and kept in a cache.

A kernel is Python source that numba compiles. What it made of a kernel is kept as a file of machine code, and loaded
from there without numba, whose import alone takes longer than most commands. Whatever goes wrong with that, numba does
it. `types` are those of arguments and results, `declaration` what a kernel is in Python, `compiler` all that numba
does, `machine_code` and `loading` what does without it, `place` and `seal` the cache.
"""

from claimeven.solver.kernel.bits import lowest_bit, popcount
from claimeven.solver.kernel.declaration import (
    PURE_PYTHON,
    callback,
    instruction,
    kernel,
    numba_function,
    prepare_kernels,
)
from claimeven.solver.kernel.place import cache_directory, kernel_sources

__all__ = [
    "PURE_PYTHON",
    "cache_directory",
    "callback",
    "instruction",
    "kernel",
    "kernel_sources",
    "lowest_bit",
    "numba_function",
    "popcount",
    "prepare_kernels",
]
