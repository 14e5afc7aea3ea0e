"""The moves of a node: where they lead to, and the words that hold them."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.memory import load, store
from claimeven.solver.search.workspace import MOVE_BYTES, MOVE_WORDS
from claimeven.solver.word import WORD_BYTES

# The words of a move: the quiet position that it and the forced replies to it lead to.
MOVE = np.uint64(MOVE_BYTES)
MOVER, OTHER, MOVER_THREATS, OTHER_THREATS, HASH, PROMISE, SIGN, PLY = (
    WORD_BYTES * np.uint64(place) for place in range(MOVE_WORDS)
)
# SIGN is 1 if the side to move is the one that made the move, else -1.


@kernel("void(uint64, uint64)")
def copy_move(source, target):
    """Overwrite a move by another one."""
    for _ in range(MOVE_WORDS):
        store(target, load(source))
        source += WORD_BYTES
        target += WORD_BYTES


@kernel("void(uint64, uint64)")
def bring_best_forward(first, end):
    """Exchange the first of some moves for the most promising one."""
    best = first
    promise = np.int64(load(first + PROMISE))
    move = first + MOVE
    while move < end:
        if np.int64(load(move + PROMISE)) > promise:
            promise = np.int64(load(move + PROMISE))
            best = move
        move += MOVE
    if best != first:
        for _ in range(MOVE_WORDS):
            word = load(first)
            store(first, load(best))
            store(best, word)
            first += WORD_BYTES
            best += WORD_BYTES
