"""Instructions of the processor for the bits of a word, inside kernels only."""

from __future__ import annotations

from typing import Any

import numpy as np

from claimeven.solver.kernel.declaration import instruction


@instruction("uint64(uint64)", plain=lambda value: np.uint64(int(value).bit_count()))
def popcount(ir: Any, builder: Any, arguments: Any) -> Any:
    """The number of bits set."""
    return builder.ctpop(arguments[0])


@instruction(
    "uint64(uint64)", plain=lambda value: np.uint64((int(value) & -int(value)).bit_length() - 1 if value else 64)
)
def lowest_bit(ir: Any, builder: Any, arguments: Any) -> Any:
    """The number of the lowest bit set, 64 if there is none."""
    return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))
