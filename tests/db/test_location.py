"""Where the store is: path, URL, environment, default; and no password in messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimeven.db.errors import StoreError
from claimeven.db.location import VARIABLE, StoreLocation, default_path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("book.db", Path("book.db")),
        ("/data/book.db", Path("/data/book.db")),
        ("~/book.db", Path.home() / "book.db"),
        ("sqlite:///book.db", Path("book.db")),
        ("sqlite:////data/book.db", Path("/data/book.db")),
        ("sqlite+pysqlite:////data/book.db?timeout=3", Path("/data/book.db")),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        (":memory:", None),
        ("postgresql://user:secret@host/db", None),
    ],
)
def test_paths_and_urls(text: str, path: Path | None) -> None:
    location = StoreLocation.parse(text)
    assert location.path == path
    assert location.is_sqlite == (not text.startswith("postgresql"))
    assert location.is_memory == (path is None and location.is_sqlite)


def test_messages_have_no_password() -> None:
    location = StoreLocation.parse("postgresql+psycopg://user:secret@host:5432/db")
    assert str(location) == "postgresql+psycopg://user:***@host:5432/db"
    assert location.url.count("secret") == 1


def test_option_then_environment_then_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "from-environment.db")
    assert StoreLocation.find("from-option.db").path == Path("from-option.db")
    assert StoreLocation.find().path == Path("from-environment.db")
    monkeypatch.delenv(VARIABLE)
    assert StoreLocation.find().path == default_path()
    assert default_path().name == "store.db"


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "neither a path nor"), ("~nobody-here/x", "no user of that name"), ("a\0b", "neither a path nor")],
)
def test_what_can_be_no_location(text: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        StoreLocation.find(text)


def test_an_empty_variable_is_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert StoreLocation.find().path == default_path()


def test_a_name_with_a_line_break_is_told_on_one_line() -> None:
    assert str(StoreLocation.parse("a\nb")) == r"'a\nb'"
    assert str(StoreLocation.parse("Bücher.db")) == "Bücher.db"
