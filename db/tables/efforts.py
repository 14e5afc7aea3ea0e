"""What deciding positions cost, in and out of its table: only the dearest positions of a board are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from claimeven.db.tables.layout import from_signed, to_signed
from claimeven.db.tables.models import EffortRow
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


def read_efforts(connection: Connection, board_id: int, board: Board) -> list[Effort]:
    """The efforts kept of a board, the dearest one first; raises PositionError for a row that cannot be read."""
    rows = connection.execute(
        select(EffortRow.key, EffortRow.nodes, EffortRow.seconds).where(EffortRow.board_id == board_id)
    )
    return _dearest(Effort(Position.from_key(board, from_signed(key)), nodes, seconds) for key, nodes, seconds in rows)


def _dearest(efforts: Iterable[Effort]) -> list[Effort]:
    """The dearest first; where the nodes are equal, in an order that is the same every time."""
    return sorted(efforts, key=lambda effort: (-effort.nodes, effort.position.key))
