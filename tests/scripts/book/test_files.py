"""`claimeven book`: files out of a store and into it, and what is said when that cannot be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import claimeven.db.books.files
from claimeven.db.formats.pons import PonsBook
from claimeven.db.store import Store
from claimeven.scripts.book.files import EXPORT_FORMATS, IMPORT_FORMATS
from tests.positions import at
from tests.scripts.stores import make_store, run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store.db")


def test_the_formats_are_those_of_the_library() -> None:
    assert EXPORT_FORMATS == claimeven.db.books.files.EXPORT_FORMATS
    assert IMPORT_FORMATS == claimeven.db.books.files.IMPORT_FORMATS


@pytest.mark.parametrize("format_", ["csv", "json", "jsonl", "sqlite", "pons"])
def test_export(path: Path, tmp_path: Path, format_: str) -> None:
    out = tmp_path / "book"
    result = run("book", "export", "--format", format_, "--out", str(out), "--ply", "1", "--db", str(path))
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr == f"4 positions written to {out}\n"
    if format_ == "pons":
        assert sorted(PonsBook.read(out).read_positions().scores.tolist()) == [-1, 0, 1, 2]
    elif format_ == "sqlite":
        with Store.open(out, writable=False) as copy:
            assert copy.get(at("7")).score == 2
    else:
        assert out.read_text().count("7x6") == 4


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--format", "uci"], 1, "build them with: claimeven book build --ply 8"),
        (["--format", "bitbully"], 1, "build them with: claimeven book build --ply 8"),
        (["--format", "csv", "--board", "6x5"], 1, "the store knows nothing of 6x5"),
        (["--format", "uci", "--ply", "3"], 2, "the uci format is for positions with White to move"),
        (["--format", "bitbully", "--ply", "9"], 2, "a bitbully book is of ply 8 or 12"),
        (["--format", "csv", "--board", "x"], 2, "--board"),
        (["--format", "xls"], 2, "'xls' is not one of"),
    ],
)
def test_what_cannot_be_exported(path: Path, tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    result = run("book", "export", *arguments, "--out", str(tmp_path / "book"), "--db", str(path))
    assert result.exit_code == status
    assert message in result.stderr
    assert not (tmp_path / "book").exists()


def test_a_directory_that_is_not_there(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "none" / "book"
    result = run("book", "export", "--format", "csv", "--out", str(out), "--db", str(path))
    assert result.exit_code == 2
    assert "there is no directory" in result.stderr


def test_import_compares_and_keeps(path: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.write_text("1 2\n4 -1\n444 1\n")
    result = run("book", "import", "suite", str(suite), "--db", str(path))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.split() == ["claims", "3", "confirmed", "2", "new", "1", "disagreements", "0"]
    with Store.open(path) as store:
        assert store.runs()[-1].counts == {"claims": 3, "confirmed": 2, "new": 1, "disagreements": 0}
        assert str(store.read([at("444")])[0].claim.bounds) == "black"


def test_a_disagreement_is_listed_and_is_a_problem(path: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.write_text("1 -2\n44 -1\n")
    result = run("book", "import", "suite", str(suite), "--db", str(path))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[4:] == [
        "1 (7x6, ply 1): claimed is white, score -2, from import; known is black, score 2, from search",
        "44 (7x6, ply 2): claimed is black, score -1, from import; claimed before is white, score 1, from import",
    ]
    counts = json.loads(run("book", "import", "suite", str(suite), "--db", str(path), "--json").stdout)
    assert counts["disagreements"] == len(counts["listed"]) == 2


@pytest.mark.parametrize("format_", IMPORT_FORMATS)
def test_a_file_of_another_format_is_named(path: Path, tmp_path: Path, format_: str) -> None:
    (tmp_path / "file").write_text("hello, world\n")
    result = run("book", "import", format_, str(tmp_path / "file"), "--db", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {tmp_path / 'file'}: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there(path: Path, tmp_path: Path) -> None:
    result = run("book", "import", "suite", str(tmp_path / "none"), "--db", str(path))
    assert result.exit_code == 2


def test_import_makes_a_store(tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("4 -1\n")
    new = tmp_path / "new" / "store.db"
    assert run("book", "import", "suite", str(tmp_path / "suite"), "--db", str(new)).exit_code == 0
    assert "import" in run("query", "4", "--db", str(new)).stdout


def test_upgrade(path: Path) -> None:
    result = run("book", "upgrade", "--db", str(path))
    assert result.exit_code == 0
    assert result.stderr == f"{path} is up to date\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_what_is_not_a_file_is_not_replaced_by_a_book(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = make_store(tmp_path / "store.db")
    result = run("book", "export", "--format", "csv", "--db", str(path), "--out", str(pipe))
    assert result.exit_code == 2
    assert "is not a file" in result.stderr
    assert pipe.is_fifo()
