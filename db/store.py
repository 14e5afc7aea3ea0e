"""The store: verdicts and certificates that only ever become tighter, on any database that SQLAlchemy knows.

Positions go in and come out as arrays of canonical keys with a `VerdictBatch`, or one at a time as Position and
Verdict. Every method that writes is one transaction: all of it is kept, or nothing. Reading it first, merging and
writing happen under the writer's lock, so that of two processes none loses what the other wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TypeAlias

import numpy as np
from sqlalchemy import Connection

from claimeven.db.engine import leave_wal, make_engine, reading, writing
from claimeven.db.knowledge import Knowledge, read_checked
from claimeven.db.location import StoreLocation
from claimeven.db.schema import prepare
from claimeven.db.tables import boards as board_table
from claimeven.db.tables import certificates as certificate_table
from claimeven.db.tables import efforts as effort_table
from claimeven.db.tables import games as game_table
from claimeven.db.tables import runs as run_record
from claimeven.db.tables import verdicts as verdict_table
from claimeven.db.tables.efforts import Effort
from claimeven.db.tables.games import StoredGame
from claimeven.db.tables.layout import to_signed
from claimeven.db.tables.models import CertificateRow, ClaimRow, PositionRow
from claimeven.db.tables.runs import RunRecord
from claimeven.db.tables.verdicts import AnyVerdictRow
from claimeven.solver.batch import ProofTexts
from claimeven.solver.board import Board
from claimeven.solver.enumeration import Keys
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.certificate_text import read_certificate
from claimeven.solver.verdict import Source, Verdict
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch, check_batch, complete_draws, find_contradictions, tighten

TIMEOUT = 60.0
"""Seconds to wait for another writer."""

CHUNK = 50_000

OnFlaw: TypeAlias = Callable[[str], object]
"""Told, in a sentence, of a stored proof that does not hold."""


def raise_flaw(flaw: str) -> NoReturn:
    """Take a proof that does not hold for an error."""
    raise CertificateError(flaw)


class Store:
    """An open store; use it as a context manager, or call `close`.

    >>> from claimeven.solver.verdict import Bounds
    >>> start = Position.start()
    >>> with Store.open("sqlite://") as store:
    ...     store.put(start, Verdict(Bounds.parse("white"), Source.SEARCH))
    ...     str(store.get(start).bounds)
    'white'
    """

    def __init__(self, location: StoreLocation, *, writable: bool = True, timeout: float = TIMEOUT) -> None:
        self.location = location
        self.is_writable = writable
        self.engine = make_engine(location, writable=writable, timeout=timeout)
        self._board_ids: dict[Board, int] = {}
        try:
            prepare(location, self.engine, writable=writable, timeout=timeout)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, where: StoreLocation | Path | str, *, writable: bool = True, timeout: float = TIMEOUT) -> Store:
        """The store at a location, a path or a URL; one that may be written is made if it is not there.

        Raises StoreError, whose message is one sentence for the user.
        """
        location = where if isinstance(where, StoreLocation) else StoreLocation.parse(str(where))
        return cls(location, writable=writable, timeout=timeout)

    def close(self) -> None:
        """Close all connections; the last one to close a SQLite file leaves nothing beside it."""
        self.engine.dispose()

    def seal(self) -> None:
        """Make a SQLite file one that is whole without any other file beside it, for being given away."""
        if self.location.path is not None:
            with reading(self.engine, self.location) as connection:
                leave_wal(connection)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Many positions

    def lookup(self, board: Board, keys: Keys) -> VerdictBatch:
        """What is known of each canonical key, in the order of the keys."""
        return self._lookup(PositionRow, board, keys)

    def write(self, board: Board, batch: VerdictBatch) -> int:
        """Tighten what is known by a batch of verdicts; gives the number of positions of which more is known now.

        A batch may name a position twice. Raises ContradictionError, and keeps nothing of the batch, if a verdict
        excludes a stored one. Rule proofs come in through `write_proofs` and claims through `write_claims` only.
        """
        for source in (Source.RULES, Source.IMPORT, Source.BOOK):
            if (batch.sources == SOURCE_CODES[source]).any():
                raise ValueError(f"verdicts with the source {source} are not written without their evidence")
        check_batch(board, batch)
        with writing(self.engine, self.location) as connection:
            return self._tighten(connection, board, batch)

    def write_proofs(self, certificates: Iterable[Certificate]) -> int:
        """Check certificates and store those that hold with their verdicts; gives how many verdicts became tighter.

        Raises CertificateError, and stores none of them, for one that the checker does not accept.
        """
        checked = certificate_table.check_all(certificates)
        changed = 0
        with writing(self.engine, self.location) as connection:
            for board, proofs in certificate_table.by_board(checked).items():
                changed += self._tighten(connection, board, certificate_table.verdicts_of(proofs))
                certificate_table.write_certificates(connection, board_table.make_id(connection, board), board, proofs)
        return changed

    def write_found(
        self, board: Board, batch: VerdictBatch, proofs: ProofTexts | None, efforts: Iterable[Effort] = ()
    ) -> None:
        """Write what was found about positions in one transaction: proofs, verdicts, and what they cost.

        Of the proofs nothing is checked again: `ProofTexts` are what the checker accepted.
        """
        check_batch(board, batch)
        with writing(self.engine, self.location) as connection:
            board_id = board_table.make_id(connection, board)
            if proofs is not None and len(proofs):
                self._tighten(connection, board, proofs.verdicts)
                certificate_table.write_texts(connection, board_id, board, proofs.keys, proofs.texts())
            self._tighten(connection, board, batch)
            effort_table.write_efforts(connection, board_id, board, efforts)

    def read_ply(self, board: Board, ply: int, chunk: int = CHUNK) -> Iterator[VerdictBatch]:
        """All verdicts of a ply, in chunks."""
        yield from self._read_ply(PositionRow, board, ply, chunk)

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
            with writing(self.engine, self.location) as connection:
                self._tighten(connection, board, batch)
            progress(len(batch))
        certificates = other.read_checked_proofs(board, ply, on_flaw)
        while part := list(islice(certificates, 1000)):
            self.write_proofs(part)

    def plies(self, board: Board) -> list[int]:
        """The plies of which anything is known, in ascending order."""
        board_id = self.find_board_id(board)
        if board_id is None:
            return []
        with reading(self.engine, self.location) as connection:
            return verdict_table.list_plies(connection, board_id, board)

    def boards(self) -> list[Board]:
        """The boards on which anything was ever stored."""
        with reading(self.engine, self.location) as connection:
            return board_table.list_boards(connection)

    def read_proofs(self, board: Board, ply: int | None = None, chunk: int = 1000) -> Iterator[Certificate]:
        """All certificates of a board, or of one ply of it, for the canonical one of the mirror images.

        They are not checked. Raises CertificateError for a row that cannot be read.
        """
        for position, text in self._read_proof_texts(board, ply, chunk):
            yield read_certificate(position, text)

    def read_checked_proofs(self, board: Board, ply: int, on_flaw: OnFlaw = raise_flaw) -> Iterator[Certificate]:
        """The certificates of a ply that the checker accepts; `on_flaw` is told of each of the others."""
        texts = self._read_proof_texts(board, ply, 1000)
        while part := list(islice(texts, 1000)):
            known = self.lookup(board, np.array([position.key for position, _ in part], dtype=np.uint64))
            for place, (position, text) in enumerate(part):
                try:
                    yield read_checked(position, text, known.verdict(place).bounds)
                except CertificateError as error:
                    on_flaw(str(error))

    def _read_proof_texts(self, board: Board, ply: int | None, chunk: int) -> Iterator[tuple[Position, str]]:
        board_id = self.find_board_id(board)
        if board_id is None:
            return
        for each in sorted(self.count_proofs(board)) if ply is None else [ply]:
            after = None
            while True:
                with reading(self.engine, self.location) as connection:
                    texts = certificate_table.read_ply(connection, board_id, board, each, after, chunk)
                if not texts:
                    break
                yield from texts
                after = to_signed(texts[-1][0].key)

    def count_positions(self, board: Board) -> dict[int, int]:
        """The number of positions of each ply of which anything is known."""
        return self._count(PositionRow, board)

    def count_proofs(self, board: Board) -> dict[int, int]:
        """The number of certificates of each ply that has any."""
        return self._count(CertificateRow, board)

    def count_claims(self, board: Board) -> dict[int, int]:
        """The number of claims of each ply that has any."""
        return self._count(ClaimRow, board)

    def write_efforts(self, board: Board, efforts: Iterable[Effort]) -> None:
        """Note what positions of a board cost; only the dearest ones are kept (`effort_table.KEPT`)."""
        with writing(self.engine, self.location) as connection:
            effort_table.write_efforts(connection, board_table.make_id(connection, board), board, efforts)

    def read_efforts(self, board: Board) -> list[Effort]:
        """The dearest positions of a board, the dearest one first."""
        board_id = self.find_board_id(board)
        if board_id is None:
            return []
        with reading(self.engine, self.location) as connection:
            return effort_table.read_efforts(connection, board_id, board)

    # Claims of imported files

    def lookup_claims(self, board: Board, keys: Keys) -> VerdictBatch:
        """What imported files claim of each canonical key."""
        return self._lookup(ClaimRow, board, keys)

    def read_claims(self, board: Board, ply: int, chunk: int = CHUNK) -> Iterator[VerdictBatch]:
        """All claims of a ply, in chunks."""
        yield from self._read_ply(ClaimRow, board, ply, chunk)

    def write_claims(self, board: Board, batch: VerdictBatch, run: int) -> int:
        """Keep claims beside the verdicts; gives the number of those that say more than claims kept before.

        No position may be named twice. A claim that excludes one kept before is not kept.
        """
        check_batch(board, batch)
        with writing(self.engine, self.location) as connection:
            board_id = board_table.make_id(connection, board)
            old = verdict_table.read_verdicts(connection, ClaimRow, board_id, board, batch.keys)
            agreeing = ~find_contradictions(old, batch)
            old, batch = old.select(agreeing), batch.select(agreeing)
            merged, more = tighten(board, old, batch)
            verdict_table.write_verdicts(
                connection, ClaimRow, board_id, board, merged.select(more), old.select(more), run
            )
            return int(np.count_nonzero(more))

    # One position

    def get(self, position: Position) -> Verdict:
        """What is known of a position."""
        return self.read([position])[0].verdict

    def put(self, position: Position, verdict: Verdict) -> None:
        """Tighten what is known of a position."""
        self.write(position.board, VerdictBatch.of_verdicts([position], [verdict]))

    def get_proof(self, position: Position) -> Certificate | None:
        """The certificate of a position, if it has one."""
        return self.get_proofs([position])[0]

    def get_proofs(self, positions: list[Position], on_flaw: OnFlaw = raise_flaw) -> list[Certificate | None]:
        """The certificates of positions of one board, None for each that has none, or none that the checker accepts.

        `on_flaw` is told of the latter in a sentence; without it that is a CertificateError.
        """
        found: list[Certificate | None] = []
        for known, position in zip(self.read(positions), positions, strict=True):
            try:
                found.append(known.read_proof(position))
            except CertificateError as error:
                on_flaw(str(error))
                found.append(None)
        return found

    def read_proof_texts(self, board: Board, keys: Keys) -> dict[int, str]:
        """The stored certificates of canonical keys, as text, those that have one; only what the checker accepts.

        Raises CertificateError, naming the position, for one that it does not.
        """
        board_id = self.find_board_id(board)
        if board_id is None or not len(keys):
            return {}
        with reading(self.engine, self.location) as connection:
            texts = certificate_table.read_texts(connection, board_id, board, keys)
        certificate_table.check_texts(board, texts)
        return texts

    def read(self, positions: list[Position]) -> list[Knowledge]:
        """All that is known of a few positions of one board."""
        if not positions:
            return []
        board = positions[0].board
        keys = np.array([position.canonical_key for position in positions], dtype=np.uint64)
        verdicts, claims = self.lookup(board, keys), self.lookup_claims(board, keys)
        board_id = self.find_board_id(board)
        proofs: dict[int, str] = {}
        if board_id is not None:
            with reading(self.engine, self.location) as connection:
                proofs = certificate_table.read_texts(connection, board_id, board, keys)
        return [
            Knowledge(verdicts.verdict(place), claims.verdict(place), proofs.get(int(key)))
            for place, key in enumerate(keys)
        ]

    # Runs

    def start_run(self, command: str, arguments: dict[str, Any]) -> int:
        """Note that a run begins; gives its number."""
        with writing(self.engine, self.location) as connection:
            return run_record.insert_run(connection, command, arguments)

    def finish_run(self, number: int, counts: dict[str, Any]) -> None:
        """Note that a run came to its end, and what it counted."""
        with writing(self.engine, self.location) as connection:
            run_record.finish_run(connection, number, counts)

    def runs(self) -> list[RunRecord]:
        """All runs, the first one first."""
        with reading(self.engine, self.location) as connection:
            return run_record.select_runs(connection)

    def write_games(self, run: int, games: Iterable[StoredGame]) -> None:
        """Keep games of an arena with its run."""
        with writing(self.engine, self.location) as connection:
            game_table.insert_games(connection, run, games)

    def read_games(self, run: int) -> list[StoredGame]:
        """The games of a run by their numbers, none if it was no arena."""
        with reading(self.engine, self.location) as connection:
            return game_table.select_games(connection, run)

    def _lookup(self, model: AnyVerdictRow, board: Board, keys: Keys) -> VerdictBatch:
        board_id = self.find_board_id(board)
        if board_id is None:
            return VerdictBatch.unknown(keys)
        with reading(self.engine, self.location) as connection:
            return verdict_table.read_verdicts(connection, model, board_id, board, keys)

    def _read_ply(self, model: AnyVerdictRow, board: Board, ply: int, chunk: int) -> Iterator[VerdictBatch]:
        board_id = self.find_board_id(board)
        after = None
        while board_id is not None:
            # A transaction a chunk: who reads may take hours over it and write in between.
            with reading(self.engine, self.location) as connection:
                batch = verdict_table.read_ply(connection, model, board_id, board, ply, after, chunk)
            if not len(batch):
                return
            yield batch
            after = to_signed(int(batch.keys[-1]))

    def _count(self, model: AnyVerdictRow | type[CertificateRow], board: Board) -> dict[int, int]:
        board_id = self.find_board_id(board)
        if board_id is None:
            return {}
        with reading(self.engine, self.location) as connection:
            return verdict_table.count_by_ply(connection, model, board_id, board)

    def _tighten(self, connection: Connection, board: Board, batch: VerdictBatch) -> int:
        board_id = board_table.make_id(connection, board)
        batch = complete_draws(batch.select(batch.is_known))
        changed = 0
        while len(batch):
            keys, first = np.unique(batch.keys, return_index=True)
            new = batch.select(first)
            old = verdict_table.read_verdicts(connection, PositionRow, board_id, board, keys)
            merged, more = tighten(board, old, new)
            changed_now = complete_draws(merged.select(more))
            verdict_table.write_verdicts(connection, PositionRow, board_id, board, changed_now, old.select(more))
            changed += int(np.count_nonzero(more))
            again = np.ones(len(batch), dtype=np.bool_)
            again[first] = False
            batch = batch.select(again)
        return changed

    def find_board_id(self, board: Board) -> int | None:
        """The number that the board has in this store, if it has one."""
        if board not in self._board_ids:
            with reading(self.engine, self.location) as connection:
                found = board_table.find_id(connection, board)
            if found is None:
                return None
            self._board_ids[board] = found
        return self._board_ids[board]
