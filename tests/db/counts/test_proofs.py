"""Counts of rules and win conditions against the certificates themselves."""

from __future__ import annotations

from claimeven.db.counts.proofs import count_parts
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.proof.certificate import OddThreat, ThreatCombination
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from tests.positions import at, random_positions


def test_counts_are_those_of_the_certificates() -> None:
    positions = [at("444433351225255"), *random_positions("7x6", 900, seed=8, least_ply=20)]
    with Store.open("sqlite://") as store:
        store.write_proofs(proof for position in positions if (proof := prove(position).certificate) is not None)
        counts = {part.name: part for part in count_parts(store, Board())}
        certificates = list(store.read_proofs(Board()))
    assert len(certificates) > 20
    for rule in Rule:
        rules = [[instance.rule for instance in certificate.instances] for certificate in certificates]
        part = counts[str(rule)]
        assert part.is_rule
        assert part.instances == sum(each.count(rule) for each in rules)
        assert part.proofs == sum(rule in each for each in rules)
        plies = [each.position.ply for each, used in zip(certificates, rules, strict=True) if rule in used]
        assert (None if part.example is None else part.example.ply) == min(plies, default=None)
    for name, kind in (("Odd threat", OddThreat), ("Threat combination", ThreatCombination)):
        assert not counts[name].is_rule
        assert counts[name].proofs == sum(isinstance(each.win_condition, kind) for each in certificates)
    assert counts["Odd threat"].proofs
    assert counts["Claimeven"].proofs < counts["Claimeven"].instances


def test_a_store_without_proofs() -> None:
    with Store.open("sqlite://") as store:
        assert {(part.proofs, part.instances, part.example) for part in count_parts(store, Board())} == {(0, 0, None)}
