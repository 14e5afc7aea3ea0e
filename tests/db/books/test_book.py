"""A book as an object: asked, gone through, exported."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import pytest

from claimeven import Position, Store
from claimeven.db.books.book import Book
from claimeven.db.errors import StoreError
from claimeven.solver.board import Board
from claimeven.solver.search.searcher import Searcher
from tests.positions import at

SMALL = Board(4, 4)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a book of three plies of 4x4."""
    path = tmp_path_factory.mktemp("book") / "book.db"
    with Book.build(Store.open(path), ply=3, board=SMALL, scores=True) as book:
        assert len(book) > 0
    return path


def test_every_position_has_its_verdict(path: Path) -> None:
    searcher = Searcher(SMALL, memory_bytes=1 << 20, threads=1)
    with Book.open(path, SMALL) as book:
        entries = dict(book.items())
        assert list(book) == list(entries)
        games = (game for ply in range(4) for game in product(range(4), repeat=ply))
        keys = {Position.from_moves(SMALL, game).canonical_key for game in games}
        assert sorted(position.key for position in entries) == sorted(keys)
        assert len(book) == len(keys)
        assert book.plies == (0, 1, 2, 3)
        for position, verdict in entries.items():
            assert verdict.value == searcher.value(position)
            assert book[position] == book[position.mirror()] == verdict


def test_a_book_ends_at_its_ply(path: Path) -> None:
    with Store.open(path, writable=False) as store:
        book = store.book(SMALL, ply=1)
        assert (book.plies, len(book), repr(book)) == ((0, 1), 3, f"<Book of 4x4, up to ply 1 in {path}>")
        assert "1" in book
        assert "12" not in book
        assert 12 not in book
        assert Position("1") not in book  # 7x6
        with pytest.raises(KeyError):
            book["12"]


def test_a_book_is_queried_as_its_store_is(path: Path) -> None:
    with Store.open(path, writable=False) as store:
        found = store.book(SMALL).query("1")
        assert found == store.query(at("1", "4x4"))
        assert (found.value, found.source) == (found.verdict.value, found.verdict.source)


def test_export_by_the_name_of_the_file(path: Path, tmp_path: Path) -> None:
    with Book.open(path, SMALL, ply=2) as book:
        assert book.export(tmp_path / "book.csv") == len(book)
        with (tmp_path / "book.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == len(book)
        assert book.export(str(tmp_path / "copy"), format="sqlite") == len(book)
        with pytest.raises(ValueError, match=r"'book\.pdf' is not a format of books"):
            book.export(tmp_path / "book.pdf")


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        Book.open(tmp_path / "none.db")
    assert isinstance(raised.value, StoreError)
