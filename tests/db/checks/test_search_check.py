"""Fresh search finds a wrong value and a wrong score, and nothing in a store that is right."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.checks.search_check import SearchCheck
from claimeven.db.checks.verification import Step
from claimeven.db.engine import writing
from claimeven.db.store import Store
from claimeven.db.tables.models import PositionRow
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.search.workspace import Slot
from claimeven.solver.verdict import Bounds, Source, Verdict
from tests.db.resealing import reseal
from tests.positions import at

BOARD = Board(4, 4)
SMALL = 1 << 20


@pytest.fixture(params=[False, True], ids=["values", "scores"])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as opened:
        decider = Decider(BOARD, scores=request.param, memory_bytes=SMALL, threads=2)
        build_book(opened, decider, 6, BuildCounts(), lambda *_: None)
        yield opened


def check(store: Store, share: float = 1.0, **options: object) -> Step:
    steps = list(SearchCheck(memory_bytes=SMALL, threads=2, **options)(store, BOARD, share, random.Random(1)))  # type: ignore[arg-type]
    return Step(
        sum(step.looked_at for step in steps),
        tuple(flaw for step in steps for flaw in step.flaws),
        sum(step.undecided for step in steps),
    )


def spoil(store: Store, ply: int, **values: object) -> None:
    """Change one row of a ply behind the store's back."""
    row = PositionRow
    key = next(iter(store.read_ply(BOARD, ply))).keys[0]
    with writing(store.engine, store.location) as connection:
        assert isinstance(connection, Connection)
        changed = update(row).where(row.ply == ply, row.key == int(key)).values(**values)
        assert connection.execute(changed).rowcount == 1
    reseal(store)


def test_a_sound_store(store: Store) -> None:
    assert check(store) == Step(sum(store.count_positions(BOARD).values()))


def test_a_wrong_verdict(store: Store) -> None:
    stored = next(iter(store.read_ply(BOARD, 5))).verdict(0)
    wrong = 1 if stored.bounds.least.rank < 1 else -1
    spoil(store, 5, least=wrong, greatest=wrong, score=None)
    (flaw,) = check(store).flaws
    assert "(4x4, ply 5): stored is" in flaw
    assert f"; a fresh search says {stored.bounds}" in flaw


def test_a_wrong_score(tmp_path: Path) -> None:
    with Store.open(tmp_path / "scores.db") as store:
        store.put(at("121212", "4x4"), Verdict(Bounds.parse("white"), Source.SEARCH, 4))
        (flaw,) = check(store).flaws
    stored, found = "stored is white, score 4, from search", "a fresh search says white, score 5, from search"
    assert flaw == f"121212 (4x4, ply 6): {stored}; {found}"


def test_bounds_that_hold_are_no_flaw(tmp_path: Path) -> None:
    with Store.open(tmp_path / "bounds.db") as store:
        store.put(at("12", "4x4"), Verdict(Bounds.parse("not-white"), Source.SEARCH))
        assert check(store) == Step(1)


def test_a_budget_that_runs_out_says_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path / "wrong.db") as store:
        store.put(at("", "4x4"), Verdict(Bounds.parse("white"), Source.SEARCH))
        assert check(store, budget=Budget(nodes=1)) == Step(1, (), 1)
        assert len(check(store).flaws) == 1


def test_a_sample(store: Store) -> None:
    assert 0 < check(store, 0.1).looked_at < 0.3 * sum(store.count_positions(BOARD).values())


def test_the_search_takes_nothing_from_the_rules(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Searcher] = []

    def make(*arguments: Any, **options: Any) -> Searcher:
        made.append(Searcher(*arguments, **options))
        return made[-1]

    monkeypatch.setattr("claimeven.db.checks.search_check.Searcher", make)
    assert check(store, share=0.1).looked_at
    workers = [worker for searcher in made for worker in searcher._workers]
    assert [int(worker.workspace[Slot.HAS_RULES]) for worker in workers] == [0, 0]
    assert [int(worker.workspace[Slot.EVALUATOR]) for worker in workers] == [0, 0]
