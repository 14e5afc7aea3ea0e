"""Totals of a store: finished games and mirror images counted by brute force say the same, and gaps are seen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import delete

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.counts.published import OUTCOMES, PLIES, count_totals
from claimeven.db.engine import writing
from claimeven.db.store import Store
from claimeven.db.tables.models import PositionRow
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.db.solved_boards import SMALL, score


def every_position(board: Board) -> set[Position]:
    found, waiting = set[Position](), [Position.start(board)]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            waiting += [position.play(column) for column in position.legal_columns]
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = Store.open(tmp_path / "book.db")
    build_book(opened, Decider(SMALL), SMALL.cells, BuildCounts(), lambda *_: None)
    return opened


def test_totals_are_those_of_brute_force(store: Store) -> None:
    by_ply, outcomes = Counter[int](), Counter[tuple[int, int]]()
    for position in every_position(SMALL):
        by_ply[position.ply] += 1
        sign = int(np.sign(score(position)))
        outcomes[position.ply, -sign if position.ply % 2 else sign] += 1
    totals = list(count_totals(store, SMALL))
    assert {ply.ply: ply.positions for ply in totals} == dict(by_ply)
    for ply in totals:
        assert ply.outcomes == tuple(outcomes[ply.ply, rank] for rank in (1, 0, -1))
        assert ply.missing == 0


def test_a_position_that_is_not_there_is_missing(store: Store) -> None:
    row, board_id = PositionRow, store.find_board_id(SMALL)
    with writing(store.engine, store.location) as connection:
        connection.execute(delete(row).where(row.board_id == board_id, row.ply == SMALL.cells - 1))
        connection.execute(delete(row).where(row.board_id == board_id, row.ply == 0))
    missing = {ply.ply: ply.missing for ply in count_totals(store, SMALL) if ply.missing}
    assert missing == {0: 1}  # nothing follows what is not there
    store.close()


def test_an_opening_book_is_compared_ply_by_ply(tmp_path: Path) -> None:
    board = Board()
    with Store.open(tmp_path / "book.db") as store:
        for _, keys in enumerate_plies(board, 7):
            store.write(board, VerdictBatch.of_values(keys, np.ones(len(keys), dtype=int), Source.SEARCH))
        totals = list(count_totals(store, board))
    assert [ply.positions for ply in totals] == list(PLIES[board][:8])
    assert [sum(outcome) for outcome in OUTCOMES[board]] == list(PLIES[board][: len(OUTCOMES[board])])
    # All were called White wins, which is right for the empty board alone.
    assert [ply.is_right for ply in totals] == [True, *[False] * 7]
