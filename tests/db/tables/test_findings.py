"""Findings: merged by position, bounded in number, dropped with their roots, and never believed when damaged."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import text

from claimeven.db.checks.damage import find_damage, repair
from claimeven.db.errors import RowError
from claimeven.db.store import Store
from claimeven.db.tables import findings as finding_table
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, keys_of
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import ContradictionError
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at, random_positions

BOARD = Board()
ROOTS = keys_of(BOARD, [at("12"), at("44")])


def keys_at(*games: str) -> Keys:
    return keys_of(BOARD, [at(game) for game in games])


def findings(keys: Keys, least: int = -3, greatest: int = 4, work: int = 14, root: int = 0) -> Findings:
    low, high, works = (np.full(len(keys), number, np.int8) for number in (least, greatest, work))
    return Findings(keys, low, high, works, np.full(len(keys), ROOTS[root]))


def write(store: Store, found: Findings) -> None:
    store.write_found(BOARD, VerdictBatch.unknown(ROOTS[:0]), None, findings=found)


def as_rows(found: Findings) -> list[tuple[int, ...]]:
    columns = (found.keys, found.least, found.greatest, found.works, found.roots)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def test_what_is_said_of_a_position_is_put_together() -> None:
    keys = keys_at("1234", "4455")
    with Store.open("sqlite://") as store:
        write(store, Findings.join([findings(keys), findings(keys[:1], least=-1, greatest=9)]))
        write(store, findings(keys[1:], greatest=2, work=13, root=1))
        assert as_rows(store.read_findings(BOARD, ROOTS)) == sorted(
            [(int(keys[0]), -1, 4, 14, int(ROOTS[0])), (int(keys[1]), -3, 2, 14, int(ROOTS[1]))]
        )
        assert list(find_damage(store)) == []


def test_bounds_that_no_score_can_reach() -> None:
    with Store.open("sqlite://") as store:
        write(store, findings(keys_at("122"), least=-10, greatest=19))  # White has no four before his fourth stone
        write(store, findings(keys_at("123"), least=-20, greatest=19))
        assert as_rows(store.read_findings(BOARD, ROOTS)) == [(int(keys_at("122")[0]), -10, 18, 14, int(ROOTS[0]))]
        assert list(find_damage(store)) == []


def test_they_are_no_verdicts() -> None:
    keys = keys_at("1234")
    with Store.open("sqlite://") as store:
        write(store, findings(keys, least=1, greatest=1))
        assert not store.lookup(BOARD, keys).is_known.any()
        assert store.count_positions(BOARD) == {}


def test_only_who_asks_for_a_root_again_gets_them() -> None:
    with Store.open("sqlite://") as store:
        assert len(store.read_findings(BOARD, ROOTS)) == 0
        write(store, findings(keys_at("1234")))
        assert len(store.read_findings(BOARD, ROOTS[1:])) == 0
        assert len(store.read_findings(Board(5, 4), ROOTS)) == 0
        assert len(store.read_findings(BOARD, ROOTS)) == 1


def test_they_are_dropped_with_their_roots() -> None:
    with Store.open("sqlite://") as store:
        write(store, findings(keys_at("1234", "1233")))
        write(store, findings(keys_at("4455"), root=1))
        store.drop_findings(BOARD, ROOTS[:1])
        assert as_rows(store.read_findings(BOARD, ROOTS)) == as_rows(findings(keys_at("4455"), root=1))
        assert list(find_damage(store)) == []


def test_the_dearest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_table, "KEPT", 20)
    monkeypatch.setattr(finding_table, "SLACK", 10)
    keys = np.unique(keys_of(BOARD, [each for each in random_positions("7x6", 80, 1, least_ply=6) if each.ply < 30]))
    with Store.open("sqlite://") as store:
        for number, start in enumerate(range(0, 45, 15)):
            write(store, findings(keys[start : start + 15], work=14 - number))
        kept = store.read_findings(BOARD, ROOTS)
        assert sorted(kept.works.tolist()) == [14] * 15
        assert list(find_damage(store)) == []


def test_two_that_exclude_each_other() -> None:
    keys = keys_at("1234")
    with Store.open("sqlite://") as store:
        write(store, findings(keys, least=1, greatest=4))
        with pytest.raises(ContradictionError, match="there is no score from 1 to -1"):
            write(store, findings(keys, least=-4, greatest=-1))
        assert as_rows(store.read_findings(BOARD, ROOTS)) == as_rows(findings(keys, least=1, greatest=4))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE findings SET least = least + 1 WHERE ply = 4",
        "UPDATE findings SET greatest = greatest - 1 WHERE ply = 4",
        "UPDATE findings SET work = work + 1 WHERE ply = 4",
        "UPDATE findings SET root = root + 2 WHERE ply = 4",
        "UPDATE findings SET key = key + 2 WHERE ply = 4",
        "UPDATE findings SET ply = 5 WHERE ply = 4",
        "UPDATE findings SET seal = 32767 - seal WHERE ply = 4",
        "DELETE FROM findings WHERE ply = 4",
    ],
)
def test_damage_is_found_and_not_believed(damage: str) -> None:
    with Store.open("sqlite://") as store:
        write(store, findings(keys_at("1234", "12345", "123456")))
        with store.engine.begin() as connection:
            assert connection.execute(text(damage)).rowcount == 1
        if "DELETE" not in damage:
            with pytest.raises(RowError, match="the table findings is damaged"):
                store.read_findings(BOARD, keys_of(BOARD, [at("12")]))
        found = list(find_damage(store))
        assert found
        repair(store, found)
        assert list(find_damage(store)) == []
        store.read_findings(BOARD, ROOTS)
