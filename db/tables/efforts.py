"""What deciding positions cost, in and out of its table: only the dearest positions of a board are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from claimeven.db.tables.layout import EFFORT_TABLE, to_signed
from claimeven.db.tables.ledger import Sum, replace
from claimeven.db.tables.models import EffortRow
from claimeven.db.tables.rows import check_number, check_position, describe_place, refuse_row
from claimeven.db.tables.seal import digest_of_text
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate_text import canonical_position

KEPT = 100
"""How many efforts a board has at most."""


@dataclass(frozen=True, slots=True)
class Effort:
    """A position that search decided, and the nodes and seconds that it took."""

    position: Position
    nodes: int
    seconds: float


def write_efforts(connection: Connection, board_id: int, board: Board, efforts: Iterable[Effort]) -> None:
    """Keep the dearest ones of these efforts and of those kept before, by nodes; of one position the dearest."""
    before = {effort.position: effort for effort in read_efforts(connection, board_id, board)}
    after = dict(before)
    for effort in efforts:
        position = canonical_position(effort.position)
        if position not in after or after[position].nodes < effort.nodes:
            after[position] = Effort(position, effort.nodes, effort.seconds)
    kept = set(_dearest(after.values())[:KEPT])
    for effort in before.values():
        if effort not in kept:
            connection.execute(
                delete(EffortRow).where(
                    EffortRow.board_id == board_id,
                    EffortRow.ply == effort.position.ply,
                    EffortRow.key == to_signed(effort.position.key),
                )
            )
    rows = [
        {
            "board_id": board_id,
            "ply": effort.position.ply,
            "key": to_signed(effort.position.key),
            "nodes": effort.nodes,
            "seconds": effort.seconds,
        }
        for effort in _dearest(kept - set(before.values()))
    ]
    if rows:
        connection.execute(insert(EffortRow), rows)
    replace(connection, EFFORT_TABLE, board_id, 0, sum_efforts(read_efforts(connection, board_id, board)))


def read_efforts(connection: Connection, board_id: int, board: Board) -> list[Effort]:
    """The efforts kept of a board, the dearest one first."""
    rows = connection.execute(
        select(EffortRow.ply, EffortRow.key, EffortRow.nodes, EffortRow.seconds).where(EffortRow.board_id == board_id)
    )
    return _dearest(_effort_of(board, *row) for row in rows)


def sum_efforts(efforts: Iterable[Effort]) -> Sum:
    """What the ledger should say of the efforts of a board."""
    total = Sum()
    for effort in efforts:
        total += Sum(1, digest_of_text(effort.position.key, effort.nodes, effort.seconds))
    return total


def _effort_of(board: Board, ply: Any, key: Any, nodes: Any, seconds: Any) -> Effort:
    position = check_position(EFFORT_TABLE, board, key)
    place = describe_place(board, position.ply, key)
    if ply != position.ply:
        refuse_row(EFFORT_TABLE, place, "its ply is not that of its key")
    return Effort(
        position, int(check_number(EFFORT_TABLE, place, nodes)), float(check_number(EFFORT_TABLE, place, seconds))
    )


def _dearest(efforts: Iterable[Effort]) -> list[Effort]:
    """The dearest first; where the nodes are equal, in an order that is the same every time."""
    return sorted(efforts, key=lambda effort: (-effort.nodes, effort.position.key))
