"""Pons' book: the published keys and sizes, and everything read back that was not overwritten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.db.formats.error import FormatError
from claimeven.db.formats.pons import LOG_SIZES, PonsBook, next_prime
from claimeven.db.formats.pons_key import decode_keys, encode_keys
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position
from claimeven.solver.positions import count_plies
from claimeven.solver.score import least_score_of_board
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch
from tests.positions import at
from tests.solver.games import positions

BOARD = Board()


def book_of(board: Board, depth: int) -> tuple[PonsBook, VerdictBatch]:
    """A book of all positions up to a ply, with scores out of thin air."""
    keys = np.concatenate([keys for _, keys in enumerate_plies(board, depth)])
    greatest = -least_score_of_board(board)
    scores = np.random.default_rng(1).integers(-greatest, greatest + 1, len(keys))
    batch = VerdictBatch.of_scores(board, keys, scores, Source.SEARCH)
    return PonsBook.build(board, depth, batch), batch


@pytest.mark.parametrize(
    ("moves", "key"),
    [("", 0), ("1", 2), ("7", 2), ("4", 54), ("44", 135), ("45", 99), ("4455", 1260), ("13712", 118402)],
)
def test_the_published_keys(moves: str, key: int) -> None:
    keys = np.array([at(moves).key], dtype=np.uint64)
    assert encode_keys(BOARD, keys).tolist() == [key]
    decoded, valid = decode_keys(BOARD, np.array([key], dtype=np.uint64), 8)
    assert valid.tolist() == [True]
    assert decoded.tolist() == [at(moves).canonical_key]


@pytest.mark.parametrize(("log_size", "slots"), [(21, 2097169), (22, 4194319), (23, 8388617), (24, 16777259)])
def test_the_published_sizes(log_size: int, slots: int) -> None:
    assert next_prime(1 << log_size) == slots


@given(positions((BOARD, Board(6, 5), Board(8, 4))))
def test_a_key_is_read_back(position: Position) -> None:
    if position.is_over or position.ply > 30:
        return
    keys = np.array([position.key], dtype=np.uint64)
    decoded, valid = decode_keys(position.board, encode_keys(position.board, keys), 30)
    assert valid.tolist() == [True]
    assert decoded.tolist() == [position.canonical_key]


@given(st.lists(st.integers(0, 3**14), min_size=1, max_size=50))
def test_what_is_called_valid_is_the_key_of_that_position(numbers: list[int]) -> None:
    codes = np.array(numbers, dtype=np.uint64)
    decoded, valid = decode_keys(BOARD, codes, 8)
    for code, key, is_valid in zip(numbers, decoded.tolist(), valid.tolist(), strict=True):
        if is_valid:
            position = Position.from_key(BOARD, key)
            assert position.ply <= 8
            assert not position.is_over
            assert encode_keys(BOARD, np.array([position.key], dtype=np.uint64)).tolist() == [code]


@pytest.mark.parametrize(("board", "depth"), [(BOARD, 6), (Board(5, 4), 7)], ids=str)
def test_a_book_reads_back_equal(board: Board, depth: int) -> None:
    book, batch = book_of(board, depth)
    data = book.to_bytes()
    assert data[:6] == bytes((board.columns, board.rows, depth, book.key_bytes, 1, 21))
    assert len(data) == 6 + 2097169 * (book.key_bytes + 1)
    read = PonsBook.from_bytes(data)
    assert read.to_bytes() == data
    scores = read.look_up(batch.keys)
    found = scores != NO_SCORE
    assert (scores[found] == batch.scores[found]).all()
    assert int(np.count_nonzero(found)) == len(book)
    assert len(book) > 0.98 * len(batch)  # the others had to leave their slots
    listed = read.read_positions()
    assert len(listed) == len(book)
    assert sorted(listed.keys.tolist()) == sorted(batch.keys[found].tolist())
    assert (read.look_up(listed.keys) == listed.scores).all()


def test_of_two_positions_of_a_slot_the_one_with_fewer_stones_stays() -> None:
    book, batch = book_of(BOARD, 8)
    slots = (encode_keys(BOARD, batch.keys) % np.uint64(book.slots)).astype(np.int64)
    plies = count_plies(BOARD, batch.keys).astype(np.int64)
    fewest = np.full(book.slots, 99)
    np.minimum.at(fewest, slots, plies)
    present = book.look_up(batch.keys) != NO_SCORE
    assert (plies[present] == fewest[slots[present]]).all()
    assert (plies[~present] > fewest[slots[~present]]).any()


def test_values_are_scores_from_1_on() -> None:
    keys = np.array([at("").key, at("4").key], dtype=np.uint64)
    book = PonsBook.build(BOARD, 1, VerdictBatch.of_scores(BOARD, keys, np.array([1, -1]), Source.SEARCH))
    assert book.values[0] == 20
    assert book.values[54] == 18
    assert len(book) == 2


def test_positions_without_scores_and_deeper_ones_are_left_out() -> None:
    keys = np.array([at("").key, at("4").key, at("44").canonical_key], dtype=np.uint64)
    batch = VerdictBatch.join(
        [
            VerdictBatch.of_values(keys[:1], np.ones(1, dtype=int), Source.SEARCH),
            VerdictBatch.of_scores(BOARD, keys[1:], np.array([-1, 1]), Source.SEARCH),
        ]
    )
    assert PonsBook.build(BOARD, 1, batch).read_positions().keys.tolist() == [at("4").key]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "too short"),
        (bytes((7, 6, 8, 3, 1, 21)), "3 bytes a key"),
        (bytes((7, 6, 8, 1, 2, 21)), "2 bytes a value"),
        (bytes((7, 6, 8, 1, 1, 40)), "2\\^40"),
        (bytes((7, 6, 43, 1, 1, 21)), "depth 43"),
        (bytes((0, 6, 8, 1, 1, 21)), "not a Pons book"),
        (bytes((99, 6, 8, 1, 1, 21)), "not a Pons book"),
        (bytes((7, 6, 8, 1, 1, 21)), "6 bytes, a Pons book with this header 4,194,344"),
    ],
)
def test_a_file_that_is_none(header: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        PonsBook.from_bytes(header)


def test_boards_and_plies_that_do_not_fit() -> None:
    with pytest.raises(FormatError, match="four in a line"):
        PonsBook.build(Board(7, 6, 5), 3, VerdictBatch.join([]))
    with pytest.raises(FormatError, match="ply 40"):
        PonsBook.build(BOARD, 40, VerdictBatch.join([]))
    assert LOG_SIZES[0] == 21


def test_a_header_that_leaves_every_position_open_is_refused_at_once() -> None:
    slots = next_prime(1 << 21)
    header = bytes((6, 6, 33, 1, 1, 21))
    with pytest.raises(FormatError, match="cannot tell the positions of 6x6 up to ply 33"):
        PonsBook.from_bytes(header + b"\x01" * slots + b"\x01" * slots)
