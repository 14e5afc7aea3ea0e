"""Many positions through the front door, in whatever they come, and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import claimeven
from claimeven import _batch
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.notation import format_position
from claimeven.solver.positions import Keys
from tests.positions import random_positions

POSITIONS = list(random_positions("7x6", 40, seed=5, least_ply=24))
TEXTS = [format_position(position) for position in POSITIONS]
KEYS = np.array([position.key for position in POSITIONS], dtype=np.uint64)
EXPECTED = [claimeven.solve(position) for position in POSITIONS]


@pytest.mark.parametrize(
    "given",
    [
        POSITIONS,
        TEXTS,
        tuple(TEXTS),
        iter(TEXTS),
        [*POSITIONS[:20], *TEXTS[20:]],
        KEYS,
        KEYS.astype(np.int64),
        np.array(TEXTS),
        pd.Series(TEXTS),
        pd.Series(KEYS),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:7], TEXTS[7:]]),
        pa.array(KEYS),
    ],
    ids=lambda given: type(given).__name__,
)
def test_all_kinds_of_columns_mean_the_same(given: Any) -> None:
    verdicts = claimeven.solve_many(given)
    assert [(each.value, each.score) for each in verdicts] == [(each.value, each.score) for each in EXPECTED]
    assert verdicts.values.tolist() == [str(each.value) for each in EXPECTED]
    assert verdicts.scores.tolist() == [each.score for each in EXPECTED]
    assert set(verdicts.sources.tolist()) <= {"search", "rules"}


def test_repeated_and_mirrored_positions_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    decide = _batch.decide_keys

    def spy(board: claimeven.Board, keys: Keys, *rest: Any) -> Any:
        asked.append(len(keys))
        return decide(board, keys, *rest)

    monkeypatch.setattr(_batch, "decide_keys", spy)
    verdicts = claimeven.solve_many([*TEXTS, *POSITIONS, *(position.mirror() for position in POSITIONS)])
    assert asked == [len({position.canonical_key for position in POSITIONS})]
    assert [verdicts[place] for place in range(40)] == [verdicts[place] for place in range(80, 120)]


def test_boards_may_be_mixed() -> None:
    small = list(random_positions("5x4", 5, seed=2))
    verdicts = claimeven.solve_many([small[0], POSITIONS[0], *small[1:], TEXTS[1]])
    expected = [claimeven.solve(small[0]), EXPECTED[0], *map(claimeven.solve, small[1:]), EXPECTED[1]]
    assert verdicts.scores.tolist() == [each.score for each in expected]


def test_text_and_keys_of_another_board() -> None:
    board = claimeven.Board(5, 4)
    position = claimeven.Position("3334", board=board)
    keys = np.array([position.key], dtype=np.uint64)
    assert claimeven.solve_many(["3334"], board=board)[0] == claimeven.solve_many(keys, board=board)[0]


def test_the_base_of_columns_belongs_to_all_of_them() -> None:
    from_zero = ["".join(str(int(column) - 1) for column in text) for text in TEXTS]
    assert claimeven.solve_many(from_zero).scores.tolist() == [each.score for each in EXPECTED]
    with pytest.raises(claimeven.PositionError, match="positions 1 and 0: one counts columns from 0"):
        claimeven.solve_many(["7", "0"])


def test_finished_and_open_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    big = claimeven.Position(board=claimeven.Board(9, 6))
    verdicts = claimeven.solve_many([claimeven.Position("1212121"), big], seconds=0.001)
    assert verdicts.values.tolist() == ["white", "unknown"]
    assert verdicts.scores.tolist() == [-18, None]
    assert verdicts.sources.tolist() == ["terminal", ""]
    assert verdicts.to_arrow().column("score").to_pylist() == [-18, None]
    assert verdicts.to_pandas()["score"].isna().tolist() == [False, True]


def test_a_frame_keeps_the_index_of_its_column() -> None:
    games = pd.DataFrame({"moves": TEXTS[:3]}, index=["x", "y", "z"])
    joined = games.join(claimeven.solve_many(games["moves"]).to_pandas())
    assert joined.columns.tolist() == ["moves", "value", "score", "source"]
    assert joined.loc["y", "score"] == EXPECTED[1].score


def test_an_arrow_table_has_the_same_columns() -> None:
    table = claimeven.solve_many(pa.array(TEXTS)).to_arrow()
    assert table.column_names == ["value", "score", "source"]
    assert table.column("score").to_pylist() == [each.score for each in EXPECTED]


def test_the_store_is_asked_and_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    with claimeven.Store.open("sqlite://") as store:
        first = claimeven.solve_many(TEXTS, store=store)
        assert len(store.book()) == len({position.canonical_key for position in POSITIONS})
        asked: list[int] = []
        decide = Decider.decide_keys

        def spy(decider: Decider, these: Keys) -> Any:
            asked.append(len(these))
            return decide(decider, these)

        monkeypatch.setattr(Decider, "decide_keys", spy)
        assert list(claimeven.solve_many(KEYS, store=store).scores) == list(first.scores)
    assert asked == [0]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("4455", TypeError, "several positions"),
        (claimeven.Position(), TypeError, "several positions"),
        (["44", "48"], ValueError, "position 1: move 2"),
        (["44", None], TypeError, "position 1: None"),
        ([4455], TypeError, "position 0: 4455 is neither text nor a Position"),
        (
            np.array([4455]),
            ValueError,
            "position 0: 4455 is not the key of a position on a 7x6 board; moves have to be",
        ),
        (np.array([KEYS[0], -1], dtype=np.int64), ValueError, "position 1: -1 is not the key"),
        (np.array([[1]]), TypeError, "2 dimensions"),
        (5, TypeError, "not int"),
    ],
)
def test_what_is_no_column_of_positions_is_told(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        claimeven.solve_many(given)


def test_numbers_that_are_no_keys_are_all_noticed() -> None:
    board = claimeven.Board(4, 4)
    keys = {int(key) for position in random_positions("4x4", 500, seed=7) for key in (position.key,)}
    numbers = sorted(keys | {key ^ 1 << bit for key in list(keys)[:40] for bit in range(24)})
    for number in numbers:
        try:
            claimeven.Position.from_key(board, number)
            is_key = True
        except claimeven.PositionError:
            is_key = False
        array = np.array([number], dtype=np.uint64)
        if is_key:
            claimeven.solve_many(array, board=board, seconds=0.001)
        else:
            with pytest.raises(claimeven.PositionError):
                claimeven.solve_many(array, board=board)


def test_nothing_is_no_positions() -> None:
    verdicts = claimeven.solve_many([])
    assert (len(verdicts), len(verdicts.to_pandas()), verdicts.to_arrow().num_rows) == (0, 0, 0)
