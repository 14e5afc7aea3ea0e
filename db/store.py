"""The store: verdicts and certificates that only ever become tighter, on any database that SQLAlchemy knows.

Positions go in and come out as arrays of canonical keys with a `VerdictBatch`, or one at a time as Position and
Verdict. Every method that writes is one transaction: all of it is kept, or nothing. Reading it first, merging and
writing happen under the writer's lock, so that of two processes none loses what the other wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from claimeven.db.engine import writing
from claimeven.db.location import StoreLocation
from claimeven.db.patience import patiently
from claimeven.db.stored.opened import TIMEOUT
from claimeven.db.stored.proofs import OnFlaw, StoredProofs, raise_flaw
from claimeven.db.stored.runs import StoredRuns
from claimeven.db.tables import boards as board_table
from claimeven.db.tables import certificates as certificate_table
from claimeven.db.tables import efforts as effort_table
from claimeven.db.tables import findings as finding_table
from claimeven.db.tables.efforts import Effort
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import ProofTexts
from claimeven.solver.position import Position
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import Verdict
from claimeven.solver.verdicts import VerdictBatch, check_batch


class Store(StoredProofs, StoredRuns):
    """An open store; use it as a context manager, or call `close`.

    >>> from claimeven.solver.verdict import Bounds, Source
    >>> start = Position.start()
    >>> with Store.open("sqlite://") as store:
    ...     store.put(start, Verdict(Bounds.parse("white"), Source.SEARCH))
    ...     str(store.get(start).bounds)
    'white'
    """

    @classmethod
    def open(cls, where: StoreLocation | Path | str, *, writable: bool = True, timeout: float = TIMEOUT) -> Store:
        """The store at a location, a path or a URL; one that may be written is made if it is not there.

        Raises StoreError, whose message is one sentence for the user.
        """
        location = where if isinstance(where, StoreLocation) else StoreLocation.parse(str(where))
        return cls(location, writable=writable, timeout=timeout)

    @patiently
    def write_found(
        self,
        board: Board,
        batch: VerdictBatch,
        proofs: ProofTexts | None,
        efforts: Sequence[Effort] = (),
        findings: Findings | None = None,
    ) -> None:
        """Write what was found about positions in one transaction: proofs, verdicts, what they cost, and what was found
        on the way to others.

        Of the proofs nothing is checked again: `ProofTexts` are what the checker accepted.
        """
        check_batch(board, batch)
        with writing(self.engine, self.location) as connection:
            board_id = board_table.make_id(connection, board)
            if proofs is not None and len(proofs):
                self._tighten(connection, board, proofs.verdicts)
                certificate_table.write_texts(connection, board_id, board, proofs.keys, proofs.texts())
            self._tighten(connection, board, batch)
            if efforts:
                effort_table.write_efforts(connection, board_id, board, efforts)
            if findings is not None:
                finding_table.write_findings(connection, board_id, board, findings)

    def copy_ply(
        self,
        other: Store,
        board: Board,
        ply: int,
        progress: Callable[[int], object],
        on_flaw: OnFlaw = raise_flaw,
    ) -> None:
        """Take over what another store knows of a ply; of its certificates those that the checker accepts."""
        for batch in other.read_ply(board, ply):
            self._write_batch(board, batch)
            progress(len(batch))
        certificates = other.read_checked_proofs(board, ply, on_flaw)
        while part := list(islice(certificates, 1000)):
            self.write_proofs(part)

    def get(self, position: Position) -> Verdict:
        """What is known of a position."""
        return self.read([position])[0].verdict

    def put(self, position: Position, verdict: Verdict) -> None:
        """Tighten what is known of a position."""
        self.write(position.board, VerdictBatch.of_verdicts([position], [verdict]))
