"""Only proofs that the independent checker accepts leave the prover for somebody's eyes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimeven.solver.proof import prover
from claimeven.solver.proof.certificate import FalseProofError
from claimeven.solver.proof.checked_proof import check_proof, prove_checked
from claimeven.solver.proof.listing import RulesNotApplicableError
from claimeven.solver.proof.look_ahead import look_ahead
from claimeven.solver.proof.prover import ProofAttempt, prove
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, UNDECIDED, WHITE_WINS
from tests.positions import at, random_positions
from tests.solver.proof.corruption import corrupt_prover

ROOT = Path(__file__).parents[3]

RAW_PROOFS = {
    "solver/audit/rule_bounds.py",  # an audit must see what is false
    "solver/audit/play_outs.py",
    "solver/audit/thesis_sets.py",  # a Proof checks itself when it is made
    "solver/players/rules_player.py",  # for moves of the opponent's, which are counted and not shown
    "solver/proof/checked_proof.py",
    "solver/proof/look_ahead.py",  # checks all of what it finds together
}
"""Who may take a proof that nobody has checked."""


def test_a_proof_that_holds_comes_out_as_it_was_found() -> None:
    proved = 0
    for position in random_positions("6x4", 60, seed=41):
        attempt = prove_checked(position)
        assert attempt == prove(position)
        proved += attempt.certificate is not None
    assert proved > 10


SPOILED: dict[str, Callable[[ProofAttempt], ProofAttempt]] = {
    "nothing solves the problem": lambda right: replace(
        right, certificate=right.certificate and replace(right.certificate, instances=())
    ),
    "the certificate is for another position": lambda right: replace(right, certificate=prove(at("23")).certificate),
    "the certificate says not-white, not black": lambda right: replace(right, bounds=BLACK_WINS),
    "there is no certificate for not-white": lambda right: replace(right, certificate=None),
}


@pytest.mark.parametrize("reason", SPOILED)
def test_what_does_not_hold_is_refused(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = prove(at("12"))
    monkeypatch.setattr(prover, "prove", lambda position, budget: SPOILED[reason](right))
    with pytest.raises(FalseProofError, match=f"does not hold and is not shown: {reason}"):
        prove_checked(at("12"))


def test_bounds_that_follow_from_the_certificate_are_accepted() -> None:
    attempt = prove(at("4445333551"))
    assert attempt.bounds == BLACK_WINS
    check_proof(attempt.position, AT_MOST_DRAW, attempt.certificate)
    check_proof(attempt.position, UNDECIDED, None)
    with pytest.raises(FalseProofError):
        check_proof(attempt.position, WHITE_WINS, attempt.certificate)


def test_looking_ahead_shows_nothing_that_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_ahead(at("1")) is not None
    corrupt_prover(monkeypatch)
    with pytest.raises(FalseProofError, match="after b: nothing solves the problem"):
        look_ahead(at("1"))


def test_where_the_rules_say_nothing() -> None:
    with pytest.raises(RulesNotApplicableError):
        prove_checked(at("", "7x5"))


def _importers_of_prove() -> Iterator[str]:
    """The modules that take `prove` from the prover, or the prover itself."""
    for folder in ("solver", "cluster", "db", "reports", "scripts", "claimeven"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.ImportFrom):
                    continue
                names = {alias.name for alias in node.names}
                if (node.module == "claimeven.solver.proof.prover" and "prove" in names) or (
                    node.module == "claimeven.solver.proof" and "prover" in names
                ):
                    yield path.relative_to(ROOT).as_posix()


def test_nobody_else_takes_proofs_that_are_not_checked() -> None:
    assert set(_importers_of_prove()) == RAW_PROOFS
