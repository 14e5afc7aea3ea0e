"""Whole boards: every position, its score, and the published number of them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.books.whole_board import solve_whole_board
from claimeven.db.counts.published import TOTALS, count_totals
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position
from claimeven.solver.positions import as_keys
from claimeven.solver.verdict import Bounds, ContradictionError, Source, Value, Verdict
from tests.db.solved_boards import SMALL, all_positions, score


def build(store: Store, board: Board) -> BuildCounts:
    counts = BuildCounts()
    build_book(store, Decider(board), board.cells, counts, lambda *_: None)
    return counts


def test_every_score_is_the_one_of_plain_minimax(tmp_path: Path) -> None:
    with Store.open(tmp_path / "book.db") as store:
        counts = build(store, SMALL)
        positions = all_positions(SMALL)
        assert counts.total == counts.positions == len(positions)
        assert counts.by_source == {"retrograde": len(positions)}
        known = store.lookup(SMALL, as_keys([position.canonical_key for position in positions]))
        for place, position in enumerate(positions):
            verdict = known.verdict(place)
            assert verdict.score == score(position)
            assert verdict.bounds.value is Value.of_score(score(position), position.to_move)


@pytest.mark.parametrize("name", ["4x4", pytest.param("5x4", marks=pytest.mark.slow), "4x4x3"])
def test_a_second_build_finds_everything_known(name: str, tmp_path: Path) -> None:
    board = Board.parse(name)
    with Store.open(tmp_path / "book.db") as store:
        first, second = build(store, board), build(store, board)
    assert (first.known, second.known) == (0, second.positions)
    assert first.positions == second.positions == sum(len(keys) for _, keys in enumerate_plies(board, board.cells))


def test_a_build_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(Exception):
        pass

    def stop(number: int, known: int) -> None:
        done.append(number)
        if len(done) == 3:
            raise StoppedError

    monkeypatch.setattr("claimeven.db.books.whole_board.BATCH", 500)
    board, done = Board(4, 4), list[int]()
    with Store.open(tmp_path / "book.db") as store:
        with pytest.raises(StoppedError):
            solve_whole_board(store, board, dict(enumerate_plies(board, board.cells)), stop)
        assert build(store, board).known == sum(done)


def test_a_wrong_verdict_in_the_store_stops_it(tmp_path: Path) -> None:
    board = Board(4, 4)
    with Store.open(tmp_path / "book.db") as store:
        store.put(Position.start(board), Verdict(Bounds.parse("white"), Source.SEARCH))
        with pytest.raises(ContradictionError, match="exclude each other"):
            build(store, board)


@pytest.mark.parametrize(
    "name", ["4x4", *(pytest.param(name, marks=pytest.mark.slow) for name in ("4x5", "5x4", "4x6"))]
)
def test_a_whole_board_has_the_published_number_of_positions(name: str, tmp_path: Path) -> None:
    board = Board.parse(name)
    with Store.open(tmp_path / "book.db") as store:
        start = time.perf_counter()
        counts = build(store, board)
        print(f"\n{board}: {counts.positions / (time.perf_counter() - start):,.0f} positions/s")
        totals = list(count_totals(store, board))
    assert sum(ply.positions for ply in totals) == TOTALS[board]
    assert all(ply.is_right for ply in totals)
    assert totals[-1].ply == board.cells
