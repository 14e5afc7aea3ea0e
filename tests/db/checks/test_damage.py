"""Every damage to rows is found without searching again, and repair leaves a store that is whole and smaller."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from claimeven.db.checks.damage import check_pages, find_damage, repair
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import Bounds, Source, Verdict
from claimeven.solver.verdicts import VerdictBatch
from tests.db.test_migration import fill
from tests.positions import at

DAMAGES = [
    "UPDATE positions SET score = -2 WHERE score = -1",
    "UPDATE positions SET source = 4 WHERE score = -1",
    "UPDATE positions SET ply = ply + 1 WHERE score = -1",
    "UPDATE positions SET key = key + 2 WHERE score = -1",
    "UPDATE positions SET board_id = 2 WHERE score = -1",
    "UPDATE positions SET board_id = 77 WHERE score = -1",
    "DELETE FROM positions WHERE score = -1",
    "INSERT INTO positions SELECT board_id, 0, 4432676798593, 1, 1, NULL, 3, 5 FROM positions WHERE score = -1",
    "DELETE FROM certificates",
    "UPDATE certificates SET proof = 'CLa3a4'",
    "UPDATE certificates SET proof = ''",
    "UPDATE certificates SET ply = 3",
    "UPDATE claims SET least = 0, greatest = 0",
    "UPDATE claims SET run_id = 9",
    "DELETE FROM claims",
    "UPDATE efforts SET nodes = nodes + 1",
    "UPDATE efforts SET key = 5",
    "UPDATE findings SET greatest = greatest - 1",
    "UPDATE findings SET board_id = 77",
    "DELETE FROM findings",
    "UPDATE runs SET started = 'x'",
    "UPDATE runs SET arguments = '[]'",
    "UPDATE runs SET command = 'other'",
    "UPDATE games SET moves = '45'",
    "UPDATE games SET run_id = 9",
    "DELETE FROM games",
    "UPDATE boards SET columns = 8 WHERE columns = 7",
    "UPDATE boards SET connect = 1099511627776 WHERE columns = 7",
    "DELETE FROM boards WHERE columns = 7",
    "UPDATE ledger SET digest = digest + 1",
    "DELETE FROM ledger",
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        fill(store)
        key, root = (np.array([at(game).canonical_key], np.uint64) for game in ("1234", "12"))
        low, high, work = (np.array([number], np.int8) for number in (-2, 2, 15))
        findings = Findings(key, low, high, work, root)
        store.write_found(Board(), VerdictBatch.unknown(key[:0]), None, findings=findings)
        yield store


def test_a_sound_store_has_none(store: Store) -> None:
    assert check_pages(store) == []
    assert list(find_damage(store, with_checker=True)) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_is_found_and_repaired(store: Store, damage: str) -> None:
    assert store.location.path is not None
    with closing(sqlite3.connect(store.location.path)) as connection:
        connection.execute(damage)
        connection.commit()
    found = list(find_damage(store, with_checker=True))
    assert found
    repair(store, found)
    left = list(find_damage(store, with_checker=True))
    if left:  # what was dropped may have been what something else needs
        repair(store, left)
    assert list(find_damage(store, with_checker=True)) == []


def test_claims_of_a_run_that_imported_nothing(store: Store) -> None:
    other = store.start_run("solve", {})
    with store.engine.begin() as connection:
        connection.execute(text(f"UPDATE claims SET run_id = {other}"))
    found = list(find_damage(store))
    assert found[0].sentence == "1 rows of the table claims are of a run that imported nothing"
    repair(store, found)
    assert list(find_damage(store)) == []
    assert sum(store.count_claims(Board()).values()) == 0


def test_a_claim_moved_to_another_import(store: Store) -> None:
    runs = [store.start_run("book import", {"file": name}) for name in "ab"]
    for run, value in zip(
        runs, ("not-white", "black"), strict=True
    ):  # the second says more of the first one's position
        verdict = Verdict(Bounds.parse(value), Source.IMPORT)
        store.write_claims(Board(), VerdictBatch.of_verdicts([at("445")], [verdict]), run)
        assert list(find_damage(store)) == []
    with store.engine.begin() as connection:
        assert connection.execute(text(f"UPDATE claims SET run_id = {runs[0]} WHERE ply = 3")).rowcount == 1
    found = list(find_damage(store))
    assert [damage.sentence for damage in found] == [
        "the table claims (7x6, ply 3) is not what was written: rows were changed"
    ]
    repair(store, found)
    assert list(find_damage(store)) == []


def test_a_ply_that_is_missing_of_a_complete_book(store: Store) -> None:
    run = store.start_run("book build", {"board": "4x4", "ply": 2})
    store.finish_run(run, {"positions": 5, "undecided": 0})
    sentences = [damage.sentence for damage in find_damage(store)]
    assert "the book of 4x4 was complete up to ply 2, but of ply 1 it has 0 positions of 2" in sentences


def test_pages_that_sqlite_finds_wrong(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        fill(store)
        store.seal()
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'positions'").fetchone()
    data = bytearray(path.read_bytes())
    cells = (page - 1) * 4096 + 8  # the places of the rows, which must be in the order of their keys
    data[cells : cells + 4] = data[cells + 2 : cells + 4] + data[cells : cells + 2]
    path.write_bytes(data)
    with Store.open(path, writable=False) as store:
        assert check_pages(store)[0].startswith("the file itself is damaged: ")


def test_a_check_that_was_loosened(store: Store) -> None:
    assert store.location.path is not None
    with closing(sqlite3.connect(store.location.path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, '<= 64', '<= 99') WHERE name = 'boards'")
        connection.commit()
    with Store.open(store.location) as again:
        assert check_pages(again) == ["the table boards has other rules than it was made with"]


def test_on_a_server(server_url: str) -> None:
    with Store.open(server_url) as store:
        fill(store)
        assert list(find_damage(store, with_checker=True)) == []
        for damage in (
            "UPDATE positions SET score = -2 WHERE score = -1",
            "DELETE FROM claims",
            "UPDATE runs SET command = 'other'",
        ):
            with store.engine.begin() as connection:
                connection.execute(text(damage))
            found = list(find_damage(store, with_checker=True))
            assert len(found) in (1, 2)
            repair(store, found)
            assert list(find_damage(store, with_checker=True)) == []
