"""The book in the box: the exact scores of the first plies, a byte a position before compression; only ever read.

The positions are not in the file: they are all unfinished ones up to a ply, one a mirror pair, ply after ply and by
ascending key, as `enumerate_plies` gives them. The file is a line, `claimeven book 1 7x6 8`, and then the scores for
the side to move, as signed bytes, compressed by zlib.
"""

from __future__ import annotations

import os
import zlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board, BoardError
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.positions import Keys, count_plies
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch

if TYPE_CHECKING:
    from claimeven.db.store import Store

TITLE = "claimeven book 1"
SHIPPED = "7x6.book"
NO_BOOK = "CLAIMEVEN_NO_BOOK"
"""An environment variable that does without the shipped book, as `--no-book` does."""


class PackedBookError(ValueError):
    """A file that is no packed book, or a store that one cannot be made from."""


class PackedBook:
    """The scores of all unfinished positions of a board up to a ply.

    >>> book = PackedBook(Board(4, 4), 1, np.array([0, 0, 0], np.int8))
    >>> from claimeven.solver.position import Position
    >>> verdicts = book.lookup(Board(4, 4), np.array([Position.start(Board(4, 4)).canonical_key], np.uint64))
    >>> str(verdicts.verdict(0).bounds), str(verdicts.verdict(0).source)
    ('draw', 'book')
    """

    def __init__(self, board: Board, ply: int, scores: NDArray[np.int8]) -> None:
        self.board = board
        self.ply = ply
        self.scores = scores
        self._layers: dict[int, tuple[Keys, NDArray[np.int8]]] = {}

    @classmethod
    def parse(cls, content: bytes, name: str) -> PackedBook:
        """The book in a file's content; raises PackedBookError, naming the file, if there is none."""
        title, _, packed = content.partition(b"\n")
        try:
            start, board, ply = title.decode("ascii").rsplit(" ", 2)
            if start != TITLE:
                raise ValueError
            scores = np.frombuffer(zlib.decompress(packed), np.int8)
            return cls(Board.parse(board), int(ply), scores)
        except (ValueError, BoardError, zlib.error):
            raise PackedBookError(f"{name}: this is no packed book, or a damaged one") from None

    def pack(self) -> bytes:
        """The content of the file."""
        return f"{TITLE} {self.board} {self.ply}\n".encode() + zlib.compress(self.scores.tobytes(), 9)

    def lookup(self, board: Board, keys: Keys) -> VerdictBatch:
        """What the book knows of each canonical key, in the order of the keys: all, or nothing of what it lacks."""
        found = VerdictBatch.unknown(keys)
        if board != self.board:
            return found
        plies = count_plies(board, keys)
        for ply in np.unique(plies[plies <= self.ply]).tolist():
            of_ply, scores = self._layer(ply)
            places = np.flatnonzero(plies == ply)
            at = np.minimum(np.searchsorted(of_ply, keys[places]), len(of_ply) - 1)
            is_there = of_ply[at] == keys[places]
            places, at = places[is_there], at[is_there]
            found.put(places, VerdictBatch.of_scores(board, keys[places], scores[at], Source.BOOK))
        return found

    def read_ply(self, board: Board, ply: int) -> VerdictBatch:
        """All positions of a ply, by ascending key; none of a board or a ply that is not in the book."""
        if board != self.board or ply > self.ply:
            return VerdictBatch.join([])
        keys, scores = self._layer(ply)
        return VerdictBatch.of_scores(board, keys, scores, Source.BOOK)

    def __len__(self) -> int:
        return len(self.scores)

    def _layer(self, wanted: int) -> tuple[Keys, NDArray[np.int8]]:
        """The keys of a ply and their scores."""
        if wanted not in self._layers:
            start = 0
            for ply, keys in enumerate_plies(self.board, wanted):
                self._layers[ply] = keys, self.scores[start : start + len(keys)]
                start += len(keys)
            if start > len(self.scores):
                raise PackedBookError(f"the packed book of {self.board} has too few scores for ply {wanted}")
        return self._layers[wanted]


def pack_store(store: Store, board: Board, ply: int) -> PackedBook:
    """The book of all that a store knows up to a ply; raises PackedBookError if a score is missing there."""
    scores = []
    for each, keys in enumerate_plies(board, ply):
        known = store.lookup(board, keys)
        missing = int(np.count_nonzero(~known.has_score))
        if missing:
            raise PackedBookError(
                f"{missing:,} of {len(keys):,} positions of ply {each} have no score; to find them: "
                f"claimeven book build --ply {ply} --score --board {board} --db {store.location}"
            )
        scores.append(known.scores)
    return PackedBook(board, ply, np.concatenate(scores))


def read_book(path: Path) -> PackedBook:
    """The book in a file; raises PackedBookError or OSError."""
    return PackedBook.parse(path.read_bytes(), str(path))


def shipped_book() -> PackedBook | None:
    """The book that comes with this package; None in a copy made without it, and if CLAIMEVEN_NO_BOOK is set."""
    return None if os.environ.get(NO_BOOK) else read_shipped_book()


@cache
def read_shipped_book() -> PackedBook | None:
    """The book that comes with this package, whatever the environment says."""
    file = resources.files("claimeven.db.books") / SHIPPED
    return PackedBook.parse(file.read_bytes(), SHIPPED) if file.is_file() else None
