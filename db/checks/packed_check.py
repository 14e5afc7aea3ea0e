"""A packed book against itself and against fresh searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from claimeven.db.books.packed import PackedBook
from claimeven.db.retrograde import verdicts_from_children
from claimeven.solver.deciding.decided import Engine
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.verdicts import describe_position


def check_packed(
    book: PackedBook, sample: int, seed: int, threads: int | None, progress: Callable[[int], object]
) -> Iterator[str]:
    """What is wrong with a packed book, a sentence each; nothing if all is right.

    Every position before the last ply has the score that follows from its moves, and of the last ply so many positions
    are searched, which together leaves no room for a wrong score that the sample does not meet.
    """
    board = book.board
    layers = dict(enumerate_plies(board, book.ply))
    if len(book) != sum(map(len, layers.values())):
        yield f"it holds {len(book):,} scores, but there are {sum(map(len, layers.values())):,} positions"
        return
    for ply, keys in layers.items():
        if ply == book.ply:
            break
        kept = book.lookup(board, keys).scores
        follows = verdicts_from_children(board, keys, lambda wanted: book.lookup(board, wanted)).scores
        for place in np.flatnonzero(kept != follows).tolist():
            name = describe_position(board, int(keys[place]))
            yield f"{name}: the score is {kept[place]}, but {follows[place]} by its moves"
        progress(len(keys))
    last = layers[book.ply]
    drawn = np.sort(np.random.default_rng(seed).choice(last, min(sample, len(last)), replace=False))
    kept = book.lookup(board, drawn).scores
    for decided in Decider(board, Engine.SEARCH, scores=True, threads=threads).decide_keys(drawn):
        for number in np.flatnonzero(decided.verdicts.scores != kept[decided.places]).tolist():
            name = describe_position(board, int(decided.verdicts.keys[number]))
            found, was = decided.verdicts.scores[number], kept[decided.places[number]]
            yield f"{name}: the score is {was}, but search finds {found}"
        progress(len(decided))
