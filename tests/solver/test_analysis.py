"""The analysis of a position: scores, best moves and the line of best play, known or searched."""

from __future__ import annotations

import pytest

from claimeven import Position
from claimeven.solver import inquiry
from claimeven.solver.analysis import analyze
from claimeven.solver.board import Board
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Value, Verdict
from tests.positions import at, random_positions

SMALL = Board(5, 4)


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(SMALL, memory_bytes=1 << 20, threads=1)


def test_the_line_keeps_the_score_until_the_end(searcher: Searcher) -> None:
    for position in random_positions("5x4", 40, seed=4):
        analysis = analyze(position, searcher)
        score = analysis.score
        assert score is not None
        for column in analysis.line:
            position = position.play(column)
            score = -score
            assert position.is_over or searcher.score(position) == score
        assert position.is_over
        assert analysis.line[0] in analysis.best_columns
        assert len(analysis.squares) == len(analysis.line)


def test_all_moves_of_the_best_score_are_best(searcher: Searcher) -> None:
    for position in random_positions("5x4", 40, seed=5):
        analysis = analyze(position, searcher)
        scores = searcher.move_scores(position)
        best = max(score for score in scores.values() if score is not None)
        assert analysis.best_columns == tuple(column for column, score in scores.items() if score == best)
        assert analysis.score == best


def test_a_finished_game_has_a_score_and_no_moves(searcher: Searcher) -> None:
    analysis = analyze(at("1212121", "5x4"), searcher)
    assert (analysis.value, analysis.score, analysis.source) == (Value.WHITE, -7, Source.TERMINAL)
    assert (analysis.moves, analysis.best_columns, analysis.line) == ((), (), ())


def test_a_move_that_ends_the_game_is_terminal(searcher: Searcher) -> None:
    analysis = analyze(at("121212", "5x4"), searcher)
    assert analysis.moves[0].source is Source.TERMINAL
    assert (analysis.best_columns, analysis.line, analysis.squares) == ((0,), (0,), ("a4",))
    assert analysis.moves[0].score == 7


def test_what_is_known_is_not_searched(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    position = at("33", "5x4")
    expected = analyze(position, searcher)
    known = {each.position: each.verdict for each in expected.moves} | {position: expected.verdict}
    told = {each: Verdict(verdict.bounds, Source.RETROGRADE, verdict.score) for each, verdict in known.items()}
    monkeypatch.setattr(searcher, "answers", lambda *a, **o: pytest.fail("everything is known"))
    analysis = analyze(position, searcher, lambda asked: told.get(asked, UNKNOWN))
    assert (analysis.scores, analysis.line) == (expected.scores, expected.line)
    assert {move.source for move in analysis.moves} == {Source.RETROGRADE}


def test_what_the_line_needed_is_told_when_it_took_a_while(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    position = at("33", "5x4")
    told: list[Position] = []
    analysis = analyze(position, searcher, on_found=lambda each, verdict: told.append(each))
    asked = [position, *(move.position for move in analysis.moves)]
    assert told == asked  # the line took no time worth telling
    monkeypatch.setattr(inquiry, "WORTH_TELLING", 0)
    told.clear()
    analyze(position, searcher, on_found=lambda each, verdict: told.append(each))
    after = position.play(analysis.line[0]).play(analysis.line[1])
    assert told[: len(asked) + 1] == [*asked, after]


def test_a_draw_that_is_known_needs_no_score(searcher: Searcher) -> None:
    draw = Verdict(Bounds.exactly(Value.DRAW), Source.RETROGRADE)
    position = at("33", "5x4")
    analysis = analyze(position, searcher, lambda asked: draw if asked == position else UNKNOWN)
    assert (analysis.score, analysis.source) == (0, Source.RETROGRADE)


def test_what_is_known_wrongly_is_a_contradiction(searcher: Searcher) -> None:
    wrong = Verdict(Bounds.exactly(Value.WHITE), Source.RETROGRADE, 3)
    position = at("33", "5x4")
    with pytest.raises(ContradictionError, match="exclude each other"):
        analyze(position, searcher, lambda asked: wrong if asked == position else UNKNOWN)
    with pytest.raises(ContradictionError, match="exclude each other"):
        analyze(position, searcher, lambda asked: Verdict(Bounds.parse("not-black"), Source.RULES))


def test_what_the_budget_was_not_enough_for_stays_open() -> None:
    position = Position()
    analysis = analyze(position, Searcher(memory_bytes=1 << 20, threads=1), budget=Budget(nodes=1))
    assert (analysis.value, analysis.score, analysis.best_columns, analysis.line) == (None, None, (), ())
    assert set(analysis.scores.values()) == {None}


def test_no_move_is_called_best_while_one_is_open() -> None:
    position = at("44")
    known = {position.play(3): Verdict(Bounds.exactly(Value.WHITE), Source.IMPORT, -2)}
    searcher = Searcher(memory_bytes=1 << 20, threads=1)
    analysis = analyze(position, searcher, lambda asked: known.get(asked, UNKNOWN), Budget(nodes=1))
    assert analysis.scores[3] == 2
    assert analysis.best_columns == ()
