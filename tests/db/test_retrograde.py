"""Children tighten their parents: as one by one, to the last ply, and to the published values."""

from __future__ import annotations

import random

import numpy as np
import pytest

from claimeven.db.best_moves import best_columns
from claimeven.db.retrograde import tighten_parents, verdicts_from_children
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Value, Verdict, bounds_from_children
from claimeven.solver.verdicts import VerdictBatch
from tests.db.solved_boards import SMALL, all_positions, score, solve_board
from tests.positions import random_positions

NAMES = ("white", "draw", "black", "not-white", "not-black", "unknown")


def terminal(position: Position) -> Bounds:
    winner = position.winner
    return Bounds.exactly(Value.DRAW if winner is None else Value.win_of(winner))


@pytest.mark.parametrize("board", ["7x6", "4x4", "5x4x3", "8x7"])
def test_bounds_are_those_of_the_algebra(board: str) -> None:
    parents = list(random_positions(board, 200, seed=1))
    chance = random.Random(1)
    known: dict[int, Bounds] = {}

    def lookup(keys: Keys) -> VerdictBatch:
        for key in keys.tolist():
            known.setdefault(key, Bounds.parse(chance.choice(NAMES)))
        bounds = [known[key] for key in keys.tolist()]
        return VerdictBatch.of_bounds(
            keys,
            np.array([each.least.rank for each in bounds]),
            np.array([each.greatest.rank for each in bounds]),
            Source.SEARCH,
        )

    keys = np.array([position.canonical_key for position in parents], dtype=np.uint64)
    batch = verdicts_from_children(Board.parse(board), keys, lookup)
    for place, parent in enumerate(parents):
        children = [parent.play(column) for column in parent.legal_columns]
        bounds = [terminal(child) if child.is_over else known[child.canonical_key] for child in children]
        assert batch.verdict(place).bounds == bounds_from_children(parent.to_move, bounds)
        assert batch.verdict(place).source is Source.RETROGRADE


@pytest.mark.parametrize("board", [SMALL, Board(3, 4, 3)], ids=str)
def test_a_board_is_solved_to_the_last_ply(board: Board) -> None:
    with Store.open("sqlite://") as store:
        counts = solve_board(store, board)
        assert all(each.parents == each.exact == each.scored == each.tightened for each in counts.values())
        positions = all_positions(board)
        assert sum(each.parents for each in counts.values()) == len(positions)
        for known, position in zip(store.read(positions), positions, strict=True):
            expected = score(position)
            bounds = Bounds.exactly(Value.of_score(expected, position.to_move))
            assert known.verdict == Verdict(bounds, Source.RETROGRADE, expected)


def test_4x4_is_a_draw_and_nothing_is_left_to_do() -> None:
    board = Board(4, 4)
    with Store.open("sqlite://") as store:
        solve_board(store, board)
        assert str(store.get(Position.start(board)).bounds) == "draw"
        again = solve_board(store, board)
        assert sum(each.tightened for each in again.values()) == 0


def test_a_score_is_known_as_soon_as_no_child_can_change_it() -> None:
    # Leaving values without scores out of some children never gives a wrong score.
    board = Board(3, 4, 3)
    positions = all_positions(board)
    truth = {position.canonical_key: score(position) for position in positions}
    chance = random.Random(2)
    found = {True: 0, False: 0}

    def lookup(keys: Keys) -> VerdictBatch:
        scores = np.array([truth[key] for key in keys.tolist()])
        full = VerdictBatch.of_scores(board, keys, scores, Source.SEARCH)
        values = VerdictBatch.of_bounds(keys, full.least, full.greatest, Source.SEARCH)
        nothing = VerdictBatch.unknown(keys)
        choice = np.array([chance.randrange(4) for _ in keys])
        parts = [full.select(choice >= 2), values.select(choice == 1), nothing.select(choice == 0)]
        joined = VerdictBatch.join(parts)
        order = np.concatenate([np.flatnonzero(choice >= 2), np.flatnonzero(choice == 1), np.flatnonzero(choice == 0)])
        return joined.select(np.argsort(order))

    keys = np.array([position.key for position in positions], dtype=np.uint64)
    batch = verdicts_from_children(board, keys, lookup)
    for place, position in enumerate(positions):
        verdict = batch.verdict(place)
        expected = score(position)
        assert verdict.bounds.contains(Value.of_score(expected, position.to_move))
        found[verdict.score is not None] += 1
        if verdict.score is not None:
            assert verdict.score == expected
    assert found[True] > 100
    assert found[False] > 100


def test_best_moves_are_those_with_the_best_score() -> None:
    positions = all_positions(SMALL)
    with Store.open("sqlite://") as store:
        solve_board(store, SMALL)
        batch = store.lookup(SMALL, np.array([position.key for position in positions], dtype=np.uint64))
        best = best_columns(SMALL, batch, lambda keys: store.lookup(SMALL, keys))
    for place, position in enumerate(positions):
        scores = {column: -score(position.play(column)) for column in position.legal_columns}
        expected = [column for column, value in scores.items() if value == max(scores.values())]
        assert np.flatnonzero(best[place]).tolist() == expected


def test_best_moves_without_scores_are_those_that_keep_the_value() -> None:
    start = Position.start()
    children = {start.play(column).canonical_key: name for column, name in ((3, "white"), (2, "draw"), (0, "unknown"))}

    def lookup(keys: Keys) -> VerdictBatch:
        bounds = [Bounds.parse(children.get(key, "unknown")) for key in keys.tolist()]
        return VerdictBatch.of_verdicts(
            [Position.from_key(start.board, key) for key in keys.tolist()],
            [Verdict(each, Source.SEARCH) for each in bounds],
        )

    batch = VerdictBatch.of_verdicts([start], [Verdict(Bounds.parse("white"), Source.SEARCH)])
    assert np.flatnonzero(best_columns(start.board, batch, lookup)[0]).tolist() == [3]
    batch = VerdictBatch.of_verdicts([start], [UNKNOWN])
    assert np.flatnonzero(best_columns(start.board, batch, lookup)[0]).tolist() == [3]


def test_a_parent_that_its_children_exclude_stops_the_run() -> None:
    with Store.open("sqlite://") as store:
        solve_board(store, SMALL)
        value = store.get(Position.start(SMALL)).bounds.value
    other = next(each for each in Value if each is not value)
    with Store.open("sqlite://") as store:
        store.put(Position.start(SMALL), Verdict(Bounds.exactly(other), Source.SEARCH))
        with pytest.raises(ContradictionError, match="the empty board"):
            solve_board(store, SMALL)
        assert store.get(Position.start(SMALL)).bounds.value is other
        assert Position.start(SMALL).to_move is Side.WHITE
        assert tighten_parents(store, SMALL, enumerate_ply(SMALL, 1)).tightened == 0
