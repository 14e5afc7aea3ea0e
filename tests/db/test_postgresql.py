"""A store of many on a real PostgreSQL server: restarts, two writers, readers without rights, copies there and back."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import make_url, text

from claimeven.db.engine import reading
from claimeven.db.errors import StoreError
from claimeven.db.store import Store
from claimeven.db.tables.layout import POSITION_TABLE
from claimeven.db.tables.ledger import Sum, read_ledger
from claimeven.db.tables.models import Base
from claimeven.db.tables.rows import digests_of
from claimeven.db.transfer import check_contained, copy_store
from claimeven.scripts.upkeep.services import Server, provide_server
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.scripts.stores import run

ROOT = Path(__file__).parents[2]
BOARD = Board()
KEYS = np.concatenate(list(enumerate_ply(BOARD, 6)))
BATCH = VerdictBatch.of_values(KEYS, np.random.default_rng(1).integers(-1, 2, len(KEYS)), Source.SEARCH)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not os.environ.get("CLAIMEVEN_TEST_DB"):
        pytest.skip("CLAIMEVEN_TEST_DB is not set")  # where the one is not, the other is not either
    with provide_server() as started:
        if started is None:
            pytest.skip("there is no PostgreSQL")
        yield started


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    yield server.url
    with Store.open(server.url) as store:
        Base.metadata.drop_all(store.engine)


def read_all(store: Store, board: Board) -> list[tuple[int, ...]]:
    rows = []
    for ply in store.plies(board):
        for batch in store.read_ply(board, ply):
            columns = (batch.keys, batch.least, batch.greatest, batch.scores, batch.sources)
            rows += list(zip(*(column.tolist() for column in columns), strict=True))
    return sorted(rows)


def test_a_server_that_is_restarted_is_waited_for_and_nothing_is_lost(server: Server, url: str) -> None:
    restarts = [threading.Timer(seconds, server.restart) for seconds in (0.0, 1.0)]
    with Store.open(url) as store:
        for restart in restarts:
            restart.start()
        for start in range(0, len(KEYS), 100):
            store.write(BOARD, BATCH.select(slice(start, start + 100)))
            time.sleep(0.02)  # so that the restarts come in the middle
            store.lookup(BOARD, KEYS[:100])
        for restart in restarts:
            restart.join()
        found = store.lookup(BOARD, KEYS)
        assert np.array_equal(found.least, BATCH.least)
        assert store.count_positions(BOARD) == {6: len(KEYS)}
        assert sums_of(store) == {6: Sum.of(digests_of(BOARD, found))}


def sums_of(store: Store) -> dict[int, Sum]:
    """What the ledger says of the verdicts, by ply."""
    with reading(store.engine, store.location) as connection:
        return {ply: each for (table, _, ply), each in read_ledger(connection).items() if table == POSITION_TABLE}


def test_a_server_that_is_not_there_is_an_error_at_once() -> None:
    began = time.monotonic()
    with pytest.raises(StoreError, match=r"127\.0\.0\.1") as error:
        Store.open("postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)
    assert time.monotonic() - began < 30


def test_two_builders_at_once_lose_nothing(url: str, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "claimeven", "book", "build", "--board", "5x4", "--ply", "5", "--memory", "1M"]
    both = [
        subprocess.Popen([*build, "--db", url], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        _, diagnostics = process.communicate(timeout=300)
        assert process.returncode == 0, diagnostics
    assert run("verify", "--board", "5x4", "--search", "10", "--memory", "1M", "--db", url).exit_code == 0
    alone = tmp_path / "alone.db"
    assert run(*build[3:], "--db", str(alone)).exit_code == 0
    with Store.open(url) as shared, Store.open(alone) as other:
        assert read_all(shared, Board(5, 4)) == read_all(other, Board(5, 4))


def test_who_may_only_read_can_ask_and_report_and_not_write(url: str, tmp_path: Path) -> None:
    with Store.open(url) as store:
        store.write(BOARD, BATCH)
        with store.engine.begin() as connection:
            for statement in (
                "DROP ROLE IF EXISTS reader",
                "CREATE ROLE reader LOGIN",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
            ):
                connection.execute(text(statement))
    reader = make_url(url).set(username="reader").render_as_string()
    try:
        assert run("query", "444444", "--db", reader).exit_code == 0
        assert run("stats", "--db", reader).exit_code == 0
        assert run("report", "--db", reader, "--out", str(tmp_path / "page")).exit_code == 0
        refused = run("book", "build", "--ply", "1", "--db", reader)
        assert refused.exit_code == 1
        assert "permission denied" in refused.stderr
        assert "Traceback" not in refused.stderr
    finally:
        with Store.open(url) as store, store.engine.begin() as connection:
            connection.execute(text("DROP OWNED BY reader"))
            connection.execute(text("DROP ROLE reader"))


def test_the_way_there_may_be_a_service_file(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = make_url(url)
    service = tmp_path / "services.conf"
    service.write_text(
        f"[claimeven]\nhost={where.host}\nport={where.port}\nuser={where.username}\ndbname={where.database}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    with Store.open("postgresql:///?service=claimeven") as store:
        store.write(BOARD, BATCH.select(slice(10)))
        assert store.count_positions(BOARD) == {6: 10}


def test_a_copy_there_and_back_is_equal(url: str, tmp_path: Path) -> None:
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    assert run("book", "build", "--board", "5x4", "--ply", "6", "--memory", "1M", "--db", str(first)).exit_code == 0
    with Store.open(first) as store:
        store.write(BOARD, BATCH)
    for source, target in ((str(first), url), (url, str(last))):
        result = run("store", "copy", source, target)
        assert result.exit_code == 0, result.output
        assert "all there" in result.stdout
    with Store.open(first) as one, Store.open(last) as other:
        assert one.boards() == other.boards()
        for board in one.boards():
            assert read_all(one, board) == read_all(other, board)
            assert [str(each) for each in one.read_proofs(board)] == [str(each) for each in other.read_proofs(board)]
            assert one.read_efforts(board) == other.read_efforts(board)
        assert sum(one.count_proofs(Board(5, 4)).values()) > 0


def test_a_copy_that_lost_something_is_noticed() -> None:
    found = BATCH.select(np.arange(10))
    found.put(np.array([3]), VerdictBatch.unknown(KEYS[3:4]))
    with pytest.raises(StoreError, match="1 verdicts of 7x6 that were written are not there"):
        check_contained(BOARD, BATCH.select(slice(10)), found, "there")


@pytest.mark.slow
def test_a_million_rows_there_and_back(url: str, tmp_path: Path) -> None:
    keys = np.concatenate([part for ply in range(11) for part in enumerate_ply(BOARD, ply)])[:1_000_000]
    assert len(keys) == 1_000_000
    batch = VerdictBatch.of_values(keys, np.random.default_rng(2).integers(-1, 2, len(keys)), Source.SEARCH)
    with (
        Store.open(tmp_path / "one.db") as one,
        Store.open(url) as there,
        Store.open(tmp_path / "back.db") as back,
    ):
        one.write(BOARD, batch)
        copy_store(one, there)
        copy_store(there, back)
        assert read_all(one, BOARD) == read_all(back, BOARD)
