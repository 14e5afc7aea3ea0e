"""What is known of one position before anything is solved: the store's word, then that of the book in the box."""

from __future__ import annotations

import json
from dataclasses import dataclass

from claimeven.db.location import StoreLocation
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


def find_known(db: str | None, uses_store: bool, uses_book: bool, position: Position) -> Known | None:
    """What store and book know of a position, None if that is nothing; raises StoreError as `open_reader` does."""
    if position.is_over:
        return Known(judge_end(position), None)
    if uses_store:
        from claimeven.db.errors import MissingStoreError
        from claimeven.db.quick_reader import open_reader

        try:
            with open_reader(StoreLocation.find(db)) as reader:
                known = reader.read([position])[0]
        except MissingStoreError:
            pass
        else:
            if known.verdict != UNKNOWN:
                return Known(known.verdict, known.read_proof(position))
    return None if not uses_book else _find_in_book(position)


def _find_in_book(position: Position) -> Known | None:
    from claimeven.db.position_book import look_up

    verdict = look_up(position)
    return None if verdict == UNKNOWN else Known(verdict, None)


def show_known(text: str, position: Position, known: Known, *, score: bool, as_json: bool) -> str:
    """The line that answers a position."""
    if as_json:
        return json.dumps(describe_position(text, position, known.verdict, certificate=known.certificate))
    return f"{text} {known.verdict.score if score else known.verdict.bounds}"
