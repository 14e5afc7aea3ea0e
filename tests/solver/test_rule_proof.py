"""The proof that users get: accepted by the checker, whole, and the same after a round trip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.rule_proof import Proof, find_proof
from tests.positions import at
from tests.solver.proof.certificates import ODD_THREAT


def test_a_certificate_that_does_not_hold_makes_no_proof() -> None:
    with pytest.raises(CertificateError):
        Proof(replace(ODD_THREAT, instances=ODD_THREAT.instances[1:]))
    with pytest.raises(CertificateError):
        Proof(replace(ODD_THREAT, win_condition=None))


def test_json_round_trip() -> None:
    proof = Proof(ODD_THREAT)
    assert Proof.from_json(proof.position, proof.to_json()) == proof
    with pytest.raises(CertificateError):
        Proof.from_json(at("12"), proof.to_json())


def test_the_graph_has_the_chosen_set_marked() -> None:
    proof = Proof(ODD_THREAT)
    graph = proof.graph(conflicts=False)
    chosen = [node for node, is_chosen in graph.nodes(data="chosen") if is_chosen]
    assert len(chosen) == len(proof.solutions) == len(ODD_THREAT.instances)
    assert {edge["kind"] for _, _, edge in graph.edges(data=True)} == {"solves"}
    assert {edge["kind"] for _, _, edge in proof.graph().edges(data=True)} == {"solves", "conflicts"}


def test_what_is_proved() -> None:
    assert str(Proof(ODD_THREAT).verdict.bounds) == "white"
    found = find_proof(at("12"))
    assert found is not None
    assert (found.verdict.value, str(found.verdict.bounds), str(found.controller)) == (None, "not-white", "Black")
    assert str(found) == found.explain()
    assert repr(found) == "<Proof of Position('12'): not-white, 12 solutions>"
