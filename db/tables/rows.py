"""The one reader of rows: nothing that a database says is believed before it has passed here.

A row may have been changed by a stranger or by a bad disk. What it may hold is told by the board, the ply and the rules
of scores; that it is what was written is told by its seal (`seal`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from claimeven.db.tables import layout
from claimeven.db.tables.errors import RowError
from claimeven.db.tables.seal import digest_of, seal_of
from claimeven.solver.board import Board, BoardError
from claimeven.solver.position import Position, PositionError
from claimeven.solver.verdict import Source, Verdict
from claimeven.solver.verdict_code import SOURCE_CODES, verdict_of_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from claimeven.solver.verdicts import VerdictBatch

NO_SCORE = -128
LONGEST = 64
"""More in a line than any board has squares; numbers beyond it are damage."""
COLUMNS = 6
"""Of a row of numbers: key with a sign, least, greatest, score or NO_SCORE, source, seal."""

SOURCES = {
    layout.POSITION_TABLE: frozenset(SOURCE_CODES.values()) - {SOURCE_CODES[Source.IMPORT]},
    layout.CLAIM_TABLE: frozenset({SOURCE_CODES[Source.IMPORT]}),
}
"""Where the verdicts of a table may come from."""


def numbers_of_rows(table: str, rows: Sequence[Sequence[Any]], columns: int = COLUMNS) -> NDArray[np.int64]:
    """Rows of numbers as an array; raises RowError for a row that holds anything else."""
    import numpy as np

    try:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=columns * len(rows))
    except (TypeError, ValueError, OverflowError):
        for row in rows:
            if not all(isinstance(value, int) and abs(value) < 1 << 63 for value in row):
                refuse_row(table, f"{tuple(row)!r}", "not all of it are numbers")
        refuse_row(table, "some row", "not all of it are numbers")
    return flat.reshape(len(rows), columns)


def check_rows(table: str, board: Board, ply: int, numbers: NDArray[np.int64], *, keys_too: bool) -> VerdictBatch:
    """The verdicts that rows of numbers of one ply hold; raises RowError as `check_verdicts` does."""
    import numpy as np

    from claimeven.solver.verdicts import VerdictBatch

    columns = np.ascontiguousarray(numbers.T)
    small = columns[1:5]
    if len(numbers) and (small.min() < NO_SCORE or small.max() >= -NO_SCORE):
        too_large: NDArray[np.bool_] = np.any((small < NO_SCORE) | (small >= -NO_SCORE), axis=0)
        refuse_first(table, board, ply, columns[0], too_large, "a number is too large")
    batch = VerdictBatch(columns[0].view(np.uint64), *small.astype(np.int8))
    return check_verdicts(table, board, ply, batch, columns[5], keys_too=keys_too)


def check_verdicts(
    table: str, board: Board, ply: int, batch: VerdictBatch, seals: NDArray[np.int64], *, keys_too: bool
) -> VerdictBatch:
    """The same verdicts, if all can be and their seals are right; raises RowError, naming the first row that is wrong.

    With `keys_too` the keys are looked at as well; whoever asked for them by name knows that they are right.
    """
    import numpy as np

    wrong = flaws_of_numbers(table, board, ply, batch, np)
    wrong["it is not what was written"] = seal_of(digests_of(board, batch)).view(np.int64) != seals
    if keys_too:
        wrong |= flaws_of_keys(board, ply, batch.keys)
    for reason, which in wrong.items():
        if which.any():
            refuse_first(table, board, ply, batch.keys.view(np.int64), which, reason)
    return batch


def digests_of(board: Board, batch: VerdictBatch) -> NDArray[np.uint64]:
    """The digests of many verdicts."""
    import numpy as np

    digests: NDArray[np.uint64] = digest_of(
        board, batch.keys, batch.least, batch.greatest, batch.scores, batch.sources.astype(np.uint64)
    )
    return digests


def find_impossible(table: str, board: Board, batch: VerdictBatch, plies: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which verdicts on positions of these plies could not be read again, as they cannot be."""
    import numpy as np

    found = np.zeros(len(batch), dtype=np.bool_)
    for ply in range(int(plies.min(initial=64)), int(plies.max(initial=0)) + 1):
        of_ply = plies == ply
        is_alone = bool(of_ply.all())
        flaws = flaws_of_numbers(table, board, ply, batch if is_alone else batch.select(of_ply), np)
        found[slice(None) if is_alone else of_ply] = np.logical_or.reduce(list(flaws.values()))
    return found


def flaws_of_numbers(table: str, board: Board, ply: int, row: Any, xp: Any) -> dict[str, Any]:
    """Which of many verdicts cannot be: for every reason a mask."""
    least_score, greatest_score = score_range(board, ply)
    has_score = row.scores != NO_SCORE
    rank = row.scores if ply % 2 == 0 else -row.scores
    is_rules = row.sources == SOURCE_CODES[Source.RULES]
    return {
        "its bounds are none": (row.least < -1) | (row.greatest > 1) | (row.least > row.greatest),
        "it says nothing": (row.least == -1) & (row.greatest == 1),
        "it has a score without a value": has_score & (row.least != row.greatest),
        "its score is not one of its value": has_score & (xp.sign(rank) != row.least),
        "no game ends with its score": has_score & ((row.scores < least_score) | (row.scores > greatest_score)),
        "it has no source that there is": ~xp.isin(row.sources, list(SOURCES[table])),
        "the rules do not prove that": is_rules & ((row.greatest > 0) if ply % 2 == 0 else (row.least < 1)),
    }


def flaws_of_keys(board: Board, ply: int | NDArray[np.uint8], keys: NDArray[np.uint64]) -> dict[str, Any]:
    """Which keys are not those of a position of this ply, or of its own, one of each mirror pair."""
    import numpy as np

    from claimeven.solver.positions import canonical_keys, join_stones, split_keys

    stones = split_keys(board, keys)
    bits = board.columns * board.stride
    outside = keys >> np.uint64(bits) != 0 if bits < 64 else np.zeros(len(keys), dtype=np.bool_)
    surplus = np.bitwise_count(stones.white).astype(np.int64) - np.bitwise_count(stones.black).astype(np.int64)
    return {
        "its key is not that of a position": outside | (join_stones(board, stones.white, stones.black) != keys),
        "its ply is not that of its key": stones.plies != ply,
        "one side has too many stones": surplus != ply % 2,
        "its key is that of the mirror image": canonical_keys(board, keys) != keys,
    }


def score_range(board: Board, ply: int) -> tuple[int, int]:
    """The least and the greatest score that a position of this ply may have.

    >>> score_range(Board(), 0), score_range(Board(), 41)
    ((-18, 18), (-1, 1))
    """
    first = {0: 2 * board.connect - 1, 1: 2 * board.connect}
    # The side to move may win with the next stone, the other side have won with the last one.
    win, loss = max(ply + 1, first[ply % 2]), max(ply, first[1 - ply % 2])
    return -_score(board, loss), _score(board, win)


def _score(board: Board, last_stone: int) -> int:
    return (board.cells + 2 - last_stone) // 2 if last_stone <= board.cells else 0


def check_row(table: str, board: Board, position: Position, row: Sequence[Any]) -> Verdict:
    """One verdict that was asked for by its position, without numpy: least, greatest, score or None, source, seal."""
    place = describe_place(board, position.ply, layout.to_signed(position.canonical_key))
    least, greatest, score, source, seal = row
    numbers = (least, greatest, NO_SCORE if score is None else score, source, seal)
    if not all(isinstance(number, int) and abs(number) < 1 << 31 for number in numbers):
        refuse_row(table, place, "not all of it are numbers")
    one = _One(*numbers[:4])
    for reason, is_wrong in flaws_of_numbers(table, board, position.ply, one, _One).items():
        if is_wrong:
            refuse_row(table, place, reason)
    if seal_of(digest_of(board, position.canonical_key, *numbers[:4])) != seal:
        refuse_row(table, place, "it is not what was written")
    return verdict_of_row(least, greatest, score, source)


class _One:
    """One row that is looked at like many, and the few functions of numpy that this takes."""

    def __init__(self, least: int, greatest: int, scores: int, sources: int) -> None:
        self.least, self.greatest, self.scores, self.sources = least, greatest, scores, sources

    @staticmethod
    def sign(number: int) -> int:
        return (number > 0) - (number < 0)

    @staticmethod
    def isin(number: int, numbers: Iterable[int]) -> _Truth:
        return _Truth(number in numbers)


class _Truth(int):
    """A truth value whose `~` is its opposite, as it is in arrays."""

    def __invert__(self) -> _Truth:
        return _Truth(not self)


def check_board(columns: Any, rows: Any, connect: Any) -> Board:
    """The board of a row; raises RowError if there is none."""
    try:
        if connect > LONGEST:
            raise BoardError("no board has such lines")
        return Board(columns, rows, connect)
    except (BoardError, TypeError):
        refuse_row(layout.BOARD_TABLE, f"{columns!r} x {rows!r} x {connect!r}", "it is not a board")


def check_ply(table: str, board: Board, ply: Any) -> int:
    """A ply that rows say they are of; raises RowError for one that the board does not have."""
    if not isinstance(ply, int) or not 0 <= ply <= board.cells:
        refuse_row(table, f"{board}, ply {ply!r}", "the board has no such ply")
    return ply


def check_position(table: str, board: Board, key: Any) -> Position:
    """The position of a key with a sign; raises RowError if it is none, or not the one of its mirror pair."""
    if not isinstance(key, int):
        refuse_row(table, f"{board}, key {key!r}", "its key is not a number")
    try:
        position = Position.from_key(board, layout.from_signed(key))
    except PositionError as error:
        refuse_row(table, f"{board}, key {key}", str(error))
    if position.key != position.canonical_key:
        refuse_row(table, f"{board}, key {key}", "its key is that of the mirror image")
    return position


def check_text(table: str, place: str, text: Any) -> str:
    """A text; raises RowError if it is something else."""
    if not isinstance(text, str):
        refuse_row(table, place, f"{text!r} is not a text")
    return text


def check_number(table: str, place: str, number: Any) -> float:
    """A count or a time; raises RowError if it is something else."""
    if not isinstance(number, int | float) or not math.isfinite(number) or number < 0:
        refuse_row(table, place, f"{number!r} is not a number of what there may be")
    return number


def check_fields(table: str, place: str, fields: Any) -> dict[str, Any]:
    """What was kept as JSON; raises RowError if it is no longer that."""
    if not isinstance(fields, dict):
        refuse_row(table, place, "its fields cannot be read")
    return fields


def check_date(table: str, place: str, text: Any) -> datetime:
    """A date; raises RowError if it is none."""
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        refuse_row(table, place, f"{text!r} is not a date")


def describe_place(board: Board, ply: int, key: int) -> str:
    """How a row of a position is named."""
    return f"{board}, ply {ply}, key {key}"


def refuse_first(
    table: str, board: Board, ply: int, keys: NDArray[np.int64], which: NDArray[np.bool_], reason: str
) -> NoReturn:
    """Raise the RowError of the first of some rows."""
    refuse_row(table, describe_place(board, ply, int(keys[int(which.argmax())])), reason)


def refuse_row(table: str, place: str, reason: str) -> NoReturn:
    """Raise the RowError of a row that cannot be believed."""
    raise RowError(
        f"the row {place} of the table {table} is damaged: {reason}; to find all that is wrong: claimeven verify, "
        "to drop it: claimeven verify --repair"
    )
