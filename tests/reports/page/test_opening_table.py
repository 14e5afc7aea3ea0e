"""The data of the opening table: all that the store knows up to a ply, and never more bytes than allowed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimeven.db.store import Store
from claimeven.reports.page.opening_table import SOURCE_CODES, VALUE_CODES, OpeningTable, describe_proof, read_table
from claimeven.solver.board import Board
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.proof.explanation import explain
from claimeven.solver.proof.prover import prove
from tests.positions import at
from tests.reports.stores import LAST_PLY, SMALL


@pytest.fixture(scope="module")
def store(report_store: Path) -> Iterator[Store]:
    with Store.open(report_store, writable=False) as opened:
        yield opened


def test_every_position_is_there_with_its_verdict(store: Store) -> None:
    table = read_table(store, SMALL)
    assert table.last_ply == LAST_PLY
    entries = json.loads(table.to_json())["positions"]
    seen = 0
    for ply in range(LAST_PLY + 1):
        for keys in enumerate_ply(SMALL, ply):
            known = store.lookup(SMALL, keys)
            for place, key in enumerate(keys.tolist()):
                verdict = known.verdict(place)
                score = "" if verdict.score is None else str(verdict.score)
                code = VALUE_CODES[str(verdict.bounds)] + SOURCE_CODES[str(verdict.source)] + score
                assert entries[f"{key:x}"] == code
                seen += 1
    assert seen == len(entries) == table.positions


def test_every_proof_is_there(store: Store) -> None:
    table = read_table(store, SMALL)
    proofs = json.loads(table.to_json())["proofs"]
    certificates = list(store.read_proofs(SMALL))
    assert len(certificates) == len(proofs) == table.proofs == table.proofs_shown > 0
    for certificate in certificates:
        assert len(proofs[f"{certificate.position.key:x}"]["sentences"]) == len(certificate.instances)


def test_a_ply_that_does_not_fit_is_left_out_with_all_deeper_ones(store: Store) -> None:
    def size(table: OpeningTable) -> int:
        return len(json.dumps(table.data["positions"], separators=(",", ":")))

    whole = size(read_table(store, SMALL))
    for room in (0, 10, 500, 4_000, whole // 2):
        table = read_table(store, SMALL, position_bytes=room)
        assert table.last_ply < LAST_PLY
        assert table.last_ply == -1 or size(table) <= room
        known = store.count_positions(SMALL)
        assert table.positions == sum(known[ply] for ply in range(table.last_ply + 1))
        assert all(Position.from_key(SMALL, int(key, 16)).ply <= table.last_ply for key in [*table.data["proofs"]])


def test_proofs_that_do_not_fit_are_counted(store: Store) -> None:
    table = read_table(store, SMALL, proof_bytes=12_000)
    assert 0 < table.proofs_shown < table.proofs
    assert len(json.dumps(list(table.data["proofs"].values()))) <= 12_000 + 2 * table.proofs_shown


def test_plies_of_which_nothing_is_known_are_no_end(store: Store) -> None:
    table = read_table(store, Board())
    assert table.last_ply == 15
    assert not any(Position.from_key(Board(), int(key, 16)).ply == 0 for key in table.data["positions"])


def test_a_proof_has_the_picture_and_sentences_of_its_explanation() -> None:
    certificate = prove(at("444433351225255")).certificate
    assert certificate is not None
    proof = describe_proof(certificate)
    text = explain(certificate)
    drawn = draw_position(certificate.position, proof=certificate, key=False)
    assert proof["picture"].removeprefix("<g>").removesuffix("</g>") in drawn
    assert [kind for kind, _ in proof["meanings"]] == ["ours", "theirs", "shared", "threat", "kept-out"]
    words = " ".join(text.split())
    assert proof["condition"] in words
    for sentence in proof["sentences"]:
        assert sentence in words
    assert proof["verdict"] == "White wins"


def test_nothing_ends_the_script_element(store: Store) -> None:
    assert "<" not in read_table(store, SMALL).to_json()
