"""The opening books of BitBully and of Thill's programs: sorted records without a header, for 7x6.

A position is a code of bits: for every column from the left, from the bottom, `10` for a White stone and `11` for a
Black one, then `0`; a `0` fills it up to whole bytes. There are three kinds of file:

- of 8 plies, 3 bytes a record, whose last two bits are the value: 0 a draw, 1 Black wins. White wins all others;
- of 12 plies, 4 bytes a record, the same; the codes are numbers with a sign, and sorted as such;
- of 12 plies with distances, 4 bytes and a byte v = 100 - plies to the end, negative if Black wins, 0 for a draw.

A position stands there itself or as its mirror image, or as both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, are_over, canonical_keys, join_stones, split_keys, winning_squares
from claimeven.solver.score import last_stone, winner_score
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch

BOARD = Board(7, 6)

_VALUE_BITS = np.int64(3)
_RECORD = np.dtype([("code", ">i4"), ("distance", "i1")])


@dataclass(frozen=True, slots=True)
class _Layout:
    ply: int
    record_bytes: int


class BookKind(Enum):
    """The three kinds of file."""

    EIGHT_PLIES = _Layout(8, 3)
    TWELVE_PLIES = _Layout(12, 4)
    TWELVE_PLIES_WITH_DISTANCES = _Layout(12, 5)

    @property
    def ply(self) -> int:
        return self.value.ply

    @property
    def record_bytes(self) -> int:
        return self.value.record_bytes

    @property
    def lists_all(self) -> bool:
        """Whether a position that is not listed is unknown; otherwise White wins it."""
        return self is BookKind.TWELVE_PLIES_WITH_DISTANCES


def encode_keys(keys: Keys) -> NDArray[np.int64]:
    """The codes of positions of one ply, without a sign.

    >>> from claimeven.solver.position import Position
    >>> position = Position.from_moves(BOARD, (0, 1, 2, 3, 4, 5, 6, 0))
    >>> hex(int(encode_keys(np.array([position.key], dtype=np.uint64))[0]))
    '0xb69a68'
    """
    stones = split_keys(BOARD, keys)
    codes = np.zeros(len(keys), dtype=np.int64)
    for column in range(BOARD.columns):
        for row in range(BOARD.rows):
            square = np.uint64(BOARD.square(column, row))
            black = ((stones.black >> square) & np.uint64(1)).astype(np.int64)
            taken = ((stones.occupied >> square) & np.uint64(1)) != 0
            codes = np.where(taken, codes << 2 | 2 | black, codes)
        codes = codes << 1
    return codes << 1


def decode_keys(codes: NDArray[np.int64], ply: int) -> Keys:
    """The canonical keys of positions from their codes without a sign; raises FormatError for a code of nothing."""
    white, black = np.zeros(len(codes), dtype=np.uint64), np.zeros(len(codes), dtype=np.uint64)
    place = np.full(len(codes), 2 * ply + BOARD.columns, dtype=np.int64)  # of the next bit
    column, row = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    valid = (codes >> (2 * ply + BOARD.columns + 1)) == 0
    for _ in range(ply + BOARD.columns):
        stone = (codes >> place & 1) == 1
        valid &= ~stone | ((row < BOARD.rows) & (column < BOARD.columns) & (place > 0))
        place = place - stone
        is_black = (codes >> np.maximum(place, 0) & 1) == 1
        square = (np.minimum(column, BOARD.columns - 1) * BOARD.stride + np.minimum(row, BOARD.rows)).astype(np.uint64)
        bit = np.uint64(1) << square
        white |= np.where(stone & ~is_black, bit, np.uint64(0))
        black |= np.where(stone & is_black, bit, np.uint64(0))
        column, row = column + ~stone, np.where(stone, row + 1, 0)
        place = np.maximum(place - 1, 0)
    valid &= (column == BOARD.columns) & (codes & 1 == 0)
    valid &= np.bitwise_count(white) == (ply + 1) // 2
    valid &= np.bitwise_count(black) == ply // 2
    if not valid.all():
        first = int(np.flatnonzero(~valid)[0])
        raise FormatError(f"record {first + 1:,} is not a position of {ply} plies")
    return canonical_keys(BOARD, join_stones(BOARD, white, black))


def read_book(data: bytes) -> tuple[BookKind, VerdictBatch]:
    """The kind of a file, and the positions that it lists with what it claims of them, each of them once.

    Which kind it is shows in its length and in whether its records are sorted positions. Raises FormatError.
    """
    reasons = []
    for kind in BookKind:
        if not data or len(data) % kind.record_bytes:
            continue
        try:
            return kind, _read_kind(data, kind)
        except FormatError as error:
            reasons.append(f"as one of {kind.record_bytes} bytes a record: {error}")
    raise FormatError(f"not a BitBully book ({'; '.join(reasons) or 'its length fits no kind'})")


def write_book(kind: BookKind, batch: VerdictBatch) -> bytes:
    """The file of all unfinished positions of a ply, given by canonical keys; one of each mirror pair is listed.

    Positions in which White wins are not listed, in a file with distances those in which he wins at once are not.
    Raises IncompleteBookError if a verdict, or a score that is needed, is not known.
    """
    stones = split_keys(BOARD, batch.keys)
    wins_at_once = winning_squares(BOARD, stones.white, stones.guards & np.uint64(BOARD.squares)) != 0
    batch = batch.select(~wins_at_once)
    known = batch.has_score if kind.lists_all else batch.is_exact
    if not known.all():
        missing = int(np.count_nonzero(~known))
        what = "have no score" if kind.lists_all else "are not decided"
        raise IncompleteBookError(f"{missing:,} of {len(batch):,} positions {what}")
    if kind.lists_all:
        plies = np.full(len(batch), kind.ply)
        last = last_stone(BOARD.cells, plies, batch.scores.astype(np.int64))
        distances = np.sign(batch.scores) * (100 - (last - kind.ply))
        records = np.empty(len(batch), dtype=_RECORD)
        records["code"] = encode_keys(batch.keys).astype(np.uint32).view(np.int32)
        records["distance"] = distances
        return np.sort(records, order="code").tobytes()
    batch = batch.select(batch.least < 1)
    codes = encode_keys(batch.keys) | (batch.least == -1)
    if kind is BookKind.EIGHT_PLIES:
        return np.sort(codes).astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()
    return np.sort(codes.astype(np.uint32).view(np.int32)).astype(">i4").tobytes()


def _read_kind(data: bytes, kind: BookKind) -> VerdictBatch:
    if kind is BookKind.TWELVE_PLIES_WITH_DISTANCES:
        records = np.frombuffer(data, dtype=_RECORD)
        signed, distances = records["code"].astype(np.int64), records["distance"].astype(np.int64)
    else:
        padded = np.zeros((len(data) // kind.record_bytes, 4), dtype=np.uint8)
        padded[:, 4 - kind.record_bytes :] = np.frombuffer(data, dtype=np.uint8).reshape(-1, kind.record_bytes)
        signed = padded.view(">i4").ravel().astype(np.int64)
        distances = signed & _VALUE_BITS
    if not (np.diff(signed) > 0).all():
        raise FormatError("the records are not sorted")
    codes = signed & np.int64((1 << 8 * (3 if kind is BookKind.EIGHT_PLIES else 4)) - 1)
    keys = decode_keys(codes if kind.lists_all else codes & ~_VALUE_BITS, kind.ply)
    if are_over(BOARD, keys).any():
        raise FormatError("it lists finished games")
    if kind.lists_all:
        last = kind.ply + 100 - np.abs(distances)
        scores = np.sign(distances) * winner_score(BOARD.cells, last)
        batch = VerdictBatch.of_scores(BOARD, keys, scores, Source.IMPORT)
    else:
        if distances.max() > 1:
            raise FormatError("a value is neither 0 nor 1")
        batch = VerdictBatch.of_values(keys, -distances, Source.IMPORT)
    return _without_mirror_images(batch)


def _without_mirror_images(batch: VerdictBatch) -> VerdictBatch:
    _, first, inverse = np.unique(batch.keys, return_index=True, return_inverse=True)
    once = batch.select(first)
    if (once.least[inverse] != batch.least).any() or (once.scores[inverse] != batch.scores).any():
        raise FormatError("it says different things of a position and its mirror image")
    return once
