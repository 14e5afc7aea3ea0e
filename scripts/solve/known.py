"""What is known of one position before anything is solved: the store's word, then that of the book in the box."""

from __future__ import annotations

import json
from dataclasses import dataclass

from claimeven.db.location import StoreLocation
from claimeven.scripts.options.store import open_known
from claimeven.solver.contract import describe_position
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.verdict import UNKNOWN, Verdict, judge_end


@dataclass(frozen=True, slots=True)
class Known:
    """A verdict and, if the store has one, the certificate, which the checker has accepted."""

    verdict: Verdict
    certificate: Certificate | None

    def decides(self, *, score: bool) -> bool:
        """Whether this answers the question."""
        return self.verdict.bounds.is_exact and not (score and self.verdict.score is None)


def find_known(db: str | None, position: Position, *, uses_store: bool, uses_book: bool, score: bool) -> Known:
    """What the store knows of a position or, if that is no answer, the book; a store that is not there knows nothing.

    Raises CertificateError for a stored proof that does not hold.
    """
    if position.is_over:
        return Known(judge_end(position), None)
    found = Known(UNKNOWN, None)
    path = StoreLocation.find(db).path if uses_store else None
    if uses_store and (path is None or path.exists()):
        with open_known(db, uses_book=False) as reader:
            assert reader is not None
            known = reader.read([position])[0]
        found = Known(known.verdict, known.read_proof(position))
    if found.decides(score=score) or not uses_book:
        return found
    from claimeven.db.books.reader import look_up

    return Known(look_up(position), found.certificate)


def show_known(text: str, position: Position, known: Known, *, score: bool, as_json: bool) -> str:
    """The line that answers a position."""
    if as_json:
        return json.dumps(describe_position(text, position, known.verdict, certificate=known.certificate))
    return f"{text} {known.verdict.score if score else known.verdict.bounds}"
