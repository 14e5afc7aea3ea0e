"""The independent check of a proof tree: plays everything that the other side can do, and believes nothing.

It knows the game (`Position`) and the checker of certificates, and takes nothing from search or rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.proof.certificate_text import canonical_position
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.search.dfpn.proof_tree import ProofTree


class ProofTreeError(ValueError):
    """A proof tree that does not prove what it says."""


@dataclass(frozen=True, slots=True)
class ProofTreeCounts:
    """What a proof tree that holds consists of: positions by who is to move and how they go on."""

    moves: int
    certificates: int
    opened: int
    ends: int


def check_proof_tree(tree: ProofTree) -> ProofTreeCounts:
    """Accept a proof tree by returning what it consists of; raise ProofTreeError for one that does not hold."""
    moves, certificates, opened, ends = 0, 0, 0, 0
    waiting = [canonical_position(tree.position)]
    seen: set[int] = set()
    while waiting:
        here = waiting.pop()
        if here.key in seen:
            continue
        seen.add(here.key)
        if here.is_over:
            _check_end(tree, here)
            ends += 1
        elif here.to_move is tree.controller:
            waiting.append(canonical_position(_play_on(tree, here)))
            moves += 1
        elif here.key in tree.certificates:
            _check_leaf(tree, here)
            certificates += 1
        else:
            waiting += [canonical_position(here.play(column)) for column in here.legal_columns]
            opened += 1
    if (moves, certificates) != (len(tree.moves), len(tree.certificates)):
        raise ProofTreeError("the proof has moves or certificates that no game leads to")
    return ProofTreeCounts(moves, certificates, opened, ends)


def _check_end(tree: ProofTree, position: Position) -> None:
    is_won = position.winner is tree.controller
    if not is_won and (tree.is_win or position.winner is not None):
        raise ProofTreeError(f"{position!r}: {tree.controller} does not get here what the proof promises")


def _play_on(tree: ProofTree, position: Position) -> Position:
    column = tree.moves.get(position.key)
    if column is None:
        raise ProofTreeError(f"{position!r}: the proof has no move")
    if column not in position.legal_columns:
        raise ProofTreeError(f"{position!r}: the proof plays column {column}, which is not possible")
    return position.play(column)


def _check_leaf(tree: ProofTree, position: Position) -> None:
    certificate = tree.certificates[position.key]
    if certificate.position != position:
        raise ProofTreeError(f"{position!r}: the certificate is for another position")
    if not certificate.bounds.implies(tree.bounds):
        raise ProofTreeError(f"{position!r}: the certificate says {certificate.bounds}, not {tree.bounds}")
    try:
        check_certificate(certificate)
    except CertificateError as error:
        raise ProofTreeError(f"{position!r}: {error}") from None
