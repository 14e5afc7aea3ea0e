"""Any game, and any state of it, as the kernels that count frames take them."""

from __future__ import annotations

import numpy as np

from claimeven.solver.players.connect_k.frames import FREE, NOWHERE, NUMBERS, SIDE, Board, Frames, ShortRows, play
from claimeven.solver.players.game import BLOCKED, FIRST, SECOND, Game, State
from claimeven.solver.players.landing import cells_above, first_cells, moves_of_cells

WORTH_OF_MISSING = {1: 64, 2: 16, 3: 4}
"""What a frame is worth that lacks so many stones; one that lacks more is worth 1, one without stones nothing."""

NEAR = 2
"""How many rows and columns away a cell may be to be near."""


def make_frames(game: Game) -> Frames:
    """The tables of a game.

    >>> frames = make_frames(Game())
    >>> frames.worth.tolist(), (frames.through[0] != NOWHERE).sum()
    ([0, 4, 16, 64, 0], np.int64(3))
    """
    through: list[list[int]] = [[] for _ in range(game.cells)]
    for number, line in enumerate(game.lines):
        for cell in line:
            through[cell].append(number)
    around: list[list[int]] = [[] for _ in range(game.cells)]
    if not game.gravity:
        for cell, near in enumerate(around):
            near.extend(other for other in range(game.cells) if other != cell and _distance(game, cell, other) <= NEAR)
    longest = min(game.connect, max(game.width, game.height) + 1)  # there is no frame that needs more
    worth = [0] + [WORTH_OF_MISSING.get(game.connect - stones, 1) for stones in range(1, longest)] + [0]
    return Frames(
        game.connect,
        game.gravity,
        _padded(through),
        _padded(around),
        cells_above(game),
        moves_of_cells(game),
        np.array(worth, np.int64),
        np.random.default_rng(4).integers(1 << 64, size=(2, game.cells), dtype=np.uint64),
    )


def _distance(game: Game, one: int, other: int) -> int:
    (column, row), (other_column, other_row) = divmod(one, game.height), divmod(other, game.height)
    return max(abs(column - other_column), abs(row - other_row))


def _padded(rows: list[list[int]]) -> ShortRows:
    padded = np.full((len(rows), max(map(len, rows)) + 1), NOWHERE, np.int16)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded


def make_board(frames: Frames, state: State) -> Board:
    """A state that is not over."""
    game = state.game
    missing = np.zeros(len(game.lines), np.int16)
    for number, line in enumerate(game.lines):
        missing[number] = np.bitwise_xor.reduce(line)
    board = Board(
        np.zeros(NUMBERS, np.int64),
        np.zeros(1, np.uint64),
        np.zeros((2, len(game.lines)), np.int16),
        missing,
        np.zeros((2, game.cells), np.int16),
        np.zeros((2, game.cells), np.int16),
        np.zeros(game.cells, np.int16),
        first_cells(game),
    )
    board.numbers[FREE] = game.cells - state.cells.count(BLOCKED)
    for cell, content in enumerate(state.cells):
        if content in (FIRST, SECOND):
            board.numbers[SIDE] = content - FIRST
            play(frames, board, cell)
    board.numbers[SIDE] = state.to_move - FIRST
    return board
