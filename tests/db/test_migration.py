"""A store of schema 2 becomes one of today with all that it held, and one with an impossible row stays what it is."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from claimeven.db.checks.damage import find_damage
from claimeven.db.errors import RowError
from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.db.tables.efforts import Effort
from claimeven.db.tables.games import StoredGame
from claimeven.db.tables.ledger import Sum, replace
from claimeven.db.tables.models import Base
from claimeven.db.tables.rows import digests_of
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at

PLACE = "board_id SMALLINT NOT NULL, ply SMALLINT NOT NULL, key BIGINT NOT NULL"
BOUNDS = "least SMALLINT NOT NULL, greatest SMALLINT NOT NULL, score SMALLINT"
OF_BOARD = "PRIMARY KEY (board_id, ply, key), FOREIGN KEY (board_id) REFERENCES boards (id)"
TABLES = {
    "claimeven_schema": "id INTEGER NOT NULL PRIMARY KEY, version INTEGER NOT NULL",
    "boards": "id INTEGER NOT NULL PRIMARY KEY, columns SMALLINT NOT NULL, rows SMALLINT NOT NULL, "
    "connect SMALLINT NOT NULL, UNIQUE (columns, rows, connect)",
    "runs": "id INTEGER NOT NULL PRIMARY KEY, command TEXT NOT NULL, arguments JSON NOT NULL, versions JSON NOT NULL, "
    "started TEXT NOT NULL, ended TEXT, counts JSON",
    "positions": f"{PLACE}, {BOUNDS}, source SMALLINT NOT NULL, {OF_BOARD}",
    "claims": f"{PLACE}, {BOUNDS}, run_id INTEGER NOT NULL, {OF_BOARD}",
    "certificates": f"{PLACE}, proof TEXT NOT NULL, {OF_BOARD}",
    "efforts": f"{PLACE}, nodes BIGINT NOT NULL, seconds FLOAT NOT NULL, {OF_BOARD}",
    "games": "run_id INTEGER NOT NULL, number INTEGER NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, "
    "game TEXT NOT NULL, opening TEXT NOT NULL, moves TEXT NOT NULL, winner SMALLINT, ending TEXT NOT NULL, "
    "details JSON NOT NULL, PRIMARY KEY (run_id, number)",
}
"""The tables of schema 2."""


def fill(store: Store) -> None:
    """A little of everything."""
    certificate = prove(at("12")).certificate
    assert certificate is not None
    store.write_proofs([certificate])
    store.put(at("4"), Verdict(Bounds.parse("white"), Source.SEARCH, -1))
    store.put(at("12", "4x4"), Verdict(Bounds.parse("draw"), Source.SEARCH, 0))
    run = store.start_run("book import", {"file": "x"})
    store.write_claims(
        Board(), VerdictBatch.of_verdicts([at("44")], [Verdict(Bounds.parse("white"), Source.IMPORT)]), run
    )
    store.finish_run(run, {"claims": 1})
    store.write_efforts(Board(), [Effort(at("4"), 1000, 0.25)])
    store.write_games(run, [StoredGame(1, "a", "b", "7x6", "4", "44", None, "line", {"nodes": 3})])


def contents(store: Store) -> list[object]:
    return [
        store.boards(),
        [(board, each) for board in store.boards() for each in store.read_efforts(board)],
        [store.read([Position.start(), at("12"), at("4"), at("44")]), store.get(at("12", "4x4"))],
        store.runs(),
        store.read_games(1),
    ]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A store of schema 2 with the contents of `fill`."""
    new, path = tmp_path / "new.db", tmp_path / "older.db"
    with Store.open(new) as store:
        fill(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ATTACH ? AS new", (str(new),))
        for name, columns in TABLES.items():
            ending = " WITHOUT ROWID" if columns.startswith("board_id") else ""
            connection.execute(f"CREATE TABLE {name} ({columns}){ending}")
            names = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({name})"))
            connection.execute(f"INSERT INTO main.{name} SELECT {names} FROM new.{name}")
        connection.execute("UPDATE main.claimeven_schema SET version = 2")
        connection.commit()
    return path


def test_all_that_was_stored_is_still_there(older: Path, tmp_path: Path) -> None:
    with Store.open(tmp_path / "new.db") as new, Store.open(older) as store:
        assert contents(store) == contents(new)
        for name in Base.metadata.tables:
            with store.engine.connect() as mine, new.engine.connect() as theirs:
                statement = text(f"SELECT * FROM {name} ORDER BY 1, 2")
                assert mine.execute(statement).all() == theirs.execute(statement).all()
        store.put(at("1"), Verdict(Bounds.parse("black"), Source.SEARCH, 2))
    with closing(sqlite3.connect(older)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == set(Base.metadata.tables)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE positions SET greatest = 9",
        "UPDATE positions SET source = 77",
        "UPDATE positions SET ply = ply + 1 WHERE score = -1",
        "UPDATE positions SET score = 99 WHERE score = -1",
        "UPDATE positions SET board_id = 55 WHERE score = -1",
        "UPDATE positions SET least = 'x' WHERE score = -1",
        "UPDATE efforts SET key = 5",
        "UPDATE runs SET started = 'x'",
        "UPDATE boards SET columns = 0",
    ],
)
def test_an_impossible_row_stops_it_and_nothing_is_changed(older: Path, damage: str) -> None:
    with closing(sqlite3.connect(older)) as connection:
        connection.execute(damage)
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")
        before = list(connection.iterdump())
    if "runs" in damage:
        with Store.open(older) as store, pytest.raises(RowError, match="not a date"):
            store.runs()
        return
    with pytest.raises(Exception, match=r"the table|STRICT|constraint|cannot store"):
        Store.open(older)
    with closing(sqlite3.connect(older)) as connection:
        assert list(connection.iterdump()) == before


@pytest.mark.parametrize(("damage", "sound"), [("", True), ("UPDATE claims SET least = 0, greatest = 0", False)])
def test_the_ledger_learns_which_run_brought_a_claim(tmp_path: Path, damage: str, sound: bool) -> None:
    with Store.open(tmp_path / "store.db") as store:
        fill(store)
        ((board, key),) = [(board, batch.keys) for board in store.boards() for batch in store.read_claims(board, 2)]
        total = Sum.of(digests_of(board, store.lookup_claims(board, key)))
        with store.engine.begin() as connection:  # as version 3 had it
            replace(connection, layout.CLAIM_TABLE, 1, 2, total)
            connection.execute(text(f"UPDATE {layout.SCHEMA_TABLE} SET version = 3"))
            connection.execute(text(damage or "SELECT 1"))
    with Store.open(tmp_path / "store.db") as store:
        assert (not list(find_damage(store))) == sound


def test_on_a_server(server_url: str) -> None:
    with Store.open(server_url) as store:
        fill(store)
        expected = contents(store)
        with store.engine.begin() as connection:
            # The columns that version 3 added; what is left is as version 2 had it.
            connection.execute(text("ALTER TABLE positions DROP COLUMN seal"))
            connection.execute(text("ALTER TABLE claims DROP COLUMN seal"))
            connection.execute(text(f"DROP TABLE {layout.LEDGER_TABLE}"))
            connection.execute(text("UPDATE claimeven_schema SET version = 2"))
    with Store.open(server_url) as store:
        assert contents(store) == expected
        assert store.start_run("another", {}) == 2
