"""How far the book in a store goes; a store may also hold positions that were solved one by one, which are no book."""

from __future__ import annotations

from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies


def find_last_ply(store: Store, board: Board) -> int | None:
    """The last ply of the book of a board, None if there is no book.

    That is what the last build that came to its end says it decided. Where no build is recorded, it is the last ply up
    to which the store has every position.

    >>> with Store.open("sqlite://") as store:
    ...     find_last_ply(store, Board()) is None
    True
    """
    built = [
        int(run.arguments["ply"])
        for run in store.runs()
        if run.command == "book build" and run.ended is not None and run.arguments.get("board") == str(board)
    ]
    if built:
        return min(max(built), board.cells - 1)
    counts = store.count_positions(board)
    last = None
    for ply, keys in enumerate_plies(board, max(counts, default=-1)):
        if counts.get(ply, 0) < len(keys):
            break
        last = ply
    return last
