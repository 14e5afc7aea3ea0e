"""Rule proofs that may be shown: those that the independent checker has accepted, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimeven.solver.position import Position
from claimeven.solver.proof import prover
from claimeven.solver.proof.certificate import Certificate, FalseProofError
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.proof.prover import DEFAULT_BUDGET, ProofAttempt
from claimeven.solver.verdict import UNDECIDED, Bounds


def prove_checked(position: Position, budget: int = DEFAULT_BUDGET) -> ProofAttempt:
    """What `prover.prove` finds, if it holds; raises FalseProofError if not.

    Raises RulesNotApplicableError on a board with an odd number of rows and after the end of the game.

    >>> str(prove_checked(Position.start().play(0).play(1)).bounds)
    'not-white'
    """
    attempt = prover.prove(position, budget)
    check_proof(position, attempt.bounds, attempt.certificate)
    return attempt


def check_proof(position: Position, bounds: Bounds, certificate: Certificate | None) -> None:
    """Accept that a certificate proves these bounds of a position by returning; raise FalseProofError if it does not.

    Without a certificate nothing is proved; with one it must be for this position and for these bounds, and hold.
    """
    if certificate is not None:
        refuse_flaws(find_proof_flaws(position, bounds, certificate))
    elif bounds != UNDECIDED:
        refuse_flaws([f"there is no certificate for {bounds}"])


def find_proof_flaws(position: Position, bounds: Bounds, certificate: Certificate) -> Iterator[str]:
    """Why a certificate does not prove these bounds of a position, one sentence each; nothing if it does."""
    if certificate.position != position:
        yield "the certificate is for another position"
    if not certificate.bounds.implies(bounds):
        yield f"the certificate says {certificate.bounds}, not {bounds}"
    yield from find_flaws(certificate)


def refuse_flaws(flaws: Iterable[str]) -> None:
    """Raise FalseProofError, naming the first of the flaws of a proof, if there is one."""
    for flaw in flaws:
        raise FalseProofError(f"the proof that was found does not hold and is not shown: {flaw}")
