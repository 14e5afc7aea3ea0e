"""The positions of an audit: what they are, and that the same source gives the same ones."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.kernels import cautious_moves
from claimeven.solver.audit.positions import (
    CHUNKS,
    KINDS,
    PositionSource,
    TooLateError,
    count_positions,
    default_least_stones,
    make_chunk,
    make_chunks,
)
from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position, has_line
from claimeven.solver.positions import count_plies
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.verdict import Value
from tests.positions import random_positions

SEARCH = ExactSearch(threads=2, memory_bytes=1 << 24)


def chunk(source: PositionSource, number: int = 0, count: int = 2000) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return make_chunk(source, number, count, SEARCH.solve)


@pytest.mark.parametrize("kind", ["uniform", "cautious", "best"])
@pytest.mark.parametrize(("board", "least"), [("7x6", 26), ("6x4", 12), ("5x4x3", 6), ("6x8", 29)])
def test_random_positions_are_unfinished_and_have_enough_stones(kind: str, board: str, least: int) -> None:
    size = Board.parse(board)
    keys = chunk(PositionSource(board, kind, 1, least, size.cells - 1), count=300)
    assert len(keys) == 300
    for key in keys:
        position = Position.from_key(size, int(key))  # which checks the stones
        assert least <= position.ply < size.cells
        assert not position.is_over


@pytest.mark.parametrize("kind", ["uniform", "cautious", "best"])
def test_the_same_source_gives_the_same_positions(kind: str) -> None:
    source = PositionSource("6x4", kind, 1, 14, 23)
    keys = chunk(source, 3, 700)
    assert np.array_equal(keys, chunk(source, 3, 700))
    assert np.array_equal(keys[:300], chunk(source, 3, 300))
    for other, number in (
        (source, 4),
        (PositionSource("6x4", kind, 2, 14, 23), 3),
        (PositionSource("6x4", kind, 1, 15, 23), 3),
    ):
        assert not np.array_equal(keys, chunk(other, number, 700))


def test_every_ply_and_every_column_turns_up() -> None:
    keys = chunk(PositionSource("7x6", "uniform", 1, 0, 41), count=20_000)
    plies = np.bincount(count_plies(Board(), keys), minlength=42)
    assert (plies[:36] > 0).all()
    # A stone that stands alone was dropped into any of the columns as likely.
    first = keys[count_plies(Board(), keys) == 1]
    assert len(np.unique(first)) == 7


def test_cautious_players_win_block_and_do_not_help() -> None:
    """The moves of the kernel are those that a plain reading of the rule gives."""
    kinds = set()
    for position in random_positions("7x6", 500, seed=41, least_ply=8):
        mover, other = (position.stones(side) for side in (position.to_move, position.to_move.opponent))
        squares = list(bits(position.playable))

        def wins(stones: int, square: int) -> bool:
            return has_line(Board(), stones | 1 << square)

        winning = [square for square in squares if wins(mover, square)]
        blocking = [square for square in squares if wins(other, square)]
        safe = [square for square in squares if not (1 << square + 1 & Board().squares and wins(other, square + 1))]
        expected = winning or blocking or safe or squares
        kinds.add("win" if winning else "block" if blocking else "safe" if safe != squares else "any")
        moves = cautious_moves(
            board_geometry(Board()), np.uint64(mover), np.uint64(other), np.uint64(position.playable)
        )
        assert list(bits(int(moves))) == expected
    assert kinds == {"win", "block", "safe", "any"}


def test_cautious_games_last_longer() -> None:
    """A position in which the side to move can win at once is what a uniform game has more often."""

    def share(kind: str) -> float:
        keys = chunk(PositionSource("7x6", kind, 1, 16, 20), count=400)
        positions = [Position.from_key(Board(), int(key)) for key in keys]
        return sum(any(position.play(c).winner for c in position.legal_columns) for position in positions) / len(keys)

    assert share("cautious") < share("uniform")


def test_near_best_play_mostly_keeps_the_value() -> None:
    """Positions follow each other game by game: after most moves the value is what it was."""
    source = PositionSource("6x4", "best", 1, 14, 23)
    keys = chunk(source, count=2000)
    values = {
        int(key): value
        for key, value in zip(keys, SEARCH.solve([Position.from_key(Board(6, 4), int(k)) for k in keys]), strict=True)
    }
    kept = lost = 0
    for key in keys:
        position = Position.from_key(Board(6, 4), int(key))
        for column in position.legal_columns:
            after = position.play(column)
            if after.key in values:
                same = values[after.key] is values[int(key)]
                kept, lost = kept + same, lost + (not same)
    assert kept > 5 * lost


def test_all_positions_of_the_plies() -> None:
    source = PositionSource("7x6", "ply", 0, 0, 6)
    assert count_positions(source) == 1 + 4 + 25 + 121 + 568 + 2144 + 8231
    chunks = [keys for _, keys in make_chunks(source, 0, SEARCH.solve)]
    assert [len(keys) for keys in chunks] == [1, 4, 25, 121, 568, 2144, 5000, 3231]
    everything = np.concatenate(chunks)
    for done in (6, 2863, 5000):
        rest = list(make_chunks(source, 0, SEARCH.solve, done))
        assert np.array_equal(np.concatenate([keys for _, keys in rest]), everything[done:])
        assert rest[-1][0] == 7
    assert count_positions(PositionSource("7x6", "ply", 0, 3, 4)) == 121 + 568


def test_chunks_of_random_positions_end_where_wanted() -> None:
    source = PositionSource("4x4", "uniform", 1, 0, 15)
    chunks = list(make_chunks(source, 120_001, SEARCH.solve))
    lengths = [len(keys) for _, keys in chunks]
    assert lengths == [50_000, 50_000, 20_001]
    ((number, rest),) = make_chunks(source, 120_001, SEARCH.solve, 100_007)
    assert number == 2
    assert np.array_equal(rest, chunks[2][1][7:])


def test_every_kind_has_its_chunks() -> None:
    assert set(CHUNKS) == set(KINDS)


@pytest.mark.parametrize(
    ("board", "stones"), [("4x4", 0), ("5x4", 0), ("6x4", 4), ("8x4", 12), ("6x6", 16), ("7x6", 26), ("6x8", 29)]
)
def test_from_how_many_stones_on(board: str, stones: int) -> None:
    assert default_least_stones(Board.parse(board)) == stones


def test_search_knows_nothing_of_the_rules() -> None:
    search = ExactSearch(threads=1, memory_bytes=1 << 24)
    assert search.value(Position.start(Board(4, 4))) is Value.DRAW
    assert all(not hasattr(worker, "_evaluator") for each in search._searchers.values() for worker in each._workers)
    assert list(search.values([])) == search.solve([]) == []


@pytest.mark.parametrize("kind", ["uniform", "cautious", "best"])
def test_games_that_are_over_too_soon_are_given_up(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.solver.audit.positions.PATIENCE", 10_000)
    with pytest.raises(TooLateError, match=r"games in a row on 7x6x3 were over before 41 stones"):
        make_chunk(PositionSource("7x6x3", kind, 1, 41, 41), 0, 1, solve=lambda positions: [])
