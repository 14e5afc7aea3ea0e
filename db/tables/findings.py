"""Findings in and out of their table: what searches that were stopped had found on their way, and no verdicts.

A position has one row, with the bounds on its score that all searches together have found. Only so many are kept of a
board, the dearest; whoever has decided a position drops what was found on the way to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select

from claimeven.db.tables import layout
from claimeven.db.tables.bulk import insert_rows, is_named
from claimeven.db.tables.ledger import Sum, count_noted, note
from claimeven.db.tables.models import FindingRow
from claimeven.db.tables.rows import (
    describe_place,
    flaws_of_keys,
    numbers_of_rows,
    refuse_first,
    refuse_row,
    score_range,
)
from claimeven.db.tables.seal import mix, of_run, seal_of, shifted
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys, canonical_keys, count_plies, join_stones, split_keys
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import ContradictionError
from claimeven.solver.verdicts import describe_position

KEPT = 100_000
"""How many findings a board has at most, about; they are some megabytes."""
SLACK = 25_000
"""How many more there may be before the cheapest go: to look for these takes a while."""

SCORE_OFFSET = 32
MOST_WORK = 63
PLY, KEY, LEAST, GREATEST, WORK, ROOT, SEAL = range(7)
ROW = (
    FindingRow.ply,
    FindingRow.key,
    FindingRow.least,
    FindingRow.greatest,
    FindingRow.work,
    FindingRow.root,
    FindingRow.seal,
)


def write_findings(connection: Connection, board_id: int, board: Board, findings: Findings) -> None:
    """Add to what is kept of a board; raises ContradictionError if two findings exclude each other."""
    new = _clamp(board, findings.merge())
    if not len(new):
        return
    old = _take_named(connection, board_id, board, new.keys)
    together = Findings.join([old, new]).merge()
    plies = count_plies(board, together.keys)
    wrong = flaws_of_bounds(board, plies, together)
    if np.logical_or.reduce(list(wrong.values())).any():
        place = int(np.logical_or.reduce(list(wrong.values())).argmax())
        raise ContradictionError(
            f"{describe_position(board, int(together.keys[place]))}: there is no score from {together.least[place]} to "
            f"{together.greatest[place]}"
        )
    order = np.lexsort((together.keys.view(np.int64), plies))
    together, plies = together.select(order), plies[order]
    digests = digests_of_findings(board, together)
    columns: dict[str, list[Any]] = {
        "ply": plies.tolist(),
        "key": together.keys.view(np.int64).tolist(),
        "least": together.least.tolist(),
        "greatest": together.greatest.tolist(),
        "work": together.works.tolist(),
        "root": together.roots.view(np.int64).tolist(),
        "seal": seal_of(digests).tolist(),
    }
    table = FindingRow.__table__
    assert isinstance(table, Table)
    insert_rows(connection, table, board_id, columns)
    note(
        connection,
        layout.FINDING_TABLE,
        board_id,
        0,
        Sum.of(digests) - Sum.of(digests_of_findings(board, old)),
    )
    _drop_cheapest(connection, board_id, board)


def read_findings(connection: Connection, board_id: int, board: Board) -> Findings:
    """All findings that are kept of a board; raises RowError if a row is damaged."""
    return _read(connection, board, FindingRow.board_id == board_id)


def drop_findings(connection: Connection, board_id: int, board: Board, roots: Keys) -> None:
    """Drop what was found on the way to these positions."""
    named = np.intersect1d(read_roots(connection, board_id), roots.view(np.int64))
    if len(named):
        _take(
            connection,
            board_id,
            board,
            and_(FindingRow.board_id == board_id, is_named(FindingRow.root, connection, named)),
        )


def read_roots(connection: Connection, board_id: int) -> NDArray[np.int64]:
    """The positions of a board on the way to which something was found, by keys with a sign."""
    found = (
        connection.execute(select(FindingRow.root).where(FindingRow.board_id == board_id).distinct()).scalars().all()
    )
    try:
        return np.array(found, dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        refuse_row(layout.FINDING_TABLE, "some row", "not all of it are numbers")


def sum_findings(board: Board, findings: Findings) -> Sum:
    """What the ledger should say of the findings of a board."""
    return Sum.of(digests_of_findings(board, findings))


def digests_of_findings(board: Board, findings: Findings) -> NDArray[np.uint64]:
    """The digests of rows that hold these findings."""
    packed = (
        shifted(findings.least, SCORE_OFFSET)
        | shifted(findings.greatest, SCORE_OFFSET) << 6
        | shifted(findings.works, 0) << 12
    )
    digests: NDArray[np.uint64] = of_run(mix(findings.keys, packed, board), findings.roots)
    return digests


def flaws_of_bounds(board: Board, plies: NDArray[np.uint8], findings: Findings) -> dict[str, NDArray[np.bool_]]:
    """Which findings cannot be: for every reason a mask."""
    low, high = _score_ranges(board, plies)
    return {
        "its bounds are none": findings.least > findings.greatest,
        "no game ends with its score": (findings.least < low) | (findings.greatest > high),
        "it says nothing": (findings.least == low) & (findings.greatest == high),
        "it took no work that there is": (findings.works < 1) | (findings.works > MOST_WORK),
    }


@cache
def _score_range_of_plies(board: Board) -> NDArray[np.int8]:
    return np.array([score_range(board, ply) for ply in range(board.cells + 1)], np.int8)


def _score_ranges(board: Board, plies: NDArray[np.uint8]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    ranges = _score_range_of_plies(board)[plies]
    return ranges[:, 0], ranges[:, 1]


def _clamp(board: Board, findings: Findings) -> Findings:
    """Bounds that scores can reach, where they say anything: a search does not know how soon a line can be complete."""
    low, high = _score_ranges(board, count_plies(board, findings.keys))
    least, greatest = np.maximum(findings.least, low), np.minimum(findings.greatest, high)
    return replace(findings, least=least, greatest=greatest).select((least > low) | (greatest < high))


def _take_named(connection: Connection, board_id: int, board: Board, keys: Keys) -> Findings:
    # One statement for all plies: looking for every key in every ply is faster than a statement a ply.
    which = and_(
        FindingRow.board_id == board_id,
        FindingRow.ply.in_(np.unique(count_plies(board, keys)).tolist()),
        is_named(FindingRow.key, connection, keys.view(np.int64)),
    )
    return _take(connection, board_id, board, which, is_noted=False)


def _take(
    connection: Connection, board_id: int, board: Board, which: ColumnElement[bool], *, is_noted: bool = True
) -> Findings:
    """Read rows, drop them, and note that."""
    found = _read(connection, board, which)
    if len(found):
        connection.execute(delete(FindingRow).where(which))
        if is_noted:
            note(connection, layout.FINDING_TABLE, board_id, 0, Sum() - sum_findings(board, found))
    return found


def _drop_cheapest(connection: Connection, board_id: int, board: Board) -> None:
    """Where there are too many, drop those that took least, a power of two after the other."""
    of_board = FindingRow.board_id == board_id
    number = count_noted(connection, layout.FINDING_TABLE, board_id, 0)
    if number <= KEPT + SLACK:
        return
    statement = (
        select(FindingRow.work, func.count()).where(of_board).group_by(FindingRow.work).order_by(FindingRow.work)
    )
    for work, many in connection.execute(statement).all():
        if number <= KEPT:
            break
        _take(connection, board_id, board, and_(of_board, FindingRow.work == work))
        number -= many


def _read(connection: Connection, board: Board, which: ColumnElement[bool]) -> Findings:
    """The findings that rows hold, which must be of this board; raises RowError."""
    return check_findings(board, connection.execute(select(*ROW).where(which)).all())


def check_findings(board: Board, rows: Iterable[Any]) -> Findings:
    """The findings that rows of ply, key, least, greatest, work, root and seal hold; raises RowError for damage."""
    table = layout.FINDING_TABLE
    numbers = numbers_of_rows(table, list(rows), columns=len(ROW))
    small = numbers[:, [PLY, LEAST, GREATEST, WORK]]
    too_large = np.any((small < -board.cells) | (small > max(board.cells, MOST_WORK)), axis=1)
    too_large |= (numbers[:, PLY] < 0) | (numbers[:, PLY] > board.cells)
    if too_large.any():
        ply, key = numbers[int(too_large.argmax()), [PLY, KEY]].tolist()
        refuse_row(table, describe_place(board, ply, key), "a number is too large")
    keys, roots = (np.ascontiguousarray(numbers[:, column]).view(np.uint64) for column in (KEY, ROOT))
    least, greatest, works = (numbers[:, column].astype(np.int8) for column in (LEAST, GREATEST, WORK))
    found = Findings(keys, least, greatest, works, roots)
    plies = numbers[:, PLY].astype(np.uint8)
    wrong = flaws_of_bounds(board, plies, found) | flaws_of_keys(board, plies, keys)
    stones = split_keys(board, roots)
    wrong["nobody could ask for its root"] = (join_stones(board, stones.white, stones.black) != roots) | (
        canonical_keys(board, roots) != roots
    )
    wrong["it is not what was written"] = seal_of(digests_of_findings(board, found)).view(np.int64) != numbers[:, SEAL]
    for reason, which in wrong.items():
        if which.any():
            place = int(which.argmax())
            refuse_first(table, board, int(plies[place]), keys.view(np.int64), which, reason)
    return found
