"""What is known of one position before anything is solved: the store's word, then that of the book in the box."""

from __future__ import annotations

import json
from dataclasses import dataclass

import click

from claimeven.db.location import StoreLocation
from claimeven.scripts.options.store import open_known
from claimeven.solver.contract import describe_position
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.verdict import UNKNOWN, Verdict, judge_end


@dataclass(frozen=True, slots=True)
class Known:
    """A verdict and, if the store has one, the certificate, which the checker has accepted."""

    verdict: Verdict
    certificate: Certificate | None

    def decides(self, *, score: bool) -> bool:
        """Whether this answers the question."""
        return self.verdict.bounds.is_exact and not (score and self.verdict.score is None)


def find_known(db: str | None, position: Position, *, uses_store: bool, uses_book: bool) -> Known:
    """What store and book know of a position; a store that is not there yet knows nothing."""
    if position.is_over:
        return Known(judge_end(position), None)
    if uses_store:
        location = StoreLocation.find(db)
        uses_store = location.path is None or location.path.exists()
    if not uses_store and not uses_book:
        return Known(UNKNOWN, None)
    with open_known(db, uses_store=uses_store, uses_book=uses_book) as reader:
        assert reader is not None
        known = reader.read([position])[0]
    try:
        return Known(known.verdict, known.read_proof(position))
    except CertificateError as error:
        raise click.ClickException(str(error)) from error


def show_known(text: str, position: Position, known: Known, *, score: bool, as_json: bool) -> str:
    """The line that answers a position."""
    if as_json:
        return json.dumps(describe_position(text, position, known.verdict, certificate=known.certificate))
    return f"{text} {known.verdict.score if score else known.verdict.bounds}"
