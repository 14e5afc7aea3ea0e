"""What the outside world does to a store: each ends in one clear sentence, and loses nothing that was kept."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, text

from claimeven.db import schema
from claimeven.db.engine import enter_wal
from claimeven.db.errors import MissingStoreError, SchemaError, StoreBusyError, StoreError
from claimeven.db.location import StoreLocation
from claimeven.db.quick_reader import open_reader
from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch

ROOT = Path(__file__).parents[2]
BOARD = Board()
WHITE = Verdict(Bounds.parse("white"), Source.SEARCH)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one position in it."""
    with Store.open(tmp_path / "store.db") as store:
        store.put(Position.start(), WHITE)
    return tmp_path / "store.db"


def read_quickly(path: Path) -> None:
    with open_reader(StoreLocation.parse(str(path))) as reader:
        reader.read([Position.start()])


def open_for_reading(path: Path) -> None:
    Store.open(path, writable=False).close()


def open_for_writing(path: Path) -> None:
    Store.open(path).close()


WAYS = [read_quickly, open_for_reading, open_for_writing]


def refused(way: Callable[[Path], None], path: Path) -> str:
    """The sentence with which a file is refused; the file must be untouched."""
    before = path.read_bytes()
    with pytest.raises(StoreError) as error:
        way(path)
    assert path.read_bytes() == before
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_no_database(way: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but longer than the header of one: " + "x" * 5000)
    assert "not a claimeven store" in refused(way, path)


@pytest.mark.parametrize("way", WAYS)
def test_a_database_of_somebody_else(way: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE positions (id INTEGER)")
    connection.commit()
    connection.close()
    assert "not a claimeven store" in refused(way, path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other.db"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [50, 100, 4096, 10_000])
def test_a_file_that_is_cut_off(way: Callable[[Path], None], path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)
    assert "cut off" in refused(way, path)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_file(way: Callable[[Path], None], path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)
    assert "damaged" in refused(way, path)


@pytest.mark.parametrize("way", WAYS)
def test_a_newer_store(way: Callable[[Path], None], path: Path) -> None:
    set_version(path, layout.SCHEMA_VERSION + 1)
    assert "newer claimeven" in refused(way, path)
    assert "pip install --upgrade claimeven" in refused(way, path)


@pytest.mark.parametrize("way", WAYS)
def test_a_store_that_is_too_old(way: Callable[[Path], None], path: Path) -> None:
    set_version(path, 0)
    assert "too old" in refused(way, path)
    assert "claimeven book build" in refused(way, path)


def set_version(path: Path, version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE {layout.SCHEMA_TABLE} SET version = {version}")
    connection.commit()
    connection.close()


def make_older(path: Path) -> None:
    """Turn the store into one of schema 1, which had no efforts and no games."""
    connection = sqlite3.connect(path)
    connection.execute(f"DROP TABLE {layout.EFFORT_TABLE}")
    connection.execute(f"DROP TABLE {layout.GAME_TABLE}")
    connection.commit()
    connection.close()
    set_version(path, 1)


def tables_of(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    return names


def test_an_older_store_is_brought_up_to_date(path: Path) -> None:
    make_older(path)
    for way in (read_quickly, open_for_reading):
        with pytest.raises(SchemaError, match="claimeven book upgrade --db"):
            way(path)
    with Store.open(path) as store:
        assert store.get(Position.start()) == WHITE
    read_quickly(path)
    assert {layout.EFFORT_TABLE, layout.GAME_TABLE} <= tables_of(path)


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_older(path)
    whole = schema.MIGRATIONS[1]

    def fail(connection: Connection) -> None:
        whole(connection)
        connection.execute(text("SELECT nothing"))

    monkeypatch.setitem(schema.MIGRATIONS, 1, fail)
    with pytest.raises(StoreError):
        Store.open(path)
    assert layout.GAME_TABLE not in tables_of(path)
    monkeypatch.undo()
    with Store.open(path) as store:
        assert store.get(Position.start()) == WHITE
        assert store.runs() == []


@pytest.mark.parametrize("way", [read_quickly, open_for_reading])
def test_reading_makes_no_file(way: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(MissingStoreError, match="there is no store; make one with: claimeven book build"):
        way(tmp_path / "typo.db")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "new.db").touch()
    with Store.open(tmp_path / "new.db") as store:
        store.put(Position.start(), WHITE)
    read_quickly(tmp_path / "new.db")


def test_directories_are_made(tmp_path: Path) -> None:
    open_for_writing(tmp_path / "a" / "b" / "store.db")
    assert (tmp_path / "a" / "b" / "store.db").exists()


def test_a_directory_is_no_store(tmp_path: Path) -> None:
    for way in WAYS:
        for path in (tmp_path, Path("."), Path("/")):
            with pytest.raises(StoreError, match="directory"):
                way(path)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="directory"):
        Store.open(tmp_path / "file" / "store.db")


@pytest.mark.parametrize("url", ["nonsense://x", "mysql+nodriver://user:secret@host/db"])
def test_a_url_that_leads_nowhere(url: str) -> None:
    with pytest.raises(StoreError) as error:
        Store.open(url)
    assert "secret" not in str(error.value)


def test_a_locked_store(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store.open(path, timeout=0.1) as store:
        assert store.get(Position.start()) == WHITE  # readers do not wait
        with pytest.raises(StoreError, match="another process is using it"):
            store.put(Position.start(), WHITE)
        other.execute("ROLLBACK")
        store.put(Position.start(), WHITE)
    other.close()


def test_nothing_is_left_beside_a_closed_store(path: Path) -> None:
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def run_python(program: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    return process


WRITER = """
import sys
import numpy as np
from claimeven.db.errors import StoreError
from claimeven.db.store import Store
from claimeven.solver.verdicts import VerdictBatch
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.verdict import Source
path, start, step, batch = sys.argv[1], *map(int, sys.argv[2:5])
keys = np.concatenate(list(enumerate_ply(Board(), 7)))[start::step]
try:
    with Store.open(path) as store:
        for first in range(0, len(keys), batch):
            part = keys[first:first + batch]
            store.write(Board(), VerdictBatch.of_values(part, np.ones(len(part)), Source.SEARCH))
            print(first + len(part), flush=True)
except StoreError as error:
    sys.exit(str(error))
"""
PLY_7 = 27_109


def count_rows(path: Path) -> int:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    (number,) = connection.execute(f"SELECT count(*) FROM {layout.POSITION_TABLE}").fetchone()
    connection.close()
    return int(number)


@pytest.mark.parametrize("batches", [0, 1, 5])
def test_kill_9_loses_the_last_batch_at_most(tmp_path: Path, batches: int) -> None:
    path, batch = tmp_path / "store.db", 500
    with run_python(WRITER, str(path), "0", "1", str(batch)) as process:
        assert process.stdout is not None
        reported = 0
        for _ in range(batches):
            reported = int(process.stdout.readline())
        if not batches:
            while not path.exists():
                assert process.poll() is None
        process.kill()
        process.communicate()
    if path.stat().st_size or path.with_name("store.db-wal").exists():
        Store.open(path).close()  # makes the tables if the process did not come that far
        assert count_rows(path) >= reported
        assert count_rows(path) % batch == 0
    with run_python(WRITER, str(path), "0", "1", "10000") as process:
        assert process.communicate()[1] == ""
    assert count_rows(path) == PLY_7


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    # Both write everything, in different batches, so that they meet on every row.
    writers = [run_python(WRITER, str(path), "0", "1", size) for size in ("700", "900")]
    for writer in writers:
        assert writer.communicate(timeout=60)[1] == ""
        assert writer.returncode == 0
    assert count_rows(path) == PLY_7


def test_two_writers_of_different_halves(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    writers = [run_python(WRITER, str(path), start, "2", "1000") for start in ("0", "1")]
    for writer in writers:
        assert writer.communicate(timeout=60)[1] == ""
    assert count_rows(path) == PLY_7


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    limit = 300_000

    def limit_size() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with run_python(WRITER, str(path), "0", "1", "1000", preexec_fn=limit_size) as process:
        output, diagnostics = process.communicate()
    assert process.returncode == 1
    assert diagnostics.startswith(f"{path}: the disk ")
    assert diagnostics.count("\n") == 1
    kept = int(output.split()[-1])
    assert 0 < kept < PLY_7
    assert count_rows(path) == kept
    with Store.open(path) as store:
        keys = np.concatenate(list(enumerate_ply(BOARD, 7)))
        assert (
            store.write(BOARD, VerdictBatch.of_values(keys, np.ones(len(keys), dtype=int), Source.SEARCH))
            == PLY_7 - kept
        )


READER = """
import os, sys
from claimeven.db.errors import StoreError
from claimeven.db.location import StoreLocation
from claimeven.db.quick_reader import open_reader
from claimeven.db.store import Store
from claimeven.solver.position import Position
path = sys.argv[1]
with Store.open("sqlite://") as store:  # imports everything
    store.start_run("none", {})
    store.get(Position.start())
if os.geteuid() == 0:  # whom no permission stops
    os.setgroups([])
    os.setuid(65534)
with Store.open(path, writable=False) as store:
    print(store.get(Position.start()).bounds)
with open_reader(StoreLocation.parse(path)) as reader:
    print(reader.read([Position.start()])[0].verdict.bounds)
for place in (path, os.path.join(os.path.dirname(path), "new.db")):
    try:
        with Store.open(place) as store:
            store.start_run("none", {})
    except StoreError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_a_read_only_directory(path: Path) -> None:
    before = path.read_bytes()
    # Not below pytest's own directory, into which only its user may look.
    with TemporaryDirectory() as directory:
        copy = Path(directory) / "store.db"
        copy.write_bytes(before)
        copy.chmod(0o444)
        Path(directory).chmod(0o555)
        try:
            with run_python(READER, str(copy)) as process:
                output, diagnostics = process.communicate()
            after, names = copy.read_bytes(), [each.name for each in Path(directory).iterdir()]
        finally:
            Path(directory).chmod(0o755)
    assert diagnostics == ""
    read, read_quickly_, written, made = output.splitlines()
    assert read == read_quickly_ == "white"
    assert "read-only" in written
    assert "may not be written" in made
    assert after == before
    assert names == [copy.name]


def test_a_store_may_be_moved_and_copied(path: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a b%20?#.db"
    shutil.move(path, odd)
    for way in WAYS:
        way(odd)
    assert not path.exists()


def test_a_store_that_is_being_made_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = iter(range(3))

    def refuse_first(connection: Connection) -> None:
        if next(refusals, None) is not None:
            raise StoreBusyError("another process is making it")
        enter_wal(connection)

    monkeypatch.setattr(schema, "enter_wal", refuse_first)
    with Store.open(path, timeout=5) as store:
        assert store.get(Position.start()) == WHITE
    refusals = iter(range(10_000))
    with pytest.raises(StoreBusyError):
        Store.open(path, timeout=0.1)


@pytest.mark.parametrize("way", WAYS)
def test_a_pipe_or_a_device_is_no_store(way: Callable[[Path], None], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(StoreError, match="not a file"):
            way(path)


@pytest.mark.parametrize("way", WAYS)
def test_a_torn_transaction_is_taken_back_before_the_file_is_judged(
    way: Callable[[Path], None], path: Path, tmp_path: Path
) -> None:
    """A process that is killed between its journal and its pages leaves a first page that is no longer one."""
    torn = tmp_path / "torn.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("PRAGMA cache_spill = 1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE more (text TEXT)")
    connection.executemany("INSERT INTO more VALUES (?)", [("x" * 3000,)] * 50)
    journal = path.with_name(path.name + "-journal").read_bytes()
    torn.with_name(torn.name + "-journal").write_bytes(journal)
    connection.execute("ROLLBACK")
    connection.close()
    torn.write_bytes(b"\0" * 4096 + whole[4096:])
    way(torn)
    assert torn.read_bytes()[100:4096] == whole[100:4096]


FIRST_OPENING = """
import sys
from claimeven.db.store import Store
sys.stdin.readline()
with Store.open(sys.argv[1]) as store:
    store.start_run("first", {})
"""


def test_many_first_openings_at_once_of_an_empty_database(server_url: str) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST_OPENING, server_url], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, diagnostics = process.communicate(timeout=120)
        assert (process.returncode, diagnostics) == (0, "")
    with Store.open(server_url) as store:
        assert len(store.runs()) == 4
