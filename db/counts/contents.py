"""What is in a store, counted: positions by ply, value and source, certificates, claims, runs, and the size."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from claimeven.db.engine import reading
from claimeven.db.store import Store
from claimeven.db.tables.layout import POSITION_TABLE
from claimeven.db.tables.models import PositionRow
from claimeven.db.tables.rows import SOURCES, check_ply, refuse_row
from claimeven.solver.board import Board
from claimeven.solver.verdict_code import source_of_code, verdict_of_row


@dataclass(frozen=True, slots=True)
class PlyCounts:
    """The positions of a ply: all, those with a score, and by the names of their bounds and of their sources."""

    ply: int
    positions: int
    scored: int
    by_value: dict[str, int]
    by_source: dict[str, int]
    certificates: int
    claims: int


@dataclass(frozen=True, slots=True)
class BoardCounts:
    """The plies of a board of which anything is stored."""

    board: Board
    plies: tuple[PlyCounts, ...]

    @property
    def positions(self) -> int:
        return sum(ply.positions for ply in self.plies)


def count_board(store: Store, board: Board) -> BoardCounts:
    """All counts of one board."""
    certificates, claims = store.count_proofs(board), store.count_claims(board)
    rows = _count_rows(store, board)
    plies = []
    for ply in sorted(set(rows) | set(certificates) | set(claims)):
        by_value: dict[str, int] = {}
        by_source: dict[str, int] = {}
        scored = 0
        for least, greatest, source, number, with_score in rows.get(ply, ()):
            value = str(verdict_of_row(least, greatest, None, source).bounds)
            by_value[value] = by_value.get(value, 0) + number
            origin = str(source_of_code(source))
            by_source[origin] = by_source.get(origin, 0) + number
            scored += with_score
        plies.append(
            PlyCounts(
                ply, sum(by_value.values()), scored, by_value, by_source, certificates.get(ply, 0), claims.get(ply, 0)
            )
        )
    return BoardCounts(board, tuple(plies))


def file_bytes(store: Store) -> int | None:
    """The size of the store if it is a file, without what is still on its way there."""
    path = store.location.path
    return None if path is None else path.stat().st_size


def _count_rows(store: Store, board: Board) -> dict[int, list[tuple[int, int, int, int, int]]]:
    """By ply: least, greatest and source, with the number of positions and of scores."""
    board_id = store.find_board_id(board)
    found: dict[int, list[tuple[int, int, int, int, int]]] = {}
    if board_id is None:
        return found
    row = PositionRow
    statement = (
        select(row.ply, row.least, row.greatest, row.source, func.count(), func.count(row.score))
        .where(row.board_id == board_id)
        .group_by(row.ply, row.least, row.greatest, row.source)
    )
    with reading(store.engine, store.location) as connection:
        for ply, least, greatest, source, number, scores in connection.execute(statement):
            check_ply(POSITION_TABLE, board, ply)
            # A damaged page may have NULL where the table allows none.
            ranks = all(isinstance(rank, int) for rank in (least, greatest)) and -1 <= least <= greatest <= 1
            if source not in SOURCES[POSITION_TABLE] or not ranks:
                refuse_row(
                    POSITION_TABLE, f"{board}, ply {ply}", f"{least!r}, {greatest!r} and {source!r} are no verdict"
                )
            found.setdefault(ply, []).append((least, greatest, source, number, scores))
    return found
