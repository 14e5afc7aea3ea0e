"""Whatever is wrong with the store, every command says it in one sentence, ends with status 1 and touches nothing."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from claimeven.db.tables import layout
from tests.positions import random_positions
from tests.scripts.processes import finish, start
from tests.scripts.stores import run

WRITERS = {
    "build": ["book", "build", "--ply", "3", "--board", "4x4"],
    "solve": ["solve", "12", "--board", "4x4"],
}
READERS = {
    "query": ["query", "12", "--board", "4x4"],
    "verify": ["verify", "--search", "none"],
    "stats": ["stats"],
    "check": ["book", "check", "--board", "4x4"],
}
COMMANDS = WRITERS | READERS


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small store, as bytes."""
    path = tmp_path_factory.mktemp("book") / "book.db"
    assert run("book", "build", "--ply", "16", "--board", "4x4", "--db", str(path)).exit_code == 0
    return path.read_bytes()


def make_text(path: Path, book: bytes) -> None:
    path.write_text("4455 18\n" * 2000)


def make_foreign(path: Path, book: bytes) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE positions (id INTEGER)")
    connection.commit()
    connection.close()


def make_truncated(path: Path, book: bytes) -> None:
    path.write_bytes(book[: len(book) // 2])


def make_damaged(path: Path, book: bytes) -> None:
    path.write_bytes(book[:200] + b"\xff" * (len(book) - 200))


def make_newer(path: Path, book: bytes) -> None:
    path.write_bytes(book)
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE {layout.SCHEMA_TABLE} SET version = {layout.SCHEMA_VERSION + 1}")
    connection.commit()
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


FAULTS: dict[Callable[[Path, bytes], None], str] = {
    make_text: "not a claimeven store",
    make_foreign: "not a claimeven store",
    make_truncated: "cut off",
    make_damaged: "damaged",
    make_newer: "newer claimeven",
}


def is_one_sentence(diagnostics: str, words: str) -> bool:
    lines = [line for line in diagnostics.splitlines() if not line.startswith(("counting", "compiling"))]
    return len(lines) == 1 and lines[0].startswith("Error: ") and words in lines[0]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_that_is_no_store(name: str, fault: Callable[[Path, bytes], None], tmp_path: Path, book: bytes) -> None:
    path = tmp_path / "book.db"
    fault(path, book)
    before = path.read_bytes()
    result = run(*COMMANDS[name], "--db", str(path))
    assert result.exit_code == 1, result.output
    assert is_one_sentence(result.stderr, FAULTS[fault]), result.stderr
    assert str(path) in result.stderr
    assert result.stdout == ""
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["book.db"]


AS_NOBODY = """
import json, os, sys
from claimeven.db import pipeline, quick_reader
from claimeven.db.books import build, files, whole_board
from claimeven.db.counts import contents, published
from claimeven.db.checks import verification
from claimeven.scripts import book, query, solve, stats, verify
from claimeven.solver import kernel
from claimeven.solver.deciding import decider
from click.testing import CliRunner
from claimeven.db.store import Store
from claimeven.scripts.main import claimeven
with Store.open("sqlite://") as store:  # imports the rest
    store.start_run("none", {})
if os.geteuid() == 0:  # whom no permission stops
    os.setgroups([])
    os.setuid(65534)
for command in json.loads(sys.argv[1]):
    result = CliRunner().invoke(claimeven, command)
    print(json.dumps([result.exit_code, result.stdout, result.stderr]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_a_read_only_directory(book: bytes) -> None:
    # Not the directory of the test, which nobody else may enter.
    with TemporaryDirectory() as name:
        directory = Path(name)
        path = directory / "book.db"
        path.write_bytes(book)
        path.chmod(0o444)
        directory.chmod(0o555)
        try:
            commands = [[*command, "--db", str(path)] for command in [*READERS.values(), *WRITERS.values()]]
            status, output, diagnostics = finish(start(json.dumps(commands), program=AS_NOBODY))
        finally:
            directory.chmod(0o755)
        assert (status, diagnostics) == (0, "")
        answers = [json.loads(line) for line in output.splitlines()]
        assert len(answers) == len(COMMANDS)
        for exit_code, _, errors in answers[: len(READERS)]:
            assert (exit_code, "Error" in errors) == (0, False), errors
        build, solve = answers[len(READERS) :]
        assert build[:2] == [1, ""]
        assert is_one_sentence(build[2], "read-only"), build[2]
        assert solve[:2] == [0, "12 draw\n"]
        assert path.read_bytes() == book
        assert [each.name for each in directory.iterdir()] == ["book.db"]


def limit_file_size(limit: int) -> Callable[[], None]:
    def limit_size() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return limit_size


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
@pytest.mark.parametrize("name", ["build", "solve"])
def test_a_disk_that_becomes_full(name: str, tmp_path: Path) -> None:
    path, lines = tmp_path / "book.db", tmp_path / "lines"
    positions = random_positions("4x5", 3000, seed=3, least_ply=12)
    lines.write_text("".join(f"{str(position).replace(chr(10), '/')}\n" for position in positions))
    commands = {
        "build": ["book", "build", "--ply", "16", "--board", "4x4"],
        "solve": ["solve", str(lines), "--board", "4x5", "--notation", "board", "--memory", "1M"],
    }
    command = [*commands[name], "--db", str(path)]
    limit = 150_000 if name == "build" else 100_000
    status, _, diagnostics = finish(start(*command, preexec_fn=limit_file_size(limit)))
    assert status == 1
    assert is_one_sentence(diagnostics, "disk"), diagnostics
    assert "what was stored before is kept" in diagnostics
    kept = run("verify", "--db", str(path), "--search", "20", "--sample", "500")
    assert kept.exit_code == 0, kept.output
    assert run(*command).exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
@pytest.mark.parametrize("name", ["query", "verify", "stats", "check"])
def test_readers_on_a_full_disk(name: str, tmp_path: Path, book: bytes) -> None:
    path = tmp_path / "book.db"
    path.write_bytes(book)
    status, output, diagnostics = finish(start(*READERS[name], "--db", str(path), preexec_fn=limit_file_size(4096)))
    # Beside the store SQLite wants a small file; without it there is one sentence, or it is not needed.
    assert (status == 0 and output) or is_one_sentence(diagnostics, "disk"), diagnostics
    assert "Traceback" not in diagnostics
    assert path.read_bytes() == book
