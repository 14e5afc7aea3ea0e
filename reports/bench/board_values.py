"""The values of whole boards against those that Tromp and Steininger published."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claimeven.solver.board import MAX_BITS, Board
from claimeven.solver.position import Position
from claimeven.solver.score import winner_score
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value

# Columns across, rows down; + the first player wins, = draw, - the second player wins.
PUBLISHED = """
rows  4  5  6  7  8  9  10
  4   =  =  -  =  -  -  -
  5   =  =  =  =  +  +  +
  6   =  =  -  +  -  -  +
  7   =  =  +  =  +  +
  8   =  =  -  +  -
"""

LAST_STONE = {"6x4": 24, "8x4": 32, "8x5": 39, "6x6": 36, "7x6": 41, "6x7": 41}
"""The stone that ends a decided game under best play."""


@dataclass(frozen=True, slots=True)
class BoardValue:
    """What a search said of an empty board, and what was published; `value` is None if the budget ran out."""

    board: str
    value: str | None
    published: str
    score: int | None
    nodes: int
    seconds: float

    @property
    def is_right(self) -> bool:
        if self.value is None:
            return True
        last = LAST_STONE.get(self.board)
        expected = None if last is None or self.score is None else winner_score(Board.parse(self.board).cells, last)
        return self.value == self.published and expected in (None, abs(self.score or 0))


def published_values() -> dict[str, Value]:
    """The published value of every board that the search can do, by name.

    >>> str(published_values()["7x6"])
    'white'
    """
    values = {"+": Value.WHITE, "=": Value.DRAW, "-": Value.BLACK}
    header, *rows = (line.split() for line in PUBLISHED.strip().splitlines())
    return {
        f"{columns}x{rows_}": values[sign]
        for rows_, *signs in rows
        for columns, sign in zip(header[1:], signs, strict=False)
        if int(columns) * (int(rows_) + 1) <= MAX_BITS
    }


def solve_boards(
    most_cells: int, threads: int, memory_bytes: int, with_score: bool, budget: Budget = UNLIMITED
) -> Iterator[BoardValue]:
    """Solve the empty boards with at most so many squares, the small ones first, each from an empty table."""
    boards = [Board.parse(name) for name in published_values()]
    for board in sorted(boards, key=lambda board: board.cells):
        if board.cells > most_cells:
            continue
        searcher = Searcher(board, memory_bytes, threads)
        position = Position.start(board)
        start = time.perf_counter()
        value = searcher.value(position, budget)
        score = searcher.score(position, budget) if with_score and value is not None else None
        yield BoardValue(
            board=str(board),
            value=None if value is None else str(value),
            published=str(published_values()[str(board)]),
            score=score,
            nodes=searcher.nodes,
            seconds=time.perf_counter() - start,
        )


def format_board_values(values: Sequence[BoardValue], run: Mapping[str, str]) -> str:
    """A page with one row a board, and where it was run."""
    rows = [
        "# Whole boards",
        "",
        "The value of the empty board by exact search, and as published by John Tromp and Michael Steininger.",
        "",
        "| board | search | published | score | nodes | seconds |",
        "|---|---|---|--:|--:|--:|",
    ]
    rows += [
        f"| {each.board} | {each.value or 'not decided'} | {each.published} "
        f"| {'' if each.score is None else each.score} | {each.nodes:,} | {each.seconds:,.2f} |"
        for each in values
    ]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)
