"""All that a store holds on one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimeven.solver.position import Position, PositionError
from claimeven.solver.verdict import Bounds, ContradictionError, Verdict

if TYPE_CHECKING:
    from claimeven.solver.proof.certificate import Certificate


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The verdict, what imported files claim, and the certificate as `certificate_text` writes it."""

    verdict: Verdict
    claim: Verdict
    proof: str | None

    def read_proof(self, position: Position) -> Certificate | None:
        """The certificate, for the position that was asked about, if there is one and the checker accepts it.

        Raises CertificateError, naming the position, for one that cannot be read, does not hold, or proves what the
        verdict excludes.
        """
        from claimeven.solver.proof.certificate_text import canonical_position, orient_certificate

        if self.proof is None:
            return None
        certificate = read_checked(canonical_position(position), self.proof, self.verdict.bounds)
        return orient_certificate(certificate, position)


def read_checked(position: Position, proof: str, known: Bounds) -> Certificate:
    """A stored certificate of a canonical position after the checker has accepted it; raises CertificateError."""
    from claimeven.solver.notation import columns, some_moves
    from claimeven.solver.proof.certificate import CertificateError
    from claimeven.solver.proof.certificate_text import read_certificate
    from claimeven.solver.proof.checker import check_certificate

    try:
        certificate = read_certificate(position, proof)
        check_certificate(certificate)
        known.tighten(certificate.bounds)
    except (CertificateError, ContradictionError) as error:
        try:
            moves = columns.write(some_moves(position), position.board) or "the empty board"
        except PositionError:
            moves = f"key {position.key}"
        raise CertificateError(f"the stored proof of {moves} ({position.board}) does not hold: {error}") from None
    return certificate
