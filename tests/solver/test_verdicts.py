"""The algebra on arrays is the algebra of `claimeven.solver.verdict`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, ContradictionError, Source, Value, Verdict
from claimeven.solver.verdicts import VerdictBatch, check_batch, complete_draws, tighten
from tests.positions import at

BOUNDS = [Bounds.parse(name) for name in ("white", "draw", "black", "not-white", "not-black", "unknown")]
BOARD = Board()
bounds = st.sampled_from(BOUNDS)
sources = st.sampled_from([Source.SEARCH, Source.RETROGRADE, Source.RULES])


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    """A verdict of a position with White to move."""
    if draw(st.booleans()):
        score = draw(st.integers(-18, 18))
        return Verdict(Bounds.exactly(Value.of_score(score, Position.start().to_move)), draw(sources), score)
    return Verdict(draw(bounds), draw(sources))


@given(verdicts())
def test_a_verdict_comes_out_as_it_went_in(verdict: Verdict) -> None:
    assert VerdictBatch.of_verdicts([at("44")], [verdict]).verdict(0) == verdict


@given(verdicts(), verdicts())
def test_tightening_is_that_of_bounds(old: Verdict, new: Verdict) -> None:
    first, second = (VerdictBatch.of_verdicts([at("44")], [each]) for each in (old, new))
    clash = old.score is not None and new.score is not None and old.score != new.score
    try:
        expected = old.bounds.tighten(new.bounds)
    except ContradictionError:
        clash = True
    if clash:
        with pytest.raises(ContradictionError) as error:
            tighten(BOARD, first, second)
        message = str(error.value)
        assert "44 (7x6, ply 2)" in message
        assert f"stored: {old.bounds}" in message
        assert f"new:    {new.bounds}" in message
        assert "...o..." in message
        return
    merged, more = tighten(BOARD, first, second)
    result = merged.verdict(0)
    assert result.bounds == expected
    assert result.score == (new.score if old.score is None else old.score)
    changed = (result.bounds, result.score) != (old.bounds, old.score)
    assert bool(more[0]) == changed
    assert result.source == (new.source if changed else old.source)


def test_scores_give_values() -> None:
    keys = np.array([at(moves).canonical_key for moves in ("44", "4", "", "1")], dtype=np.uint64)
    batch = VerdictBatch.of_scores(BOARD, keys, np.array([3, 3, 0, -2]), Source.SEARCH)
    assert [str(batch.verdict(place).bounds) for place in range(4)] == ["white", "black", "draw", "white"]
    assert batch.scores.tolist() == [3, 3, 0, -2]


def test_a_draw_has_a_score() -> None:
    keys = np.array([1, 2, 3], dtype=np.uint64)
    batch = complete_draws(VerdictBatch.of_bounds(keys, np.array([0, 0, 1]), np.array([0, 1, 1]), Source.SEARCH))
    assert batch.has_score.tolist() == [True, False, False]
    assert batch.scores[0] == 0


@pytest.mark.parametrize(("least", "greatest", "score"), [(1, 0, -128), (1, 1, -3), (0, 1, 0), (0, 0, 2)])
def test_a_verdict_that_contradicts_itself_is_refused(least: int, greatest: int, score: int) -> None:
    small = np.int8
    batch = VerdictBatch(
        np.array([at("44").canonical_key], dtype=np.uint64),
        *(np.array([number], dtype=small) for number in (least, greatest, score, 3)),
    )
    with pytest.raises(ContradictionError, match=r"44 \(7x6, ply 2\)"):
        check_batch(BOARD, batch)
