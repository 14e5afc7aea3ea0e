"""The values of whole boards against those that Tromp and Steininger published."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from claimeven.solver.board import MAX_BITS, Board
from claimeven.solver.position import Position
from claimeven.solver.score import winner_score
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value

# Columns across, rows down; + the first player wins, = draw, - the second player wins, and the stone that ends the game
# under best play, where that is known.
PUBLISHED = """
rows    4    5    6    7    8    9   10   11   12
   4  =16  =20  -24  =28  -32  -36  -40  -44  -48
   5  =20  =25  =30  =35  +39  +41  +47  +51
   6  =24  =30  -36  +41  -48  -52  +59
   7  =28  =35  +41  =49  +53  +55
   8  =32  =40  -48  +55  -62
   9  =36  =45  +53  =63    +
  10  =40  =50  -60  +69
  11  =44  =55  +63
  12  =48  =60  -72
  13  =52  =65
"""


ALPHA_BETA, DFPN = "alpha-beta", "df-pn"
"""By what a board was solved. On wide boards of few rows df-pn with the nine rules takes less than alpha-beta, but it
gives no score."""


@dataclass(frozen=True, slots=True)
class BoardValue:
    """What a search said of an empty board, and what was published; `value` is None if the budget ran out.

    `made_by` says with which version; files of older versions do not say `cpu_seconds`.
    """

    board: str
    value: str | None
    published: str
    score: int | None
    nodes: int
    seconds: float
    cpu_seconds: float | None = None
    engine: str = ALPHA_BETA
    made_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        if self.value is None:
            return True
        last = published_values()[self.board][1]
        if self.value != self.published or self.score is None or last is None:
            return self.value == self.published
        cells = Board.parse(self.board).cells
        return abs(self.score) == (0 if self.value == str(Value.DRAW) else winner_score(cells, last))


def published_values() -> dict[str, tuple[Value, int | None]]:
    """The published value and last stone of every board that the search can do, by name.

    >>> published_values()["7x6"]
    (<Value.WHITE: 'white'>, 41)
    """
    values = {"+": Value.WHITE, "=": Value.DRAW, "-": Value.BLACK}
    header, *rows = (line.split() for line in PUBLISHED.strip().splitlines())
    return {
        f"{columns}x{rows_}": (values[entry[0]], int(entry[1:]) if entry[1:] else None)
        for rows_, *entries in rows
        for columns, entry in zip(header[1:], entries, strict=False)
        if int(columns) * (int(rows_) + 1) <= MAX_BITS
    }


def choose_boards(most_cells: int, only: Sequence[str] = ()) -> list[Board]:
    """The boards with published values and at most so many squares or, if some are named, those; small ones first.

    >>> [str(board) for board in choose_boards(20)]
    ['4x4', '5x4', '4x5']
    """
    boards = [Board.parse(name) for name in only or published_values()]
    return sorted((board for board in boards if only or board.cells <= most_cells), key=lambda board: board.cells)


def solve_boards(
    boards: Sequence[Board],
    threads: int,
    memory_bytes: int,
    with_score: bool,
    budget: Budget = UNLIMITED,
    engine: str = ALPHA_BETA,
) -> Iterator[BoardValue]:
    """Solve empty boards that have published values, each from an empty table."""
    for board in boards:
        make = ProofNumberSearcher if engine == DFPN else Searcher
        searcher = make(board, memory_bytes, threads)
        position = Position.start(board)
        start, cpu = time.perf_counter(), time.process_time()
        value = searcher.value(position, budget)
        score = None
        if with_score and value is not None and isinstance(searcher, Searcher):
            score = searcher.score(position, budget)
        yield BoardValue(
            board=str(board),
            value=None if value is None else str(value),
            published=str(published_values()[str(board)][0]),
            score=score,
            nodes=searcher.nodes,
            seconds=time.perf_counter() - start,
            cpu_seconds=time.process_time() - cpu,
            engine=engine,
        )


def board_values_from_json(data: Mapping[str, Any]) -> list[BoardValue]:
    """The boards of a file; raises KeyError, TypeError or AttributeError if it is none."""
    return [BoardValue(**each | {"made_by": each.get("made_by") or data["run"]}) for each in data["boards"]]


def join_board_values(old: Sequence[BoardValue], new: Sequence[BoardValue]) -> list[BoardValue]:
    """The new boards, and the old ones that are not among them, small ones first; each once an engine."""

    def place(each: BoardValue) -> tuple[int, int, str]:
        board = Board.parse(each.board)
        return board.cells, board.rows, each.engine

    return sorted({place(each): each for each in (*old, *new)}.values(), key=place)


def format_board_values(values: Sequence[BoardValue]) -> str:
    """A page with one row a board, and where each was run."""
    rows = [
        "# Whole boards",
        "",
        "The value of the empty board, columns x rows, by exact search, and value and last stone as published by",
        "John Tromp and Michael Steininger. Another value, or a score that ends with another stone, fails the command.",
        "df-pn is asked who wins, not by how much.",
        "",
        "| board | by | search | published | last stone | score | nodes | seconds | CPU seconds | commit |",
        "|---|---|---|---|--:|--:|--:|--:|--:|---|",
    ]
    rows += [
        f"| {each.board} | {each.engine} | {each.value or 'not decided'} | {each.published} "
        f"| {_text(published_values()[each.board][1])} | {_text(each.score)} | {each.nodes:,} | {each.seconds:,.2f} "
        f"| {'' if each.cpu_seconds is None else f'{each.cpu_seconds:,.2f}'} | {each.made_by['commit']} |"
        for each in values
    ]
    for run in {str(each.made_by): each.made_by for each in values}.values():
        rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _text(number: int | None) -> str:
    return "" if number is None else str(number)
