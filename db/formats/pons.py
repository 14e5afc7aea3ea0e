"""Pascal Pons' opening book: a hash table of scores, as his solver reads it.

Six bytes (columns, rows, greatest ply, bytes a key, bytes a value, log2 of the size), the low bytes of the keys slot by
slot, then a value a slot: 0 for an empty one, otherwise the score above the least one that is possible, plus 1. The
number of slots is the smallest prime that is at least the size. A position takes the slot `key3` modulo that number and
overwrites what is there, so the hardest positions, those with the fewest stones, are written last.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimeven.db.formats.error import FormatError
from claimeven.db.formats.pons_key import decode_keys, encode_keys, greatest_key
from claimeven.solver.board import Board, BoardError
from claimeven.solver.positions import Keys, count_plies
from claimeven.solver.score import least_score_of_board
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

LOG_SIZES = range(21, 28)
_HEADER = 6
_KEY_BYTES = (1, 2, 4)
_CANDIDATES = 64
"""How many positions the slot and the bytes of a key may stand for before a book is refused; with most it is one."""


@dataclass(frozen=True, slots=True, eq=False)
class PonsBook:
    """The table: of each slot the low bytes of a key and a value, 0 where the slot is empty."""

    board: Board
    depth: int
    log_size: int
    key_bytes: int
    keys: NDArray[np.uint64]
    values: NDArray[np.uint8]

    @classmethod
    def build(cls, board: Board, depth: int, batch: VerdictBatch, log_size: int | None = None) -> PonsBook:
        """The book of all positions of the batch that have a score and at most `depth` stones.

        Without a size it is the smallest one in which at most one slot in eight would be taken.
        """
        _check_board(board, depth)
        plies = count_plies(board, batch.keys).astype(np.int64)
        fitting = batch.has_score & (plies <= depth)
        order = np.flatnonzero(fitting)[np.argsort(-plies[fitting], kind="stable")]
        batch = batch.select(order)
        if log_size is None:
            log_size = next((size for size in LOG_SIZES if 1 << size >= 8 * len(batch)), LOG_SIZES[-1])
        slots = next_prime(1 << log_size)
        # With that many bytes no two positions have the slot and the bytes in common (Chinese remainder theorem).
        reach = greatest_key(board, depth)
        key_bytes = next((number for number in _KEY_BYTES if slots << 8 * number > reach), _KEY_BYTES[-1])
        book = cls(board, depth, log_size, key_bytes, np.zeros(slots, dtype=np.uint64), np.zeros(slots, dtype=np.uint8))
        codes = encode_keys(board, batch.keys)
        # Of several positions of a slot numpy, too, keeps the last.
        places = (codes % np.uint64(slots)).astype(np.int64)
        book.keys[places] = codes & book.key_mask
        book.values[places] = (batch.scores.astype(np.int64) - least_score_of_board(board) + 1).astype(np.uint8)
        return book

    @property
    def slots(self) -> int:
        return len(self.keys)

    @property
    def key_mask(self) -> np.uint64:
        return np.uint64((1 << 8 * self.key_bytes) - 1)

    def __len__(self) -> int:
        """The number of slots that are taken."""
        return int(np.count_nonzero(self.values))

    def look_up(self, keys: Keys) -> NDArray[np.int8]:
        """The scores of positions, NO_SCORE for those that are not in the book."""
        codes = encode_keys(self.board, keys)
        places = (codes % np.uint64(self.slots)).astype(np.int64)
        values = self.values[places]
        found = (values != 0) & (self.keys[places] == codes & self.key_mask)
        found &= count_plies(self.board, keys) <= self.depth
        return np.where(found, values.astype(np.int64) - 1 + least_score_of_board(self.board), NO_SCORE).astype(np.int8)

    def read_positions(self) -> VerdictBatch:
        """The positions of all taken slots, with their scores as claims.

        Slot and bytes give the key back where only one position fits them; where several do, none is read.
        """
        places = np.flatnonzero(self.values)
        modulus = self.slots << 8 * self.key_bytes
        codes = _join_remainders(places.astype(np.uint64), self.slots, self.keys[places], 8 * self.key_bytes)
        found = np.zeros(len(places), dtype=np.int64)
        keys = np.zeros(len(places), dtype=np.uint64)
        for candidate in range(greatest_key(self.board, self.depth) // modulus + 1):
            decoded, valid = decode_keys(self.board, codes + np.uint64(candidate * modulus), self.depth)
            keys = np.where(valid, decoded, keys)
            found += valid
        single = found == 1
        scores = self.values[places].astype(np.int64) - 1 + least_score_of_board(self.board)
        return VerdictBatch.of_scores(self.board, keys[single], scores[single], Source.IMPORT)

    def to_bytes(self) -> bytes:
        """The file."""
        header = bytes((self.board.columns, self.board.rows, self.depth, self.key_bytes, 1, self.log_size))
        return header + self.keys.astype(f"<u{self.key_bytes}").tobytes() + self.values.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> PonsBook:
        """The book in a file; raises FormatError, saying what is wrong with it."""
        if len(data) < _HEADER:
            raise FormatError("the file is too short for the header of a Pons book")
        columns, rows, depth, key_bytes, value_bytes, log_size = data[:_HEADER]
        try:
            board = Board(columns, rows)
        except BoardError as error:
            raise FormatError(f"not a Pons book: {error}") from None
        if key_bytes not in _KEY_BYTES or value_bytes != 1 or log_size not in LOG_SIZES or depth > board.cells:
            raise FormatError(
                f"not a Pons book: its header says depth {depth}, {key_bytes} bytes a key, {value_bytes} bytes a "
                f"value and a size of 2^{log_size}"
            )
        _check_board(board, depth)
        slots = next_prime(1 << log_size)
        if greatest_key(board, depth) // (slots << 8 * key_bytes) >= _CANDIDATES:
            raise FormatError(
                f"not a Pons book: with {key_bytes} bytes a key and a size of 2^{log_size} it cannot tell "
                f"the positions of {board} up to ply {depth} from each other"
            )
        if len(data) != _HEADER + slots * (key_bytes + 1):
            raise FormatError(
                f"the file has {len(data):,} bytes, a Pons book with this header {_HEADER + slots * (key_bytes + 1):,}"
            )
        keys = np.frombuffer(data, dtype=f"<u{key_bytes}", count=slots, offset=_HEADER).astype(np.uint64)
        values = np.frombuffer(data, dtype=np.uint8, offset=_HEADER + slots * key_bytes)
        if values.max(initial=0) > 1 - 2 * least_score_of_board(board):
            raise FormatError("not a Pons book: a score is greater than any can be")
        return cls(board, depth, log_size, key_bytes, keys, values)

    @classmethod
    def read(cls, path: Path) -> PonsBook:
        return cls.from_bytes(path.read_bytes())


def next_prime(number: int) -> int:
    """The smallest prime that is not less than a number greater than 2.

    >>> next_prime(2**21)
    2097169
    """
    while any(number % divisor == 0 for divisor in range(2, int(number**0.5) + 1)):
        number += 1
    return number


def _check_board(board: Board, depth: int) -> None:
    if board.connect != 4:
        raise FormatError("a Pons book is for four in a line")
    if greatest_key(board, depth) >= 1 << 63:
        raise FormatError(f"a Pons book of {board} cannot go to ply {depth}: the keys would not fit")


def _join_remainders(modulo_slots: Keys, slots: int, low: Keys, bits: int) -> Keys:
    """The numbers below slots * 2^bits with these remainders modulo `slots`, which is odd, and these low bits."""
    inverse = pow(slots, -1, 1 << bits)
    mask = np.uint64((1 << bits) - 1)
    # Modulo 2^64 and then modulo 2^bits is modulo 2^bits, so overflow does no harm.
    factor = ((low - modulo_slots) * np.uint64(inverse)) & mask
    return modulo_slots + np.uint64(slots) * factor
