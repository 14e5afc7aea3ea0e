"""The attempt to prove a given position, as every command that needs a rule proof makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import reported_as
from claimeven.scripts.options.position import GivenPosition

if TYPE_CHECKING:
    from claimeven.solver.proof.prover import ProofAttempt

MAX_BUDGET = 10**15

budget_option = click.option(
    "--budget",
    type=click.IntRange(1, MAX_BUDGET),
    metavar="N",
    help="Stop looking for a chosen set after N nodes.",
)


def attempt_proof(given: GivenPosition, budget: int | None) -> ProofAttempt:
    """What the rules prove and the checker has accepted, with the prover's own budget if none is given."""
    announce_compilation()
    from claimeven.solver.proof.checked_proof import prove_checked
    from claimeven.solver.proof.prover import DEFAULT_BUDGET, RulesNotApplicableError

    with reported_as("", RulesNotApplicableError):
        return prove_checked(given.position, budget or DEFAULT_BUDGET)
