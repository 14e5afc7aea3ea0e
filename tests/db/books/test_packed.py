"""The book in the box: packed from a store, read without one, and right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.books.packed import (
    NO_BOOK,
    PackedBook,
    PackedBookError,
    pack_store,
    read_book,
    read_shipped_book,
    shipped_book,
)
from claimeven.db.checks.packed_check import check_packed
from claimeven.db.store import Store
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position
from claimeven.solver.positions import keys_of
from claimeven.solver.verdict import Source
from tests.positions import at

BOARD, PLY = Board(4, 4), 5
SMALL = 1 << 20
needs_book = pytest.mark.skipif(read_shipped_book() is None, reason="no book comes with this copy")


@pytest.fixture(scope="module")
def book() -> PackedBook:
    with Store.open("sqlite://") as store:
        build_book(store, Decider(BOARD, scores=True, memory_bytes=SMALL), PLY, BuildCounts(), lambda *_: None)
        return pack_store(store, BOARD, PLY)


@pytest.mark.parametrize(("first", "step"), [(4, 30), pytest.param(0, 1, marks=pytest.mark.slow)])
def test_every_position_has_its_score(book: PackedBook, first: int, step: int) -> None:
    """Minimax takes its time: from a ply on, it is asked for one position of so many."""
    number = 0
    for ply, keys in enumerate_plies(BOARD, PLY):
        found = book.lookup(BOARD, keys)
        assert found.has_score.all()
        number += len(keys)
        for place in range(0, len(keys) if ply >= first else 0, step):
            verdict = found.verdict(place)
            assert verdict.score == minimax_score(Position.from_key(BOARD, int(keys[place])))
            assert verdict.source is Source.BOOK
    assert len(book) == number


def test_what_it_lacks_is_unknown(book: PackedBook) -> None:
    later = keys_of(BOARD, [at("112233", "4x4")])
    assert not book.lookup(BOARD, later).is_known.any()
    assert not book.lookup(Board(), keys_of(Board(), [at("1")])).is_known.any()


def test_a_file_is_read_as_it_was_packed(book: PackedBook, tmp_path: Path) -> None:
    file = tmp_path / "4x4.book"
    file.write_bytes(book.pack())
    again = read_book(file)
    assert (again.board, again.ply) == (BOARD, PLY)
    assert (again.scores == book.scores).all()


@pytest.mark.parametrize(
    "damage", [b"", b"claimeven book 1 4x4 5\n", b"something else\nx", b"claimeven book 9 4x4 5\nx"]
)
def test_what_is_no_book_is_named(damage: bytes) -> None:
    with pytest.raises(PackedBookError, match=r"x\.book: this is no packed book"):
        PackedBook.parse(damage, "x.book")


def test_a_cut_or_changed_file_is_refused(book: PackedBook) -> None:
    content = book.pack()
    for broken in (content[:-1], content[:40], content[:-3] + b"???"):
        with pytest.raises(PackedBookError):
            PackedBook.parse(broken, "x.book")


def test_a_store_with_a_gap_is_not_packed() -> None:
    with Store.open("sqlite://") as store:
        build_book(store, Decider(BOARD, scores=True, memory_bytes=SMALL), 2, BuildCounts(), lambda *_: None)
        with pytest.raises(
            PackedBookError, match="positions of ply 3 have no score; to find them: claimeven book build"
        ):
            pack_store(store, BOARD, 3)


def test_a_wrong_score_is_found(book: PackedBook) -> None:
    assert not list(check_packed(book, 10_000, 1, 1, lambda number: None))
    wrong = book.scores.copy()
    wrong[-1] += 1
    found = list(check_packed(PackedBook(BOARD, PLY, wrong), 10_000, 1, 1, lambda number: None))
    assert any("but search finds" in problem for problem in found)
    wrong = book.scores.copy()
    wrong[0] = 1
    assert "by its moves" in next(check_packed(PackedBook(BOARD, PLY, wrong), 0, 1, 1, lambda number: None))
    assert "scores, but there are" in next(
        check_packed(PackedBook(BOARD, PLY, wrong[1:]), 0, 1, 1, lambda number: None)
    )


@needs_book
def test_the_shipped_book_knows_the_first_moves() -> None:
    book = read_shipped_book()
    assert book is not None
    assert (book.board, book.ply) == (Board(), 8)
    scores = [
        -int(book.lookup(Board(), keys_of(Board(), [Position.start().play(column)])).scores[0]) for column in range(7)
    ]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]
    # Ply by ply White's wins, draws and Black's wins, published for both mirror images, follow from these counts.
    layers = dict(enumerate_plies(Board(), 8))
    assert len(book) == sum(map(len, layers.values()))
    assert np.abs(book.scores).max() <= 21


@needs_book
def test_the_shipped_book_agrees_with_itself() -> None:
    book = read_shipped_book()
    assert book is not None
    assert not list(check_packed(book, 0, 1, 1, lambda number: None))


@needs_book
def test_questions_about_the_first_plies_are_answered_without_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shipped_book() is None
    monkeypatch.delenv(NO_BOOK)
    assert shipped_book() is not None
    for arguments, expected in (
        (["solve", "12", "--score"], "12 "),
        (["query", "4444"], "Source   book"),
        (["analyze"], "*  4  d1    White wins             +1  book"),
    ):
        output, loaded = run_and_tell_imports(arguments, tmp_path)
        if arguments == ["analyze"] and "numba" in loaded:
            # The line of best play goes on beyond the book, by kernels that may have been compiled just now.
            output, loaded = run_and_tell_imports(arguments, tmp_path)
        assert expected in output
        assert not loaded & {"numba", "sqlalchemy"}


def run_and_tell_imports(arguments: list[str], directory: Path) -> tuple[str, set[str]]:
    """The output of a command, and the packages that it has imported."""
    command = [sys.executable, "-X", "importtime", "-m", "claimeven", *arguments]
    result = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    return result.stdout, set(re.findall(r"\|\s+(\w+)", result.stderr))
