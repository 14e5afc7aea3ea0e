"""The window evaluations written down from their definitions, on sets of cells, for checking the kernels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from claimeven.solver.players.game import EMPTY, FIRST, SECOND, Cell, State


def lacking(state: State, side: int) -> list[tuple[tuple[Cell, ...], frozenset[Cell]]]:
    """The lines without a stone of the other side, each with the squares it lacks."""
    opponent = FIRST + SECOND - side
    return [
        (line, frozenset(cell for cell in line if state.cells[cell] == EMPTY))
        for line in state.game.lines
        if all(state.cells[cell] != opponent for cell in line)
    ]


def slow_windows(state: State, side: int) -> int:
    """Guru's evaluation for a side."""
    own = [len(lacks) for _, lacks in lacking(state, side)]
    opponents = [len(lacks) for _, lacks in lacking(state, FIRST + SECOND - side)]
    value = 100_000 * own.count(0) + 5 * own.count(1) + 2 * own.count(2) - 4 * opponents.count(1)
    middle = (state.game.width - 1) / 2
    centre = [column for column in range(state.game.width) if abs(column - middle) <= 0.5]
    height = state.game.height
    return value + 3 * sum(
        state.cells[cell] == side for column in centre for cell in range(column * height, (column + 1) * height)
    )


def slow_strategy(state: State, side: int) -> dict[str, int]:
    """The points of victor's rules for a side, each by its name."""
    height = state.game.height
    playable = {cell for column in range(state.game.width) if (cell := state.landing_cell(column)) is not None}
    uppers = {cell for cell, content in enumerate(state.cells) if content == EMPTY} - playable
    good_rows = range(0, height, 2) if side == FIRST else range(1, height, 2)
    good = {cell for cell in uppers if cell % height in good_rows}
    bad = uppers - good
    problems = lacking(state, FIRST + SECOND - side)
    groups = [
        (line, lacks) for line, lacks in lacking(state, side) if not is_vertical(line, height) and len(lacks) in (1, 2)
    ]
    troubled = {cell for _, lacks in problems for cell in lacks}

    def fewest(squares: Iterable[Cell], *, vertical: bool = False) -> int | None:
        """How many squares the most dangerous problem with these squares lacks."""
        return min(
            (
                len(lacks)
                for line, lacks in problems
                if set(squares) <= lacks and (not vertical or is_vertical(line, height))
            ),
            default=None,
        )

    def pairs(of: set[Cell]) -> int:
        return sum(
            any(lacks == set(pair) for _, lacks in problems)
            for pair in combinations(sorted(of), 2)
            if pair[0] // height != pair[1] // height
        )

    return {
        "claimeven": sum(
            0 if (missing := fewest([cell])) is None else {1: 100, 2: 25}.get(missing, 8) for cell in good
        ),
        "baseinverse": 40 * pairs(playable),
        "vertical": sum({2: 50, 3: 20}.get(fewest([cell - 1, cell], vertical=True) or 0, 0) for cell in bad),
        "before": sum(
            {1: 150, 2: 50}[len(lacks)]
            for _, lacks in groups
            if all(cell % height < height - 1 and cell + 1 in troubled for cell in lacks)
        ),
        "aftereven": sum({1: 60, 2: 20}[len(lacks)] for _, lacks in groups if lacks <= good),
        "lowinverse": 30 * pairs(bad),
    }


def is_vertical(line: tuple[Cell, ...], height: int) -> bool:
    return line[0] // height == line[-1] // height
