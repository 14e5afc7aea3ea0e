"""The pipeline decides what the store leaves open, once, and stores it."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimeven.db.pipeline import BATCH, BuildCounts, build_book, decide_with_store
from claimeven.db.store import Store
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.batch import Decider, Decision
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Bounds, ContradictionError, Source, Value, Verdict
from tests.positions import at, random_positions

SMALL = 1 << 20
BOARD = Board(5, 4)


def decider(scores: bool = False, board: Board = BOARD) -> Decider:
    return Decider(board, scores=scores, memory_bytes=SMALL, threads=2)


@pytest.mark.parametrize("scores", [False, True])
def test_a_book_decides_every_position_up_to_its_ply(tmp_path: Path, scores: bool) -> None:
    board, last = Board(4, 4), 7
    counts, seen = BuildCounts(), []
    with Store.open(tmp_path / "book.db") as store:
        build_book(store, decider(scores, board), last, counts, lambda number, _: seen.append(number))
        assert sum(seen) == counts.positions == sum(counts.by_source.values()) > BATCH
        assert set(counts.by_source) == ({"rules", "search"})
        for ply in range(last + 1):
            for keys in enumerate_ply(board, ply):
                known = store.lookup(board, keys)
                assert known.is_exact.all()
                assert known.has_score.all() or not scores
                if ply == last:
                    for number in range(0, len(keys), 7):
                        position = Position.from_key(board, int(keys[number]))
                        score = minimax_score(position)
                        verdict = known.verdict(number)
                        assert verdict.bounds.value is Value.of_score(score, position.to_move)
                        assert verdict.score in (None, score)
        certificates = list(store.read_proofs(board, last))
        assert certificates
        for certificate in certificates:
            check_certificate(certificate)


def test_a_second_run_solves_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path / "book.db") as store:
        build_book(store, decider(), 6, BuildCounts(), lambda *_: None)
        again, counts = decider(), BuildCounts()
        build_book(store, again, 6, counts, lambda *_: None)
    assert counts.known == counts.positions > 0
    assert again.nodes == 0


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(number: int, counts: BuildCounts) -> None:
        if number:
            raise StoppedError

    with Store.open(tmp_path / "book.db") as store:
        with pytest.raises(StoppedError):
            build_book(store, decider(), 7, BuildCounts(), stop)
        counts = BuildCounts()
        build_book(store, decider(), 7, counts, lambda *_: None)
        assert counts.known == BATCH < counts.positions
        assert store.get(at("", "5x4")).bounds == Bounds.parse("draw")


def test_decisions_come_in_order_whatever_is_stored_mirrored_repeated_or_over(tmp_path: Path) -> None:
    positions = list(random_positions("5x4", 40, seed=11, least_ply=9))
    positions += [position.mirror() for position in positions] + [at("1212121", "5x4")] + positions[:5]
    with Store.open(tmp_path / "store.db") as store:
        for _ in range(2):
            solver = decider(scores=True)
            decisions = decide_with_store(store, solver, positions, with_proofs=True)
            assert [decision.position for decision in decisions] == positions
            scores = [-7 if position.is_over else minimax_score(position) for position in positions]
            assert [decision.verdict.score for decision in decisions] == scores
            for decision in decisions:
                if decision.certificate is not None:
                    check_certificate(decision.certificate)
                    assert decision.certificate.position == decision.position
        assert solver.nodes == 0


def test_a_contradiction_stops_and_shows_both(tmp_path: Path) -> None:
    class Liar(Decider):
        def decide(self, positions: list[Position]) -> list[Decision]:  # type: ignore[override]
            return [Decision(position, Verdict(Bounds.parse("white"), Source.SEARCH)) for position in positions]

    position = at("12", "4x4")
    with Store.open(tmp_path / "store.db") as store:
        store.put(position, Verdict(Bounds.parse("not-white"), Source.SEARCH))
        with pytest.raises(ContradictionError) as raised:
            decide_with_store(store, Liar(Board(4, 4)), [position])
    assert "white" in str(raised.value)
    assert "not-white" in str(raised.value)
