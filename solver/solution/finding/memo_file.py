"""The file in which an oracle's memo is kept: which moves keep the result, where that took long to say.

A build that goes on begins with it instead of asking the same questions again, which takes minutes on a large board.
Nothing rests on it: what is not there is searched for again, a damaged file counts as none, and a diagram is a proof by
its own check whatever the oracle said.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.finding.walk_kernel import HALF, MEMO_MIX
from claimeven.solver.whole_file import write_whole

FORMAT = "claimeven memo 1"
WORDS = "<u8"
LEAST_EMPTY = 20
"""Positions with fewer empty squares are left out: there are many, and a search of them takes microseconds."""


def save_memo(oracle: Oracle, path: Path) -> None:
    """Write what an oracle's memo knows of early positions, whole or not at all; nothing if it knows none."""
    entries = oracle.memo.reshape(-1, 2)
    used = np.flatnonzero(entries[:, 1])
    known = entries[used, 1].copy()
    keys = entries[used, 0] ^ known
    # An entry that a thread is writing has a key that belongs elsewhere.
    is_kept = (_places(keys, len(entries)) == used) & (
        count_stones(oracle.board, keys) <= oracle.board.cells - LEAST_EMPTY
    )
    keys, known = keys[is_kept], known[is_kept]
    if not len(keys):
        return
    order = np.argsort(keys)
    body = zlib.compress(np.concatenate([keys[order], known[order]]).astype(WORDS).tobytes(), 1)
    write_whole(path, json.dumps(_head(oracle, body)).encode() + b"\n" + body)


def load_memo(oracle: Oracle, path: Path) -> int:
    """Fill an oracle's memo with what a file knows; gives how many positions it has, 0 if it is of no use."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        if json.loads(head) != _head(oracle, body):
            return 0
    except (OSError, ValueError):
        return 0
    keys, known = np.frombuffer(zlib.decompress(body), WORDS).astype(np.uint64).reshape(2, -1)
    entries = oracle.memo.reshape(-1, 2)
    places = _places(keys, len(entries))
    entries[places, 0] = keys ^ known
    entries[places, 1] = known
    return len(keys)


def count_stones(board: Board, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many stones there are in positions, by their keys: in every column the highest bit lies upon the stones."""
    stones = np.zeros(len(keys), np.int64)
    for column in range(board.columns):
        bits = keys >> np.uint64(column * board.stride) & np.uint64((1 << board.stride) - 1)
        for row in range(1, board.stride):
            stones += bits >> np.uint64(row) != 0
    return stones


def _head(oracle: Oracle, body: bytes) -> dict[str, object]:
    """What a file says of itself before its body."""
    digest = hashlib.sha256(body).hexdigest()
    return {"format": FORMAT, "board": str(oracle.board), "is_win": oracle.is_win, "digest": digest}


def _places(keys: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """Where the kernels look for positions in a memo of so many entries."""
    return (keys * MEMO_MIX >> HALF & np.uint64(size - 1)).astype(np.int64)
