"""The UCI connect-4 data set: all positions of a ply in which nothing is forced yet, a row each.

One of each mirror pair, nobody has won, the side to move cannot win at once and the opponent threatens no win on a
playable square. The class is `win`, `loss` or `draw` for White, who must be to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

import numpy as np

from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.solver.board import Board, bits
from claimeven.solver.positions import Keys, Mask, split_keys, winning_squares
from claimeven.solver.verdicts import VerdictBatch

PLY = 8

_OUTCOMES = {-1: "loss", 0: "draw", 1: "win"}


def are_quiet(board: Board, keys: Keys) -> Mask:
    """In which unfinished positions neither side could complete a line with the next stone."""
    stones = split_keys(board, keys)
    playable = stones.guards & np.uint64(board.squares)
    wins = winning_squares(board, stones.white, playable) | winning_squares(board, stones.black, playable)
    quiet: Mask = wins == 0
    return quiet


def write_rows(file: TextIO, board: Board, batch: VerdictBatch) -> int:
    """Write the rows of the quiet ones among unfinished positions; gives their number."""
    batch = batch.select(are_quiet(board, batch.keys))
    if not batch.is_exact.all():
        missing = int(np.count_nonzero(~batch.is_exact))
        raise IncompleteBookError(f"{missing:,} of {len(batch):,} positions are not decided")
    for row, rank in zip(_cells(board, batch.keys), batch.least.tolist(), strict=True):
        file.write(f"{row},{_OUTCOMES[rank]}\n")
    return len(batch)


def check_ply(ply: int) -> None:
    """Raise FormatError for a ply with Black to move."""
    if ply % 2:
        raise FormatError(f"the uci format is for positions with White to move, not for ply {ply}")


def _cells(board: Board, keys: Keys) -> Iterator[str]:
    """The squares of each position as `x`, `o` and `b` with commas between them."""
    stones = split_keys(board, keys)
    text = np.full((len(keys), 2 * board.cells - 1), ord(","), dtype=np.uint8)
    for place, square in enumerate(bits(board.squares)):
        bit = np.uint64(1 << square)
        text[:, 2 * place] = np.where(
            stones.white & bit != 0, ord("x"), np.where(stones.black & bit != 0, ord("o"), ord("b"))
        )
    for row in text:
        yield row.tobytes().decode("ascii")
