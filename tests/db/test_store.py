"""The contract of a store, the same on every backend.

Another database is tested when CLAIMEVEN_TEST_DB holds the SQLAlchemy URL of a server where databases may be made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.db.location import StoreLocation
from claimeven.db.quick_reader import QuickReader, open_reader
from claimeven.db.store import Store
from claimeven.db.tables.rows import score_range
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.positions import canonical_keys
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Verdict
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch
from tests.positions import at
from tests.solver.games import positions

BOARD = Board()
BACKENDS = ("file", "memory", "url")


def verdict(name: str, source: Source = Source.SEARCH, score: int | None = None) -> Verdict:
    return Verdict(Bounds.parse(name), source, score)


def proof_of(moves: str, board: str = "7x6") -> Certificate:
    certificate = prove(at(moves, board)).certificate
    assert certificate is not None
    return certificate


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "url":
        where = request.getfixturevalue("server_url")
    else:
        where = {"file": str(tmp_path / "store.db"), "memory": "sqlite://"}[request.param]
    with Store.open(where) as opened:
        yield opened


class TestStore:
    def test_an_empty_store_knows_nothing(self, store: Store) -> None:
        assert store.get(at("44")) == UNKNOWN
        assert store.get_proof(at("44")) is None
        assert store.boards() == []
        assert store.plies(BOARD) == []
        assert list(store.read_ply(BOARD, 2)) == []
        assert store.read([]) == []

    def test_what_is_put_is_got_for_both_mirror_images(self, store: Store) -> None:
        store.put(at("1"), verdict("black", score=2))
        assert store.get(at("1")) == store.get(at("7")) == verdict("black", score=2)
        assert store.get(at("2")) == UNKNOWN
        assert store.boards() == [BOARD]

    def test_verdicts_only_tighten(self, store: Store) -> None:
        store.put(at("44"), verdict("not-black", Source.RETROGRADE))
        store.put(at("44"), verdict("unknown"))
        assert store.get(at("44")) == verdict("not-black", Source.RETROGRADE)
        store.put(at("44"), verdict("white"))
        assert store.get(at("44")) == verdict("white")
        store.put(at("44"), verdict("not-black", Source.RETROGRADE))
        assert store.get(at("44")) == verdict("white")
        store.put(at("44"), verdict("white", Source.RETROGRADE, 1))
        assert store.get(at("44")) == verdict("white", Source.RETROGRADE, 1)
        store.put(at("44"), verdict("white", Source.SEARCH))
        assert store.get(at("44")) == verdict("white", Source.RETROGRADE, 1)

    def test_two_bounds_together(self, store: Store) -> None:
        store.put(at("44"), verdict("not-black"))
        store.put(at("44"), verdict("not-white", Source.RETROGRADE))
        assert store.get(at("44")) == verdict("draw", Source.RETROGRADE, 0)

    def test_a_draw_has_the_score_0(self, store: Store) -> None:
        store.put(at("444"), verdict("draw"))
        assert store.get(at("444")).score == 0

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (verdict("white"), verdict("not-white", Source.RETROGRADE)),
            (verdict("draw"), verdict("black", Source.RETROGRADE)),
            (verdict("white", score=3), verdict("white", Source.RETROGRADE, 4)),
        ],
    )
    def test_a_contradiction_shows_both_and_changes_nothing(self, store: Store, old: Verdict, new: Verdict) -> None:
        store.put(at("3344"), old)
        before = store.get(at("3344"))
        batch = VerdictBatch.of_verdicts([at("3343"), at("3344")], [verdict("black"), new])
        with pytest.raises(ContradictionError) as error:
            store.write(BOARD, batch)
        assert "3344 (7x6, ply 4)" in str(error.value)
        assert f"stored: {old.bounds}" in str(error.value)
        assert f"new:    {new.bounds}" in str(error.value)
        assert store.get(at("3344")) == before
        assert store.get(at("3343")) == UNKNOWN

    def test_a_batch_may_name_a_position_twice(self, store: Store) -> None:
        names = ["not-white", "not-black", "draw"]
        batch = VerdictBatch.of_verdicts([at("44")] * 3, [verdict(name) for name in names])
        assert store.write(BOARD, batch) == 2  # the third says nothing more
        assert store.get(at("44")).bounds == Bounds.parse("draw")
        with pytest.raises(ContradictionError):
            store.write(BOARD, VerdictBatch.of_verdicts([at("4")] * 2, [verdict("white"), verdict("black")]))
        assert store.get(at("4")) == UNKNOWN

    def test_many_of_all_plies_in_any_order(self, store: Store) -> None:
        keys = np.concatenate([part for ply in range(7) for part in enumerate_ply(BOARD, ply)])
        chance = np.random.default_rng(3)
        keys = chance.permutation(keys)
        scores = chance.integers(-10, 11, len(keys))
        half = len(keys) // 2
        assert (
            store.write(BOARD, VerdictBatch.of_scores(BOARD, keys, scores, Source.SEARCH).select(slice(half))) == half
        )
        assert store.write(BOARD, VerdictBatch.of_scores(BOARD, keys, scores, Source.SEARCH)) == len(keys) - half
        asked = np.concatenate([chance.permutation(keys), keys[:5], keys[:5]])
        truth = dict(zip(keys.tolist(), scores.tolist(), strict=True))
        found = store.lookup(BOARD, asked)
        assert found.keys.tolist() == asked.tolist()
        assert found.scores.tolist() == [truth[key] for key in asked.tolist()]
        assert store.plies(BOARD) == list(range(7))
        assert sum(store.count_positions(BOARD).values()) == len(keys)
        read = [key for ply in range(7) for batch in store.read_ply(BOARD, ply, 100) for key in batch.keys.tolist()]
        assert sorted(read) == sorted(keys.tolist())

    def test_some_known_and_some_not(self, store: Store) -> None:
        keys = np.concatenate(list(enumerate_ply(BOARD, 4)))
        store.write(BOARD, VerdictBatch.of_values(keys[::2], np.ones(len(keys[::2]), dtype=int), Source.SEARCH))
        assert store.lookup(BOARD, keys).is_known.tolist() == [place % 2 == 0 for place in range(len(keys))]

    def test_boards_do_not_mix(self, store: Store) -> None:
        other = Board(7, 6, 5)
        store.put(Position.start(), verdict("white", score=1))
        assert store.get(Position.start(other)) == UNKNOWN
        store.put(Position.start(other), verdict("draw"))
        assert store.get(Position.start()) == verdict("white", score=1)
        assert store.boards() == [BOARD, other]

    def test_keys_of_64_bits(self, store: Store) -> None:
        board = Board(8, 7)
        tall = Position.from_moves(board, [7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0])
        assert tall.canonical_key >= 1 << 63
        low = Position.start(board)
        for position in (tall, low):
            store.put(position, verdict("white"))
        assert store.get(tall) == verdict("white")
        assert [batch.keys.tolist() for batch in store.read_ply(board, tall.ply)] == [[tall.canonical_key]]

    def test_reading_goes_on_while_writing(self, store: Store) -> None:
        keys = np.concatenate(list(enumerate_ply(BOARD, 4)))
        draw, white = np.zeros(len(keys), dtype=int), np.ones(len(keys), dtype=int)
        store.write(BOARD, VerdictBatch.of_bounds(keys, draw, white, Source.SEARCH))
        seen = 0
        for batch in store.read_ply(BOARD, 4, chunk=100):
            values = VerdictBatch.of_values(batch.keys, np.zeros(len(batch), dtype=int), Source.RETROGRADE)
            seen += store.write(BOARD, values)
        assert seen == len(keys)

    def test_a_proof_comes_back_for_both_mirror_images(self, store: Store) -> None:
        proof = proof_of("12")
        assert store.write_proofs([proof]) == 1
        assert store.get(at("76")) == verdict("not-white", Source.RULES)
        assert store.get_proof(at("12")) == proof
        mirrored = store.get_proof(at("76"))
        assert mirrored is not None
        assert mirrored.position == at("76")
        assert store.count_proofs(BOARD) == {2: 1}
        assert [each.position.canonical_key for each in store.read_proofs(BOARD)] == [at("12").canonical_key]
        assert store.write_proofs([proof]) == 0

    def test_a_proof_that_does_not_hold_is_not_stored(self, store: Store) -> None:
        proof = proof_of("12")
        broken = replace(proof, instances=proof.instances[1:])
        with pytest.raises(CertificateError):
            store.write_proofs([proof_of("4445333551"), broken])
        assert store.count_proofs(BOARD) == {}
        assert store.boards() == []

    def test_a_proof_that_contradicts_a_verdict_is_not_stored(self, store: Store) -> None:
        store.put(at("12"), verdict("white"))
        with pytest.raises(ContradictionError, match="12 "):
            store.write_proofs([proof_of("12")])
        assert store.get_proof(at("12")) is None

    def test_of_two_proofs_the_stronger_is_kept(self, store: Store) -> None:
        strong = proof_of("4555527434334465243567")
        assert str(strong.bounds) == "black"
        # Here its Afterevens only make a win of the draw.
        others = tuple(instance for instance in strong.instances if instance.rule is not Rule.AFTEREVEN)
        weak = replace(strong, instances=others)
        store.write_proofs([weak])
        assert store.get(strong.position).bounds == Bounds.parse("not-white")
        store.write_proofs([strong])
        assert store.get_proof(strong.position) == strong
        store.write_proofs([weak])
        assert store.get_proof(strong.position) == strong
        assert store.get(strong.position).bounds == Bounds.parse("black")

    def test_proofs_of_several_boards(self, store: Store) -> None:
        proofs = [proof_of("12"), proof_of("", "6x4"), proof_of("", "6x6")]
        assert store.write_proofs(proofs) == 3
        for proof in proofs:
            assert store.get_proof(proof.position) == proof

    @pytest.mark.parametrize("source", [Source.RULES, Source.IMPORT])
    def test_no_proof_and_no_claim_without_its_evidence(self, store: Store, source: Source) -> None:
        with pytest.raises(ValueError, match="evidence"):
            store.put(at("44"), verdict("white", source))

    def test_claims_are_kept_beside_the_verdicts(self, store: Store) -> None:
        run = store.start_run("book import", {"file": "book"})
        claim = VerdictBatch.of_verdicts([at("44"), at("4")], [verdict("white", Source.IMPORT, 1)] * 2)
        with pytest.raises(ContradictionError):
            store.write_claims(BOARD, claim, run)  # with Black to move a positive score is Black's
        claim = VerdictBatch.of_verdicts([at("44")], [verdict("white", Source.IMPORT, 1)])
        assert store.write_claims(BOARD, claim, run) == 1
        assert store.write_claims(BOARD, claim, run) == 0
        assert store.get(at("44")) == UNKNOWN
        assert store.read([at("44")])[0].claim == verdict("white", Source.IMPORT, 1)
        assert store.count_claims(BOARD) == {2: 1}
        other = VerdictBatch.of_verdicts([at("44")], [verdict("draw", Source.IMPORT)])
        assert store.write_claims(BOARD, other, run) == 0
        assert [batch.verdict(0) for batch in store.read_claims(BOARD, 2)] == [verdict("white", Source.IMPORT, 1)]
        store.put(at("44"), verdict("black"))  # a claim never stops a run

    def test_runs_are_noted(self, store: Store) -> None:
        first = store.start_run("book build", {"board": "7x6", "ply": 8})
        second = store.start_run("solve", {})
        store.finish_run(first, {"positions": 129_498})
        records = store.runs()
        assert [record.number for record in records] == [first, second]
        assert records[0].arguments == {"board": "7x6", "ply": 8}
        assert records[0].counts == {"positions": 129_498}
        assert isinstance(records[0].ended, datetime)
        assert records[0].started <= records[0].ended
        assert records[1].ended is None
        assert "python" in records[0].versions

    def test_what_is_copied_is_equal(self, store: Store) -> None:
        store.put(at("1"), verdict("black", score=2))
        store.write_proofs([proof_of("12")])
        with Store.open("sqlite://") as copy:
            for ply in store.plies(BOARD):
                copy.copy_ply(store, BOARD, ply, lambda number: None)
            assert copy.read([at("1"), at("12")]) == store.read([at("1"), at("12")])
            assert copy.get_proof(at("12")) == proof_of("12")


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_verdicts_of_any_positions_come_back(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from([Board(), Board(8, 7), Board(6, 4), Board(5, 4, 3)]))
    drawn = data.draw(st.lists(positions((board,)), max_size=12, unique_by=lambda position: position.canonical_key))
    keys = np.array([position.key for position in drawn], dtype=np.uint64)
    scores = np.array([data.draw(st.integers(*score_range(board, each.ply))) for each in drawn], dtype=np.int64)
    batch = VerdictBatch.of_scores(board, canonical_keys(board, keys), scores, Source.SEARCH)
    with TemporaryDirectory() as directory:
        path = Path(directory) / "store.db"
        with Store.open(path) as store:
            store.write(board, batch)
            read = store.read(drawn)
            assert [known.verdict for known in read] == [batch.verdict(place) for place in range(len(drawn))]
        # Without SQLAlchemy the same comes out, from the file alone.
        with open_reader(StoreLocation.parse(str(path))) as reader:
            assert isinstance(reader, QuickReader)
            assert reader.read(drawn) == read


def test_the_quick_reader_reads_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    asked = [at(moves) for moves in ("12", "76", "1", "4", "44")]
    with Store.open(path) as store:
        store.write_proofs([proof_of("12")])
        store.put(at("1"), verdict("black", score=2))
        run = store.start_run("book import", {})
        store.write_claims(BOARD, VerdictBatch.of_verdicts([at("4")], [verdict("white", Source.IMPORT, -1)]), run)
        read = store.read(asked)
        assert read[1].read_proof(at("76")) == store.get_proof(at("76"))
    assert [known.proof is not None for known in read] == [True, True, False, False, False]
    assert [str(known.claim.bounds) for known in read] == ["unknown"] * 3 + ["white", "unknown"]
    with open_reader(StoreLocation.parse(str(path))) as reader:
        assert reader.read(asked) == read
        assert reader.read([Position.start(Board(5, 5))])[0].verdict == UNKNOWN
    with open_reader(StoreLocation.parse("sqlite://")) as reader:
        assert reader.read([at("44")])[0].verdict == UNKNOWN


@pytest.mark.slow
def test_fifty_thousand_verdicts_a_second(tmp_path: Path) -> None:
    from time import perf_counter

    keys = np.concatenate(list(enumerate_ply(BOARD, 9)))
    batch = VerdictBatch.of_scores(BOARD, keys, np.full(len(keys), 3), Source.SEARCH)
    with Store.open(tmp_path / "store.db") as store:
        start = perf_counter()
        for first in range(0, len(keys), 50_000):
            store.write(BOARD, batch.select(slice(first, first + 50_000)))
        assert len(keys) / (perf_counter() - start) > 50_000
        start = perf_counter()
        found = store.lookup(BOARD, np.random.default_rng(1).permutation(keys))
        assert len(keys) / (perf_counter() - start) > 50_000
    assert not (found.scores == NO_SCORE).any()
    assert (tmp_path / "store.db").stat().st_size / len(keys) < 30
