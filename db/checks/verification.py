"""Re-checking a store: certificates by the checker, parents against their children, claims against verdicts.

Every check looks at all of its objects or at a random sample of them and gives the flaws it finds, one sentence each.
Two more need kernels and have modules of their own: `search_check` and `play_check`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from claimeven.db.retrograde import verdicts_from_children
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.verdict import Verdict
from claimeven.solver.verdict_code import describe_verdict
from claimeven.solver.verdicts import VerdictBatch, describe_position, find_contradictions

CHUNK = 20_000
PROOFS = 500
"""How many certificates are compared with their verdicts at once."""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a check that is done: how many objects were looked at, and what is wrong with them.

    `undecided` are those of the objects that the check could not say anything about.
    """

    looked_at: int
    flaws: tuple[str, ...] = ()
    undecided: int = 0


Check = Callable[[Store, Board, float, random.Random], Iterator[Step]]
"""Takes the store, the board, the share of objects to look at, and chance; gives its steps one by one."""


def check_certificates(store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Step]:
    """Does the checker accept every certificate, and is the stored verdict at least as tight as what it proves?"""
    found = read_sampled_proofs(store, board, share, chance)
    while part := list(islice(found, PROOFS)):
        certificates = [each for each in part if not isinstance(each, str)]
        yield from (Step(1, (each,)) for each in part if isinstance(each, str))
        keys = np.array([certificate.position.key for certificate in certificates], dtype=np.uint64)
        known = store.lookup(board, keys)
        for place, certificate in enumerate(certificates):
            yield Step(1, tuple(_flaws_of(board, certificate, known.verdict(place))))


def _flaws_of(board: Board, certificate: Certificate, stored: Verdict) -> Iterator[str]:
    place = describe_position(board, certificate.position.key)
    found = list(find_flaws(certificate))
    others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    yield from (f"{place}: the certificate does not hold: {flaw}{others}" for flaw in found[:1])
    proved = certificate.bounds
    if max(proved.least.rank, stored.bounds.least.rank) > min(proved.greatest.rank, stored.bounds.greatest.rank):
        yield f"{place}: stored is {describe_verdict(stored)}, the certificate proves {proved}"
    elif stored.bounds.tighten(proved) != stored.bounds:
        yield f"{place}: stored is {describe_verdict(stored)}, less than the certificate proves ({proved})"


def read_sampled_proofs(store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Certificate | str]:
    """A random share of the certificates of a board, ply by ply; where one cannot be read, what is wrong with it."""
    for ply in sorted(store.count_proofs(board)):
        certificates = store.read_proofs(board, ply)
        while True:
            try:
                certificate = next(certificates)
            except StopIteration:
                break
            except CertificateError as error:
                yield f"{board}, ply {ply}: a certificate cannot be read: {error}"
                break
            if chance.random() < share:
                yield certificate


def check_parents(store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Step]:
    """Does no verdict exclude what the verdicts of the positions after its moves say?"""
    for batch in read_sample(store, board, share, chance):
        below = verdicts_from_children(board, batch.keys, lambda keys: store.lookup(board, keys))
        yield Step(len(batch), describe_differences(board, batch, below, "its moves say"))


def check_claims(store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Step]:
    """Does no claim of an imported file exclude what is known?"""
    for ply in store.count_claims(board):
        for claims in _sampled(store.read_claims(board, ply, CHUNK), share, chance):
            known = store.lookup(board, claims.keys)
            yield Step(len(claims), describe_differences(board, known, claims, "an imported file claims"))


CHECKS: dict[str, Check] = {
    "certificates": check_certificates,
    "parents": check_parents,
    "claims": check_claims,
}


def count_objects(store: Store, board: Board) -> dict[str, int]:
    """How many objects each check would look at, those of the other modules included."""
    positions, proofs = sum(store.count_positions(board).values()), sum(store.count_proofs(board).values())
    return {
        "certificates": proofs,
        "parents": positions,
        "claims": sum(store.count_claims(board).values()),
        "search": positions,
        "play": proofs,
    }


def read_sample(store: Store, board: Board, share: float, chance: random.Random) -> Iterator[VerdictBatch]:
    """A random share of the verdicts of a board, ply by ply."""
    for ply in store.plies(board):
        yield from _sampled(store.read_ply(board, ply, CHUNK), share, chance)


def describe_differences(board: Board, stored: VerdictBatch, other: VerdictBatch, words: str) -> tuple[str, ...]:
    """Where two batches over the same keys exclude each other; `words` say who the other one is."""
    wrong = np.flatnonzero(find_contradictions(stored, other))
    return tuple(
        f"{describe_position(board, int(stored.keys[place]))}: stored is {describe_verdict(stored.verdict(place))}; "
        f"{words} {describe_verdict(other.verdict(place))}"
        for place in map(int, wrong)
    )


def _sampled(batches: Iterator[VerdictBatch], share: float, chance: random.Random) -> Iterator[VerdictBatch]:
    for batch in batches:
        if share >= 1:
            yield batch
            continue
        chosen = np.array([chance.random() < share for _ in range(len(batch))], dtype=np.bool_)
        if chosen.any():
            yield batch.select(chosen)
