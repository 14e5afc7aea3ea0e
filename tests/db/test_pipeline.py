"""The pipeline decides what the store leaves open, once, and stores it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from claimeven.db.books.build import BuildCounts, build_book
from claimeven.db.pipeline import answer_keys, score_moves, write_decided
from claimeven.db.store import Store
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Decided
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, keys_of
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Bounds, ContradictionError, Source, Value, Verdict, judge_end
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch
from tests.positions import at, random_positions

SMALL = 1 << 20
TERMINAL = SOURCE_CODES[Source.TERMINAL]
BOARD = Board(5, 4)


def decider(scores: bool = False, board: Board = BOARD) -> Decider:
    return Decider(board, scores=scores, memory_bytes=SMALL, threads=2)


@pytest.mark.parametrize("scores", [False, True])
def test_a_book_decides_every_position_up_to_its_ply(tmp_path: Path, scores: bool) -> None:
    board, last = Board(4, 4), 7
    counts, seen = BuildCounts(), []
    with Store.open(tmp_path / "book.db") as store:
        build_book(store, decider(scores, board), last, counts, lambda number, _: seen.append(number))
        assert sum(seen) == counts.positions == sum(counts.by_source.values()) > 1000
        assert set(counts.by_source) == ({"search"} if scores else {"rules", "search"})
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


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.solver.deciding.decider.SLICE", 100)

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
        assert 0 < counts.known < 100 < counts.positions
        assert store.get(at("", "5x4")).bounds == Bounds.parse("draw")


def test_every_position_is_answered_once_whatever_is_stored_mirrored_repeated_or_over(tmp_path: Path) -> None:
    positions = list(random_positions("5x4", 40, seed=11, least_ply=9))
    positions += [position.mirror() for position in positions] + [at("1212121", "5x4")] + positions[:5]
    keys = keys_of(BOARD, positions)
    scores = np.array([-7 if position.is_over else minimax_score(position) for position in positions])
    with Store.open(tmp_path / "store.db") as store:
        for is_stored in (False, True):
            solver = decider(scores=True)
            found = np.zeros(len(keys), np.int64)
            times = np.zeros(len(keys), np.int64)
            for answered in answer_keys(solver, keys, store):
                assert (answered.verdicts.keys == keys[answered.places]).all()
                found[answered.places] = answered.verdicts.scores
                times[answered.places] += 1
                assert answered.was_known == is_stored or (answered.verdicts.sources == TERMINAL).all()
            assert (times == 1).all()
            assert (found == scores).all()
        assert solver.nodes == 0
        proofs = store.read_proof_texts(BOARD, keys)
        assert proofs
        for certificate in store.read_proofs(BOARD):
            check_certificate(certificate)
            assert certificate.position.key in proofs


def test_moves_have_the_scores_of_minimax_and_nothing_else(tmp_path: Path) -> None:
    positions = [*random_positions("5x4", 30, seed=3, least_ply=8), at("1212121", "5x4"), at("", "5x4")]
    keys = np.array([position.key for position in positions], np.uint64)
    with Store.open(tmp_path / "store.db") as store:
        scores = score_moves(decider(scores=True), keys, store).scores
    for position, row in zip(positions[:-1], scores[:-1].tolist(), strict=True):
        legal = set(position.legal_columns)
        for column, score in enumerate(row):
            if column not in legal:
                assert score == NO_SCORE
                continue
            after = position.play(column)
            expected = judge_end(after).score if after.is_over else minimax_score(after)
            assert expected is not None
            assert score == -expected
    assert (scores[-1] == scores[-1][::-1]).all()


def test_a_contradiction_stops_and_shows_both(tmp_path: Path) -> None:
    class Liar(Decider):
        def decide_keys(self, keys: Keys) -> Iterator[Decided]:
            yield Decided.without_search(
                np.arange(len(keys)), VerdictBatch.of_values(keys, np.ones(len(keys), np.int8), Source.SEARCH)
            )

    position = at("12", "4x4")
    with Store.open(tmp_path / "store.db") as store:
        store.put(position, Verdict(Bounds.parse("not-white"), Source.SEARCH))
        with pytest.raises(ContradictionError) as raised:
            list(answer_keys(Liar(Board(4, 4)), keys_of(Board(4, 4), [position]), store))
    assert "white" in str(raised.value)
    assert "not-white" in str(raised.value)


def test_what_positions_cost_is_stored_with_them() -> None:
    keys = keys_of(Board(), [at("3"), at("34")])
    verdicts = VerdictBatch.of_values(keys, np.zeros(2, np.int8), Source.SEARCH)
    with Store.open("sqlite://") as store:
        write_decided(store, Board(), Decided(np.arange(2), verdicts, np.array([12345, 5]), np.array([4.5, 0.1])))
        (effort,) = store.read_efforts(Board())
    assert (effort.nodes, effort.seconds) == (12345, 4.5)
    assert effort.position.canonical_key == at("3").canonical_key
