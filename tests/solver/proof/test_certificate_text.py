"""Certificates as short text: read back equal, mirrored they still hold, and nonsense is refused."""

from __future__ import annotations

from collections import Counter

import pytest

from claimeven.solver.proof.certificate import Certificate, CertificateError, OddThreat, ThreatCombination
from claimeven.solver.proof.certificate_text import (
    canonical_position,
    mirror_certificate,
    orient_certificate,
    proves_win,
    read_certificate,
    write_certificate,
)
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from tests.positions import at, random_positions
from tests.solver.proof.certificates import SAMPLES


def proofs() -> list[Certificate]:
    found = list(SAMPLES.values())
    for board, count in (("7x6", 300), ("6x4", 100), ("9x6", 100)):
        for position in random_positions(board, count, seed=4):
            certificate = prove(position).certificate
            if certificate is not None:
                found.append(certificate)
    return found


PROOFS = proofs()


def test_there_is_something_of_everything() -> None:
    rules = Counter(instance.rule for certificate in PROOFS for instance in certificate.instances)
    assert set(rules) == set(Rule)
    assert {type(certificate.win_condition) for certificate in PROOFS} == {type(None), OddThreat, ThreatCombination}


def test_read_back_equal() -> None:
    for certificate in PROOFS:
        text = write_certificate(certificate)
        assert read_certificate(certificate.position, text) == certificate
        assert proves_win(text) == certificate.has_aftereven


def test_the_mirror_image_of_a_proof_is_a_proof() -> None:
    for certificate in PROOFS:
        mirrored = mirror_certificate(certificate)
        assert mirrored.position == certificate.position.mirror()
        check_certificate(mirrored)
        assert mirrored.bounds == certificate.bounds
        check_certificate(mirror_certificate(mirrored))


def test_a_proof_is_turned_to_the_position_asked_about() -> None:
    certificate = prove(at("12")).certificate
    assert certificate is not None
    assert orient_certificate(certificate, at("12")) is certificate
    assert orient_certificate(certificate, at("76")).position == at("76")
    assert canonical_position(at("12")) == canonical_position(at("76"))


@pytest.mark.parametrize("text", ["XYa1a2", "CL", "CLa1a2/a1/a2", "CLa9a2", "a1a2", "OTa3", "CLa1a", "TCa1/a1b1c1d1"])
def test_nonsense_is_refused(text: str) -> None:
    try:
        certificate = read_certificate(at("12"), text)
    except CertificateError:
        return
    with pytest.raises(CertificateError):
        check_certificate(certificate)


def test_the_format_does_not_change() -> None:
    text = "OTa3/a3b3c3d3 CLa3a4 VEc3c4 BEa4a5b4b5/a5b5c5d5"
    certificate = read_certificate(at("123"), text)
    assert [str(instance.rule) for instance in certificate.instances] == ["Claimeven", "Vertical", "Before"]
    assert certificate.win_condition is not None
    assert write_certificate(certificate) == text
