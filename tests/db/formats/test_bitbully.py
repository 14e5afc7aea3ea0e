"""BitBully's books: the published codes, everything read back equal, and the files of bitbully-databases."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.db.counts.published import OUTCOMES
from claimeven.db.formats.bitbully import BOARD, BookKind, decode_keys, encode_keys, read_book, write_book
from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.db.formats.uci import are_quiet
from claimeven.db.retrograde import verdicts_from_children
from claimeven.solver.enumeration import enumerate_plies, enumerate_ply, successors
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, are_over, mirror_keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at


def database(name: str) -> bytes:
    spec = find_spec("bitbully_databases")
    if spec is None or spec.origin is None:
        pytest.skip("bitbully-databases is not installed")
    return (Path(spec.origin).parent / "assets" / name).read_bytes()


def all_of_ply(ply: int, *, finished: bool = False) -> Keys:
    return np.concatenate(list(enumerate_ply(BOARD, ply, finished=finished)))


@pytest.mark.parametrize(("moves", "code"), [("12345671", 0xB69A68), ("123456712345", 0xB72DCB68)])
def test_the_published_codes(moves: str, code: int) -> None:
    assert encode_keys(np.array([at(moves).key], dtype=np.uint64)).tolist() == [code]
    assert decode_keys(np.array([code]), len(moves)).tolist() == [at(moves).canonical_key]


@pytest.mark.parametrize("ply", [8, 12])
def test_codes_of_both_mirror_images_are_read_back(ply: int) -> None:
    keys = all_of_ply(8)[::20] if ply == 8 else some_of_ply_12()
    for images in (keys, mirror_keys(BOARD, keys)):
        assert decode_keys(encode_keys(images), ply).tolist() == keys.tolist()


@given(st.integers(0, 2**24 - 1))
def test_a_code_is_a_position_or_refused(code: int) -> None:
    try:
        (key,) = decode_keys(np.array([code]), 8)
    except FormatError:
        return
    images = np.array([key, mirror_keys(BOARD, np.array([key]))[0]], dtype=np.uint64)
    assert code in encode_keys(images).tolist()


@pytest.mark.parametrize("kind", [BookKind.EIGHT_PLIES, BookKind.TWELVE_PLIES])
def test_a_book_of_values_reads_back_equal(kind: BookKind) -> None:
    keys = all_of_ply(8) if kind is BookKind.EIGHT_PLIES else some_of_ply_12()
    ranks = np.random.default_rng(2).integers(-1, 2, len(keys))
    ranks[~are_quiet(BOARD, keys)] = 1  # some of them are wins at once, which are not listed
    batch = VerdictBatch.of_values(keys, ranks, Source.SEARCH)
    data = write_book(kind, batch)
    read_kind, listed = read_book(data)
    assert read_kind is kind
    expected = batch.select(batch.least < 1)
    assert len(data) == kind.record_bytes * len(expected)
    assert listed.keys.tolist() == expected.keys.tolist()
    assert listed.least.tolist() == expected.least.tolist()


def test_a_book_of_distances_reads_back_equal() -> None:
    keys = some_of_ply_12()
    keys = keys[are_quiet(BOARD, keys)]
    scores = np.random.default_rng(3).integers(-15, 15, len(keys))
    batch = VerdictBatch.of_scores(BOARD, keys, scores, Source.SEARCH)
    kind, listed = read_book(write_book(BookKind.TWELVE_PLIES_WITH_DISTANCES, batch))
    assert kind is BookKind.TWELVE_PLIES_WITH_DISTANCES
    assert listed.keys.tolist() == keys.tolist()
    assert listed.scores.tolist() == scores.tolist()


def some_of_ply_12() -> Keys:
    keys = all_of_ply(8)[::900]
    for _ in range(4):
        keys = successors(BOARD, keys)[::3]
    assert len(keys) > 1000
    return keys


def test_the_examples_of_the_database_package() -> None:
    # 71 for a win in 29 plies, -88 for a loss in 12.
    kind = BookKind.TWELVE_PLIES_WITH_DISTANCES
    keys = np.array([at("222444442664").canonical_key], dtype=np.uint64)
    for score, distance in ((1, 71), (-10, -88), (0, 0)):
        data = write_book(kind, VerdictBatch.of_scores(BOARD, keys, np.array([score]), Source.SEARCH))
        assert np.frombuffer(data[-1:], dtype=np.int8)[0] == distance
        assert read_book(data)[1].scores.tolist() == [score]


def test_a_book_with_gaps_is_not_written() -> None:
    keys = all_of_ply(8)
    nothing = VerdictBatch.unknown(keys)
    with pytest.raises(IncompleteBookError, match=r"positions are not decided"):
        write_book(BookKind.EIGHT_PLIES, nothing)
    with pytest.raises(IncompleteBookError, match=r"positions have no score"):
        write_book(BookKind.TWELVE_PLIES_WITH_DISTANCES, nothing)


@pytest.mark.parametrize("data", [b"", b"ab", b"abc" * 7, b"\x00" * 60, b"\xff" * 120])
def test_a_file_that_is_none(data: bytes) -> None:
    with pytest.raises(FormatError, match="not a BitBully book"):
        read_book(data)


def test_the_eight_ply_file() -> None:
    data = database("book_8ply.dat")
    assert len(data) == 3 * 34_515
    kind, listed = read_book(data)
    assert kind is BookKind.EIGHT_PLIES
    # With both mirror images of some positions; of all unfinished ones, every quiet one has the class that UCI has.
    keys = all_of_ply(8)
    assert not are_over(BOARD, listed.keys).any()
    ranks = np.ones(len(keys), dtype=np.int64)
    ranks[np.searchsorted(keys, listed.keys)] = listed.least
    quiet = are_quiet(BOARD, keys)
    assert [int(np.count_nonzero(ranks[quiet] == rank)) for rank in (1, -1, 0)] == [44_473, 16_635, 6_449]
    written = write_book(kind, VerdictBatch.of_values(keys, ranks, Source.SEARCH))
    again = read_book(written)[1]
    assert again.keys.tolist() == listed.keys.tolist()
    assert again.least.tolist() == listed.least.tolist()


def test_the_eight_ply_file_decides_the_first_plies_as_published() -> None:
    _, listed = read_book(database("book_8ply.dat"))
    layers = dict(enumerate_plies(BOARD, 8))
    ranks = np.ones(len(layers[8]), dtype=np.int64)
    ranks[np.searchsorted(layers[8], listed.keys)] = listed.least
    book = {8: VerdictBatch.of_values(layers[8], ranks, Source.IMPORT)}
    assert_counts_as_published(layers, book)


@pytest.mark.slow
def test_the_twelve_ply_file_gives_the_score_of_every_first_move() -> None:
    kind, listed = read_book(database("book_12ply_distances.dat"))
    assert kind is BookKind.TWELVE_PLIES_WITH_DISTANCES
    layers = dict(enumerate_plies(BOARD, 12))
    at_place = np.searchsorted(layers[12], listed.keys)
    assert (layers[12][at_place] == listed.keys).all()
    scores = np.full(len(layers[12]), (BOARD.cells + 1 - 12) // 2)  # what is not listed is a win at once
    scores[at_place] = listed.scores
    book = {12: VerdictBatch.of_scores(BOARD, layers[12], scores, Source.IMPORT)}
    assert_counts_as_published(layers, book)
    assert book[0].scores.tolist() == [1]
    by_move = dict(zip(book[1].keys.tolist(), book[1].scores.tolist(), strict=True))
    assert [-by_move[Position.start().play(column).canonical_key] for column in range(7)] == [-2, -1, 0, 1, 0, -1, -2]
    _, values = read_book(database("book_12ply.dat"))
    assert (listed.select(np.searchsorted(listed.keys, values.keys)).least == values.least).all()


def look_up(batch: VerdictBatch, keys: Keys) -> VerdictBatch:
    return batch.select(np.searchsorted(batch.keys, keys))


def assert_counts_as_published(layers: dict[int, Keys], book: dict[int, VerdictBatch]) -> None:
    """Decide all shallower plies of a book and count."""
    finished = dict(enumerate_plies(BOARD, 8, finished=True))
    for ply in range(max(book) - 1, -1, -1):
        book[ply] = verdicts_from_children(BOARD, layers[ply], partial(look_up, book[ply + 1]))
    for ply, counts in enumerate(OUTCOMES[BOARD]):
        keys, ranks = layers[ply], book[ply].least
        over = finished[ply][are_over(BOARD, finished[ply])]
        winners = np.full(len(over), 1 if ply % 2 else -1)
        keys, ranks = np.concatenate([keys, over]), np.concatenate([ranks, winners])
        images = np.where(mirror_keys(BOARD, keys) == keys, 1, 2)
        assert tuple(int(images[ranks == rank].sum()) for rank in (1, 0, -1)) == counts
