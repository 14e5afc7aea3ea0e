"""One position through the front door: solved, analysed, proved, with a store and without."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import claimeven
from claimeven.solver.proof import prover
from claimeven.solver.proof.certificate import FalseProofError
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Bounds, Source, Verdict
from tests.positions import random_positions

SMALL = claimeven.Board(5, 4)
PROVED = "43443444536335525626636567777772"


def test_a_position_is_solved_from_text_and_as_itself() -> None:
    verdict = claimeven.solve("44455554221")
    assert (verdict.value, verdict.score, verdict.source) == ("white", -15, "search")
    assert claimeven.solve(claimeven.Position("44455554221")) == verdict


def test_a_draw_has_the_score_0_without_asking_for_scores() -> None:
    assert claimeven.solve(claimeven.Position(board=SMALL), score=False).score == 0


def test_time_that_is_too_short_leaves_it_open() -> None:
    verdict = claimeven.solve(claimeven.Position(board=claimeven.Board(9, 6)), seconds=0.001)
    assert (verdict.value, verdict.score, verdict.source) == (None, None, None)


def test_solving_asks_the_store_first_and_stores_what_it_finds() -> None:
    with claimeven.Store.open("sqlite://") as store:
        found = claimeven.solve("44455554221", store=store)
        assert store.get(claimeven.Position("44455554221")) == found
        # A verdict that search would never give shows that it was not searched again.
        other = claimeven.Position("1234567")
        told = Verdict(Bounds.parse("white"), Source.RETROGRADE, -3)
        store.put(other, told)
        assert claimeven.solve(other, store=store) == told


def test_several_threads_take_turns() -> None:
    positions = [*random_positions("5x4", 20, seed=3), *random_positions("4x4", 20, seed=3)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(claimeven.solve, positions))
    assert together == [claimeven.solve(position) for position in positions]


def test_analysis_gives_the_score_of_every_move() -> None:
    searcher = Searcher(SMALL, memory_bytes=1 << 20, threads=1)
    for position in random_positions("5x4", 30, seed=1):
        analysis = claimeven.analyze(position)
        assert analysis.scores == searcher.move_scores(position)
        assert analysis.score == searcher.score(position)


def test_analysis_stores_what_it_finds_and_does_not_search_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    position = claimeven.Position("33", board=SMALL)
    with claimeven.Store.open("sqlite://") as store:
        first = claimeven.analyze(position, store=store)
        assert store.query(position).best_columns == first.best_columns == (2,)
        asked: list[int] = []
        answer = Searcher.answer

        def spy(searcher: Searcher, each: claimeven.Position, *rest: Any, **options: Any) -> Any:
            asked.append(each.ply)
            return answer(searcher, each, *rest, **options)

        monkeypatch.setattr(Searcher, "answer", spy)
        monkeypatch.setattr(Searcher, "answers", lambda *a, **o: pytest.fail("all moves are known"))
        assert claimeven.analyze(position, store=store) == first
    assert all(ply > position.ply + 1 for ply in asked)


def test_a_proof_is_one_that_the_checker_accepted() -> None:
    proof = claimeven.prove(PROVED)
    assert proof is not None
    proof.check()
    assert proof.verdict == Verdict(Bounds.parse("not-white"), Source.RULES)
    assert proof.explain().startswith("Black at least draws\n")


@pytest.mark.parametrize("text", ["4", "1212121"])
def test_no_proof_is_none(text: str) -> None:
    assert claimeven.prove(text) is None


def test_no_proof_where_the_rules_say_nothing() -> None:
    assert claimeven.prove(claimeven.Position(board=claimeven.Board(7, 5))) is None


def test_a_certificate_that_does_not_hold_never_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    prove = prover.prove

    def corrupt(position: claimeven.Position, budget: int) -> prover.ProofAttempt:
        attempt = prove(position, budget)
        assert attempt.certificate is not None
        return replace(attempt, certificate=replace(attempt.certificate, instances=attempt.certificate.instances[1:]))

    monkeypatch.setattr(prover, "prove", corrupt)
    with pytest.raises(FalseProofError):
        claimeven.prove(PROVED)


def test_a_store_that_is_only_read_is_asked_and_left_alone(tmp_path: Path) -> None:
    claimeven.Store.open(tmp_path / "book.db").close()
    with claimeven.Store.open(tmp_path / "book.db", writable=False) as store:
        assert claimeven.solve("44455554221", store=store).score == -15
        assert len(store.book()) == 0


def test_the_store_of_the_command_is_the_one_that_opens_without_a_place(own_store: Path) -> None:
    with claimeven.Store.open() as store:
        claimeven.solve("44455554221", store=store)
    assert own_store.exists()
    with claimeven.Store.open(own_store, writable=False) as store:
        assert store.query("44455554221").score == -15
