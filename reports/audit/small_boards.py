"""Which boards are small: those with no more positions than so many, found by counting."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from claimeven.solver.board import MAX_BITS, Board
from claimeven.solver.enumeration import enumerate_plies

Count = Callable[[Board, int], int | None]
"""How many positions a board has, None if they are more than so many."""


def count_positions(board: Board, most: int) -> int | None:
    """The number of unfinished positions, one of each mirror pair; None if they are more than `most`.

    >>> count_positions(Board(4, 4), 100_000), count_positions(Board(4, 4), 10_000)
    (67163, None)
    """
    number = 0
    for _, keys in enumerate_plies(board, board.cells - 1):
        number += len(keys)
        if number > most:
            return None
    return number


def boards_up_to(
    most: int, connect: int, *, with_odd_rows: bool, count: Count = count_positions
) -> Iterator[tuple[Board, int]]:
    """Every board with at most so many positions on which so many in a line win, and how many it has.

    It has two columns and two rows at least, and a line that fits in; without `with_odd_rows` its rows are even.

    >>> [str(board) for board, _ in boards_up_to(1000, 3, with_odd_rows=False)]
    ['2x4x3', '2x6x3', '3x2x3', '3x4x3', '4x2x3']
    """
    rows_of_last = MAX_BITS
    for columns in range(2, MAX_BITS):
        # With a column or a row more there are more positions: what is too high stays so.
        first = 2 if columns >= connect else connect
        highest = min(MAX_BITS // columns - 1, rows_of_last)
        rows_of_last = first - 1
        for rows in range(first, highest + 1):
            if rows % 2 and not with_odd_rows:
                continue
            board = Board(columns, rows, connect)
            number = count(board, most)
            if number is None:
                break
            rows_of_last = rows + (not with_odd_rows)
            yield board, number
        if rows_of_last < 2:
            return
