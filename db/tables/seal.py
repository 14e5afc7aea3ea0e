"""A number for every row that follows from all the rest of it: what was changed behind our back is noticed when read.

The same functions take Python's numbers, for a query that must not import numpy, and arrays of unsigned 64-bit numbers.
They are no secret: they find damage, not forgery.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from claimeven.solver.board import Board

MASK = (1 << 64) - 1
SCORE_OFFSET = 128
SEAL_SHIFT = 49
"""What is left is 15 bits, which the smallest type of a column holds, sign or none."""

_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def digest_of(board: Board, key: Any, least: Any, greatest: Any, score: Any, source: Any) -> Any:
    """64 bits of a verdict or of arrays of them, all unsigned but the bounds, which are ranks.

    A score that is not known is -128. Bounds, score and source are small numbers, or arrays of type uint64 that hold
    what is to be added to them already (`shifted`).
    """
    return mix(
        key, shifted(least, 1) | shifted(greatest, 1) << 2 | shifted(score, SCORE_OFFSET) << 4 | source << 12, board
    )


def shifted(number: Any, offset: int) -> Any:
    """A small number made positive; arrays are cast, as they are shorter than what is made of them."""
    return number + offset if isinstance(number, int) else (number.astype("i8") + offset).astype("u8")


def mix(key: Any, packed: Any, board: Board) -> Any:
    """All bits of two numbers and a board stirred into 64."""
    packed = packed | (board.columns | board.rows << 6 | board.connect << 12) << 20
    stirred = key ^ ((packed * _FACTORS[0]) & MASK)
    stirred = ((stirred ^ (stirred >> 32)) * _FACTORS[1]) & MASK
    stirred = ((stirred ^ (stirred >> 29)) * _FACTORS[2]) & MASK
    return stirred ^ (stirred >> 32)


def of_run(digest: Any, run: Any) -> Any:
    """A digest, or an array of them, that tells by which run the row came."""
    stirred = digest ^ ((run * _FACTORS[0]) & MASK)
    return ((stirred ^ (stirred >> 31)) * _FACTORS[1]) & MASK


def seal_of(digest: Any) -> Any:
    """The part of a digest that is kept in the row."""
    return digest >> SEAL_SHIFT


def digest_of_text(*parts: object) -> int:
    """64 bits of a row that holds text.

    >>> digest_of_text(7, "CLa1a2") == digest_of_text(7, "CLa1a2") != digest_of_text(7, "CLa1a3")
    True
    """
    data = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
