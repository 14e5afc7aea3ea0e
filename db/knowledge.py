"""All that a store holds on one position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimeven.solver.position import Position
from claimeven.solver.verdict import Verdict

if TYPE_CHECKING:
    from claimeven.solver.proof.certificate import Certificate


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The verdict, what imported files claim, and the certificate as `certificate_text` writes it."""

    verdict: Verdict
    claim: Verdict
    proof: str | None

    def read_proof(self, position: Position) -> Certificate | None:
        """The certificate, for the position that was asked about; raises CertificateError if it cannot be read."""
        from claimeven.solver.proof.certificate_text import canonical_position, orient_certificate, read_certificate

        if self.proof is None:
            return None
        return orient_certificate(read_certificate(canonical_position(position), self.proof), position)
