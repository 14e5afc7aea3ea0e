"""No row that was changed behind our back is believed, however it is read."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from claimeven.db.counts.contents import count_board
from claimeven.db.errors import RowError, SchemaError
from claimeven.db.location import StoreLocation
from claimeven.db.quick_reader import open_reader
from claimeven.db.store import Store
from claimeven.db.tables import layout
from claimeven.db.tables.models import Base
from claimeven.db.tables.rows import digests_of, score_range
from claimeven.db.tables.seal import digest_of
from claimeven.db.tables.shape import SHAPE, check_objects, check_shape
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at

BOARD = Board()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with all positions of ply 2, black but for one that is a draw."""
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        keys = next(iter(enumerate_ply(BOARD, 2)))
        store.write(BOARD, VerdictBatch.of_scores(BOARD, keys, np.full(len(keys), -3), Source.SEARCH))
        store.put(at("4"), Verdict(Bounds.parse("draw"), Source.SEARCH, 0))
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def query(path: Path) -> None:
    with open_reader(StoreLocation.parse(str(path))) as reader:
        reader.read([at("44"), at("12")])


def look_up(path: Path) -> None:
    with Store.open(path, writable=False) as store:
        store.lookup(BOARD, next(iter(enumerate_ply(BOARD, 2))))


def read_ply(path: Path) -> None:
    with Store.open(path, writable=False) as store:
        for ply in store.plies(BOARD):
            list(store.read_ply(BOARD, ply))


def tighten(path: Path) -> None:
    with Store.open(path) as store:
        store.put(at("44"), Verdict(Bounds.parse("black"), Source.SEARCH, -3))


WAYS = [query, look_up, read_ply, tighten]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "values",
    [
        "greatest = 9",
        "least = 0, greatest = 0, score = 0",
        "score = -4",
        "score = NULL",
        "score = 20",
        "score = 300",
        "source = 77",
        "source = 4",
        "seal = 1 - seal",
        "least = -1, greatest = 1, score = NULL",
        "least = 253, greatest = 253",
    ],
)
def test_a_changed_value_is_refused(way: Callable[[Path], None], values: str, path: Path) -> None:
    way(path)
    change(path, f"UPDATE positions SET {values} WHERE ply = 2")
    with pytest.raises(RowError) as error:
        way(path)
    message = str(error.value)
    assert message.startswith(f"{path}: the row 7x6, ply 2, key ")
    assert "table positions is damaged" in message
    assert "claimeven verify" in message


@pytest.mark.parametrize("where", ["ply = 3", "key = key + 1", "key = -key", "ply = 77", "ply = -1"])
def test_a_changed_place_is_refused(where: str, path: Path) -> None:
    change(path, f"UPDATE positions SET {where} WHERE key = (SELECT max(key) FROM positions WHERE ply = 2)")
    with pytest.raises(RowError):
        read_ply(path)


def test_another_board_is_refused(path: Path) -> None:
    change(path, "UPDATE boards SET columns = 8, rows = 6")
    with Store.open(path, writable=False) as store, pytest.raises(RowError):
        list(store.read_ply(Board(8, 6), 2))
    change(path, "UPDATE boards SET columns = 0")
    with Store.open(path, writable=False) as store, pytest.raises(RowError, match="not a board"):
        store.boards()


def test_counting_refuses_what_is_no_verdict(path: Path) -> None:
    change(path, "UPDATE positions SET greatest = 9 WHERE ply = 2")
    with Store.open(path, writable=False) as store, pytest.raises(RowError, match="are no verdict"):
        count_board(store, BOARD)


def test_the_tables_refuse_it_themselves(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for values in ("greatest = 9", "least = 'x'", "score = 99", "ply = 65", "source = 0"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(f"UPDATE positions SET {values}")


def test_one_and_many_have_the_same_digest() -> None:
    keys = next(iter(enumerate_ply(BOARD, 4)))
    scores = np.random.default_rng(1).integers(-15, 16, len(keys))
    batch = VerdictBatch.of_scores(BOARD, keys, scores, Source.SEARCH)
    rows = zip(batch.keys, batch.least, batch.greatest, batch.scores, batch.sources, strict=True)
    assert digests_of(BOARD, batch).tolist() == [digest_of(BOARD, *map(int, row)) for row in rows]


def test_the_range_of_scores_is_that_of_the_game() -> None:
    assert score_range(BOARD, 0) == (-18, 18)
    assert score_range(BOARD, 41) == (-1, 1)
    assert score_range(Board(4, 4), 15) == (-1, 1)
    assert score_range(Board(3, 3, 4), 0) == (-1, 2)


SCHEMES = {
    "view": ["ALTER TABLE positions RENAME TO hidden", "CREATE VIEW positions AS SELECT * FROM hidden"],
    "trigger": ["CREATE TRIGGER t AFTER INSERT ON positions BEGIN DELETE FROM runs; END"],
    "index": ["CREATE INDEX i ON positions (score)"],
    "table 'mine'": ["CREATE TABLE mine (x)"],
    "other columns": ["ALTER TABLE positions ADD COLUMN more INTEGER"],
    "missing": ["DROP TABLE efforts"],
    "virtual table": ["CREATE VIRTUAL TABLE v USING fts5(x)"],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("words", SCHEMES)
def test_another_schema_is_refused(way: Callable[[Path], None], words: str, path: Path) -> None:
    change(path, *SCHEMES[words])
    with pytest.raises(SchemaError, match=words):
        way(path)


def test_the_shape_is_that_of_a_new_store(path: Path) -> None:
    assert set(SHAPE) == set(Base.metadata.tables)
    with closing(sqlite3.connect(path)) as connection:
        check_objects("here", connection)
        check_shape("here", connection)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            ["ALTER TABLE positions RENAME TO hidden", "CREATE VIEW positions AS SELECT * FROM hidden"],
            "a view",
        ),
        (
            [
                "CREATE FUNCTION f() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql",
                "CREATE TRIGGER t BEFORE INSERT ON positions FOR EACH ROW EXECUTE FUNCTION f()",
            ],
            "a trigger",
        ),
        (["CREATE RULE r AS ON INSERT TO positions DO INSTEAD NOTHING"], "a rule"),
        (["ALTER TABLE runs ADD COLUMN more INTEGER"], "other columns"),
    ],
)
def test_another_schema_on_a_server_is_refused(server_url: str, statements: list[str], words: str) -> None:
    with Store.open(server_url) as store:
        with store.engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
        with pytest.raises(SchemaError, match=words):
            Store.open(server_url)


def test_a_changed_row_on_a_server_is_refused(server_url: str) -> None:
    with Store.open(server_url) as store:
        store.put(Position.start(), Verdict(Bounds.parse("white"), Source.SEARCH, 1))
        with store.engine.begin() as connection:
            connection.execute(text(f"UPDATE {layout.POSITION_TABLE} SET score = 2"))
        with pytest.raises(RowError, match="not what was written"):
            store.get(Position.start())
