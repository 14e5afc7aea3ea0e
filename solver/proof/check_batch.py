"""Certificates checked on arrays: stones and texts in, what each text proves out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.proof.array_check.kernel import BLACK, NOT_WHITE, WHITE, check_all, make_desk
from claimeven.solver.proof.array_check.situation import Lines, make_lines

Stones: TypeAlias = NDArray[np.uint64]

SLICE = 4096
"""Certificates that one call of the kernel takes: some hundredths of a second, in which nothing can interrupt it."""


@dataclass(frozen=True, slots=True, eq=False)
class CheckBatch:
    """What certificates prove of their positions, one entry a position.

    `least` and `greatest` are ranks, -1 Black, 0 draw, 1 White. What is rejected proves nothing: -1 and 1.
    """

    least: NDArray[np.int8]
    greatest: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.least)

    @property
    def is_accepted(self) -> NDArray[np.bool_]:
        """Where the certificate holds."""
        accepted: NDArray[np.bool_] = (self.least > -1) | (self.greatest < 1)
        return accepted


def check_many(
    board: Board,
    white: Stones,
    black: Stones,
    text: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    *,
    threads: int = 1,
) -> CheckBatch:
    """What the certificates prove, decided from the definitions alone.

    The certificate of position i is `text[offsets[i] : offsets[i + 1]]`, ASCII, as `write_certificate` writes it.
    Accepted is exactly what `read_certificate` reads and `check_certificate` accepts; any bytes may be given.
    An empty text is a certificate too: it holds where White cannot complete any group and Black needs no rule.

    >>> text = np.frombuffer(b"BIa1b1 CLc1c2", np.uint8)
    >>> empty = np.zeros(1, np.uint64)
    >>> bool(check_many(Board(3, 2, 3), empty, empty, text, np.array([0, len(text)])).is_accepted[0])
    True
    """
    white, black = np.ascontiguousarray(white, np.uint64), np.ascontiguousarray(black, np.uint64)
    text, offsets = np.ascontiguousarray(text, np.uint8).reshape(-1), np.ascontiguousarray(offsets, np.int64)
    count = len(white)
    if white.shape != black.shape or white.ndim != 1 or offsets.shape != (count + 1,):
        raise ValueError(
            f"{white.shape} White and {black.shape} Black bitboards and {offsets.shape} offsets are not those of as "
            "many positions and one offset more"
        )
    lengths = np.diff(offsets)
    if offsets[0] < 0 or offsets[-1] > len(text) or (lengths < 0).any():
        raise ValueError(f"the offsets do not go up from 0 to {len(text)}, the length of the text")
    proved = np.zeros(count, np.int8)
    # The rules need an even number of rows, so that nothing holds on another board.
    if board.rows % 2 == 0 and count:
        lines = _lines(board)
        longest = int(lengths.max())

        def check(start: int) -> None:
            part = slice(start, start + SLICE)
            desk = make_desk(len(lines.groups), longest)
            check_all(lines, white[part], black[part], text, offsets[start : start + SLICE + 1], desk, proved[part])

        starts = range(0, count, SLICE)
        if threads == 1 or len(starts) < 2:
            for start in starts:
                check(start)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(check, starts))
    return CheckBatch(_LEAST[proved], _GREATEST[proved])


_LEAST, _GREATEST = np.full(4, -1, np.int8), np.full(4, 1, np.int8)
_GREATEST[[NOT_WHITE, BLACK]] = 0, -1
_LEAST[WHITE] = 1


@lru_cache(maxsize=64)
def _lines(board: Board) -> Lines:
    return make_lines(board.columns, board.rows, board.connect)
