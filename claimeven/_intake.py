"""Many positions in whatever a user has them: lists, arrays of keys, columns of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.notation import AUTO, NotationError, detect_notation, parse_position
from claimeven.solver.notation.columns import column_base
from claimeven.solver.position import Position, PositionError
from claimeven.solver.positions import Keys, Mask, canonical_keys, have_line, join_stones, keys_of, split_keys


class Column(Protocol):
    """A column of a table, as pandas, Arrow and others have it."""

    def __len__(self) -> int: ...

    def __array__(self, *arguments: Any, **options: Any) -> NDArray[Any]: ...


Positions: TypeAlias = Iterable[Position | str] | NDArray[Any] | Column


@dataclass(frozen=True, slots=True)
class BoardKeys:
    """The positions of one board: their places in the whole, and their canonical keys."""

    board: Board
    places: NDArray[np.intp]
    keys: Keys


def read_positions(positions: Positions, board: Board, notation: str) -> list[BoardKeys]:
    """The positions by their boards; raises PositionError or TypeError, naming the place of the first that is none.

    `board` and `notation` are those of text and keys; a Position has its own board.

    >>> [group] = read_positions(["4455", "4433"], Board(), "auto")
    >>> bool(group.keys[0] == group.keys[1])
    True
    """
    if isinstance(positions, str | Position):
        raise TypeError("solve_many takes several positions, as in a list; for one there is solve")
    if hasattr(positions, "__array__"):
        array = np.asarray(positions)
        if array.ndim != 1:
            raise TypeError(f"positions are a column, not an array of {array.ndim} dimensions")
        if array.dtype.kind in "iu":
            return [BoardKeys(board, np.arange(len(array)), _read_keys(board, array))]
        return _group(_read_items(array.tolist(), board, notation))
    if not isinstance(positions, Iterable):
        raise TypeError(f"positions are a list or a column, not {type(positions).__name__}")
    return _group(_read_items(list(positions), board, notation))


def _read_items(items: list[Any], board: Board, notation: str) -> list[Position]:
    for place, item in enumerate(items):
        if not isinstance(item, str | Position):
            raise TypeError(f"position {place}: {item!r} is neither text nor a Position; keys go into an integer array")
    texts = {place: item for place, item in enumerate(items) if isinstance(item, str)}
    if notation == AUTO and _counts_from_zero(texts, board):
        return [
            item if place not in texts else _read_text(item, board, place, AUTO, True)
            for place, item in enumerate(items)
        ]
    return [
        item if place not in texts else _read_text(item, board, place, notation) for place, item in enumerate(items)
    ]


def _read_text(text: str, board: Board, place: int, notation: str, from_zero: bool = False) -> Position:
    try:
        if from_zero and detect_notation(text, board) == "columns":
            notation = "columns0"
        return parse_position(text, board, notation)
    except NotationError as error:
        raise NotationError(f"position {place}: {error}") from None


def _counts_from_zero(texts: dict[int, str], board: Board) -> bool:
    """Whether the column strings count from 0: the base belongs to all of them together, not to each."""
    bases: dict[int, int] = {}
    for place, text in texts.items():
        if "0" in text or str(board.columns) in text:
            try:
                if (
                    detect_notation(text, board).startswith("columns")
                    and (base := column_base(text, board)) is not None
                ):
                    bases.setdefault(base, place)
            except NotationError as error:
                raise NotationError(f"position {place}: {error}") from None
    if len(bases) > 1:
        raise NotationError(
            f"positions {bases[0]} and {bases[1]}: one counts columns from 0 and the other from 1; give a notation"
        )
    return 0 in bases


def _read_keys(board: Board, array: NDArray[Any]) -> Keys:
    keys = array.astype(np.uint64)
    wrong = np.flatnonzero(~_are_keys(board, keys) | (array < 0))
    if len(wrong):
        place = int(wrong[0])
        raise PositionError(
            f"position {place}: {array[place]} is not the key of a position on a {board} board; moves have to be text"
        )
    return canonical_keys(board, keys)


def _are_keys(board: Board, keys: Keys) -> Mask:
    """Which numbers are keys: stones of both sides in turn, and no line of the side to move."""
    stones = split_keys(board, keys)
    surplus = np.bitwise_count(stones.white).astype(np.int64) - np.bitwise_count(stones.black)
    mover = np.where(surplus == 0, stones.white, stones.black)
    well_formed: Mask = (np.bitwise_count(stones.guards) == board.columns) & (
        join_stones(board, stones.white, stones.black) == keys
    )
    in_turn: Mask = (surplus == 0) | (surplus == 1)
    return well_formed & in_turn & ~have_line(board, mover)


def _group(positions: Sequence[Position]) -> list[BoardKeys]:
    places: dict[Board, list[int]] = {}
    for place, position in enumerate(positions):
        places.setdefault(position.board, []).append(place)
    return [
        BoardKeys(board, np.array(own, dtype=np.intp), keys_of(board, [positions[place] for place in own]))
        for board, own in places.items()
    ]
