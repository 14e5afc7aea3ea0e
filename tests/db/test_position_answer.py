"""Answers: from the position, from its moves, from claims, and from the end of the game."""

from __future__ import annotations

import pytest

from claimeven.db.position_answer import answer
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Value, Verdict, judge_end
from claimeven.solver.verdicts import VerdictBatch
from tests.db.solved_boards import SMALL, all_positions, score, solve_board
from tests.positions import at


def verdict(name: str, source: Source = Source.SEARCH, score_: int | None = None) -> Verdict:
    return Verdict(Bounds.parse(name), source, score_)


def test_every_answer_of_a_solved_board() -> None:
    with Store.open("sqlite://") as store:
        solve_board(store, SMALL)
        for position in all_positions(SMALL)[::7]:
            found = answer(position, store)
            expected = score(position)
            assert found.verdict.score == expected
            assert found.verdict.bounds.value is Value.of_score(expected, position.to_move)
            scores = {move.column: move.score for move in found.moves}
            assert scores == {column: -score(position.play(column)) for column in position.legal_columns}
            assert list(found.best_columns) == [column for column, each in scores.items() if each == expected]


def test_finished_positions_need_no_store() -> None:
    with Store.open("sqlite://") as store:
        found = answer(at("1212121"), store)
        assert (found.verdict, found.moves) == (verdict("white", Source.TERMINAL, -18), ())
        found = answer(at("121212"), store)  # White wins with one move; of the others nothing is known
        assert found.verdict == verdict("white", Source.RETROGRADE)
        assert found.best_columns == (0,)
        assert found.moves[0].verdict.source is Source.TERMINAL
        assert found.moves[0].score == 18
        assert found.moves[0].square == "a4"
    full = Position.from_moves(Board(1, 4, 4), [0, 0, 0, 0])
    assert judge_end(full) == verdict("draw", Source.TERMINAL, 0)


def test_the_position_is_known_when_its_moves_are() -> None:
    with Store.open("sqlite://") as store:
        for column, name in enumerate(("black", "black", "draw", "draw")):
            store.put(Position.start().play(column), verdict(name))
        found = answer(Position.start(), store)
        assert found.verdict.bounds == Bounds.parse("draw")
        assert found.verdict.source is Source.RETROGRADE
        assert found.verdict.score is None
        assert found.best_columns == (2, 3, 4)


def test_a_best_move_is_only_named_when_it_is_known_to_be_one() -> None:
    with Store.open("sqlite://") as store:
        assert answer(Position.start(), store).best_columns == ()
        store.put(Position.start().play(3), verdict("not-black"))
        found = answer(Position.start(), store)
        assert (str(found.verdict.bounds), found.best_columns) == ("not-black", ())
        store.put(Position.start(), verdict("draw"))
        assert answer(Position.start(), store).best_columns == (3,)


def test_what_is_known_comes_before_what_is_claimed() -> None:
    with Store.open("sqlite://") as store:
        run = store.start_run("book import", {})
        claims = VerdictBatch.of_verdicts([at("44"), at("443")], [verdict("white", Source.IMPORT, 1)] * 2).select(
            slice(1)
        )
        store.write_claims(Board(), claims, run)
        assert answer(at("44"), store).verdict == verdict("white", Source.IMPORT, 1)
        assert answer(at("4"), store).verdict == UNKNOWN  # nothing is derived from a claim
        assert answer(at("4"), store).moves[3].verdict.source is Source.IMPORT
        store.put(at("44"), verdict("black"))
        assert answer(at("44"), store).verdict == verdict("black")


def test_moves_that_contradict_their_position() -> None:
    with Store.open("sqlite://") as store:
        store.put(at("4"), verdict("black"))
        store.put(at("44"), verdict("black"))
        assert answer(at("4"), store).best_columns == (3,)
        for column in range(7):
            if column != 3:
                store.put(at("4").play(column), verdict("white"))
        store.put(at("5"), verdict("black"))
        for column in range(7):
            store.put(at("5").play(column), verdict("white"))
        with pytest.raises(ContradictionError):
            answer(at("5"), store)
