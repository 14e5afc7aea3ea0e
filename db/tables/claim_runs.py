"""Which run brought a claim: part of what the ledger sums up, so that a claim moved to another run is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, literal, select

from claimeven.db.tables.bulk import is_named
from claimeven.db.tables.layout import CLAIM_TABLE
from claimeven.db.tables.ledger import Sum
from claimeven.db.tables.models import ClaimRow
from claimeven.db.tables.rows import NO_SCORE, check_rows, digests_of, numbers_of_rows, refuse_row
from claimeven.db.tables.seal import of_run
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES

KEYS_A_STATEMENT = 10_000
ROWS_A_STATEMENT = 50_000

Runs = NDArray[np.uint64]


def read_runs(connection: Connection, board_id: int, plies: NDArray[np.uint8], keys: Keys) -> Runs:
    """The run of each claim, in the order of the keys; 0 for a position without one. Raises RowError."""
    runs = np.zeros(len(keys), dtype=np.uint64)
    for ply in np.unique(plies).tolist():
        of_ply = np.flatnonzero(plies == ply)
        for start in range(0, len(of_ply), KEYS_A_STATEMENT):
            places = of_ply[start : start + KEYS_A_STATEMENT]
            wanted = keys[places].view(np.int64)
            statement = select(ClaimRow.key, ClaimRow.run_id).where(
                ClaimRow.board_id == board_id, ClaimRow.ply == ply, is_named(ClaimRow.key, connection, wanted)
            )
            found = {row[0]: row[1] for row in connection.execute(statement)}
            runs[places] = as_runs(found.get(key, 0) for key in wanted.tolist())
    return runs


def as_runs(numbers: Iterable[object]) -> Runs:
    """Numbers of runs as an array; raises RowError for one that is none."""
    found = list(numbers)
    for number in found:
        if not isinstance(number, int) or not 0 <= number < 1 << 63:
            refuse_row(CLAIM_TABLE, f"of the run {number!r}", "runs have numbers")
    return np.array(found, dtype=np.uint64)


def sum_plies(connection: Connection, board_id: int, board: Board) -> Iterator[tuple[int, Sum, Sum]]:
    """Each ply that has claims, what they sum up to without their runs, and with them. Raises RowError."""
    row = ClaimRow
    score, source = func.coalesce(row.score, NO_SCORE), literal(SOURCE_CODES[Source.IMPORT])
    columns = (row.key, row.least, row.greatest, score, source, row.seal, row.run_id)
    of_board = row.board_id == board_id
    for ply in connection.execute(select(row.ply).where(of_board).distinct()).scalars().all():
        statement = select(*columns).where(of_board, row.ply == ply).order_by(row.key).limit(ROWS_A_STATEMENT)
        plain, total, after = Sum(), Sum(), -(1 << 63)
        while rows := connection.execute(statement.where(row.key > after)).all():
            numbers = numbers_of_rows(CLAIM_TABLE, [each[:-1] for each in rows])
            digests = digests_of(board, check_rows(CLAIM_TABLE, board, ply, numbers, keys_too=True))
            plain += Sum.of(digests)
            total += Sum.of(of_run(digests, as_runs(each[-1] for each in rows)))
            after = rows[-1][0]
        yield ply, plain, total
