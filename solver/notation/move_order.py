"""A game that leads to a position of which only the stones are known."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import cycle

from claimeven.solver.board import bits
from claimeven.solver.position import Position, PositionError, has_line

_Columns = tuple[str, ...]
_Order = tuple[int, ...] | None


def some_moves(position: Position, patience: int | None = None) -> tuple[int, ...]:
    """The columns, from 0, of one game that leads to the position; raises PositionError if there is none.

    Of several games any may come out, but always the same one. `patience` is how many positions may be tried on the
    way; if that is not enough, that is a PositionError too.

    >>> some_moves(Position.from_moves(Position.start().board, (3, 3, 2)))
    (3, 3, 2)
    """
    checked = Position.from_stones(position.board, position.white, position.black)
    for columns, last_move in _before_last_move(checked):
        order = _alternating_order(columns, patience)
        if order is not None:
            return order + last_move
    raise PositionError("no game leads to these stones, in whatever order they are played")


def _before_last_move(position: Position) -> Iterator[tuple[_Columns, tuple[int, ...]]]:
    """The columns, each from the bottom, without the stone that won, and that stone's column.

    Without a winner that is the position itself. Either way nobody has a line in what is left, nor then in
    any part of it, so that lines need not be looked at again.
    """
    board = position.board
    columns = tuple(
        "".join(position.stone_at(square) for square in bits(position.occupied & board.column_squares(column)))
        for column in range(board.columns)
    )
    if position.winner is None:
        yield columns, ()
        return
    winning = position.stones(position.winner)
    for top in bits(winning & ~(position.occupied >> 1)):
        if not has_line(board, winning ^ 1 << top):
            column = board.column_of(top)
            yield _replace(columns, column, columns[column][:-1]), (column,)


def _alternating_order(columns: _Columns, patience: int | None) -> _Order:
    """An order in which to take the stones of the columns from the bottom, White and Black in turn."""
    stones = sum(map(len, columns))
    upside_down = tuple(column[::-1] for column in columns)
    # Searching from one end alone can take for ever to notice that the other end is stuck, for instance that
    # all columns begin with a Black stone. So both ends are searched, a step each, and the first answer counts.
    upwards = _search(columns, "x", set())
    downwards = _search(upside_down, "x" if stones % 2 else "o", set())
    for tried, (search, direction) in enumerate(cycle(((upwards, 1), (downwards, -1)))):
        if tried == patience:
            raise PositionError(f"no game that leads to these stones was found within {patience:,} steps")
        try:
            next(search)
        except StopIteration as answer:
            order: _Order = answer.value
            return order if order is None else order[::direction]
    raise AssertionError("a cycle does not end")


def _search(columns: _Columns, to_move: str, dead: set[_Columns]) -> Generator[None, None, _Order]:
    """An order in which to take the first stones of columns, or None; pauses once for every position tried.

    `dead` holds the columns, in sorted order, that are known to have none.
    """
    if not any(columns):
        return ()
    yield
    choices = [column for column, stones in enumerate(columns) if stones.startswith(to_move)]
    # A column that goes on with the other colour keeps both sides supplied; so does a long one.
    choices.sort(key=lambda column: (columns[column][1:2] in ("", to_move), -len(columns[column])))
    for column in choices:
        rest = _replace(columns, column, columns[column][1:])
        state = tuple(sorted(rest))
        if state in dead:
            continue
        order = yield from _search(rest, "o" if to_move == "x" else "x", dead)
        if order is not None:
            return (column, *order)
        dead.add(state)
    return None


def _replace(columns: _Columns, column: int, stones: str) -> _Columns:
    return (*columns[:column], stones, *columns[column + 1 :])
