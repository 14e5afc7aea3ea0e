"""A prover whose proofs are spoiled on their way out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimeven.solver.position import Position
from claimeven.solver.proof import prover
from claimeven.solver.proof.prover import DEFAULT_BUDGET, ProofAttempt


def corrupt_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every solution out of the certificates that the prover finds, so that most of them prove nothing."""
    right = prover.prove

    def prove_too_much(position: Position, budget: int = DEFAULT_BUDGET) -> ProofAttempt:
        attempt = right(position, budget)
        if attempt.certificate is None:
            return attempt
        return replace(attempt, certificate=replace(attempt.certificate, instances=()))

    monkeypatch.setattr(prover, "prove", prove_too_much)
