"""Verdicts in an open store, and beside them the claims of imported files; both only ever become tighter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from claimeven.db.engine import reading, writing
from claimeven.db.patience import patiently
from claimeven.db.stored.opened import Opened
from claimeven.db.tables import boards as board_table
from claimeven.db.tables import verdicts as verdict_table
from claimeven.db.tables.layout import to_signed
from claimeven.db.tables.models import CertificateRow, ClaimRow, PositionRow
from claimeven.db.tables.verdicts import AnyVerdictRow
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch, check_batch, complete_draws, find_contradictions, tighten

CHUNK = 50_000


class StoredVerdicts(Opened):
    """Verdicts and claims as arrays, by canonical keys or ply by ply."""

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
        return self._write_batch(board, batch)

    def read_ply(self, board: Board, ply: int, chunk: int = CHUNK) -> Iterator[VerdictBatch]:
        """All verdicts of a ply, in chunks."""
        yield from self._read_ply(PositionRow, board, ply, chunk)

    @patiently
    def plies(self, board: Board) -> list[int]:
        """The plies of which anything is known, in ascending order."""
        board_id = self.find_board_id(board)
        if board_id is None:
            return []
        with reading(self.engine, self.location) as connection:
            return verdict_table.list_plies(connection, board_id, board)

    def count_positions(self, board: Board) -> dict[int, int]:
        """The number of positions of each ply of which anything is known."""
        return self._count(PositionRow, board)

    def lookup_claims(self, board: Board, keys: Keys) -> VerdictBatch:
        """What imported files claim of each canonical key."""
        return self._lookup(ClaimRow, board, keys)

    def read_claims(self, board: Board, ply: int, chunk: int = CHUNK) -> Iterator[VerdictBatch]:
        """All claims of a ply, in chunks."""
        yield from self._read_ply(ClaimRow, board, ply, chunk)

    @patiently
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

    def count_claims(self, board: Board) -> dict[int, int]:
        """The number of claims of each ply that has any."""
        return self._count(ClaimRow, board)

    @patiently
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
            batch = self._read_rows(model, board_id, board, ply, after, chunk)
            if not len(batch):
                return
            yield batch
            after = to_signed(int(batch.keys[-1]))

    @patiently
    def _read_rows(
        self, model: AnyVerdictRow, board_id: int, board: Board, ply: int, after: int | None, number: int
    ) -> VerdictBatch:
        with reading(self.engine, self.location) as connection:
            return verdict_table.read_ply(connection, model, board_id, board, ply, after, number)

    @patiently
    def _count(self, model: AnyVerdictRow | type[CertificateRow], board: Board) -> dict[int, int]:
        board_id = self.find_board_id(board)
        if board_id is None:
            return {}
        with reading(self.engine, self.location) as connection:
            return verdict_table.count_by_ply(connection, model, board_id, board)

    @patiently
    def _write_batch(self, board: Board, batch: VerdictBatch) -> int:
        with writing(self.engine, self.location) as connection:
            return self._tighten(connection, board, batch)

    def _tighten(self, connection: Connection, board: Board, batch: VerdictBatch) -> int:
        board_id = board_table.make_id(connection, board)
        batch = complete_draws(batch.select(batch.is_known))
        changed = 0
        while len(batch):
            keys, first = _first_of_each(batch.keys)
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


def _first_of_each(keys: Keys) -> tuple[Keys, NDArray[np.intp]]:
    """Each of the keys once, in ascending order, and where it stands first; mostly they are that already.

    >>> _first_of_each(np.array([7, 5, 7], dtype=np.uint64))
    (array([5, 7], dtype=uint64), array([1, 0]))
    """
    if (keys[1:] > keys[:-1]).all():
        return keys, np.arange(len(keys))
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    return ordered[is_first], order[is_first]
