"""What a store knows of positions, as players ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimeven.db.quick_reader import Reader
from claimeven.solver.board import Board
from claimeven.solver.players.player import Lookup
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Verdict

if TYPE_CHECKING:
    from claimeven.db.store import Store


def lookup_by(reader: Reader) -> Lookup:
    """A lookup that asks a reader about one position after the other; claims of imported files do not count."""
    return lambda position: reader.read([position])[0].verdict


def lookup_in(store: Store, board: Board) -> Lookup | None:
    """A lookup for one board that asks the store only about plies of which it knows anything; None if there are none.

    >>> from claimeven.db.store import Store
    >>> with Store.open("sqlite://") as store:
    ...     lookup_in(store, Board()) is None
    True
    """
    plies = frozenset(store.plies(board))
    if not plies:
        return None

    def look_up(position: Position) -> Verdict:
        return store.get(position) if position.board == board and position.ply in plies else UNKNOWN

    return look_up
