"""Trees of every kind of game grown: the tables of a game, and its states, as `mcts_growth` takes them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.landing import cells_above, first_cells, moves_of_cells
from claimeven.solver.players.mcts.growth import grow
from claimeven.solver.players.mcts.state import COUNTS, LONGEST, NOWHERE, OPEN, SIDE, Ground, ShortRows, Shorts, play
from claimeven.solver.players.mcts.tree_memory import Arena


def make_ground(game: Game) -> Ground:
    """The tables of a game.

    >>> ground = make_ground(Game())
    >>> ground.cells, ground.lines, ground.order.tolist()
    (42, 37, [3, 2, 4, 1, 5, 0, 6])
    """
    lines, line_of, bit_of = _long_lines(game)
    cell_at = np.full((len(lines), LONGEST), NOWHERE, np.int16)
    for number, line in enumerate(lines):
        cell_at[number, : len(line)] = line
    starts = np.cumsum([COUNTS, 2 * len(lines), 2 * game.cells, game.moves, game.moves, game.moves])
    return Ground(
        game.cells,
        len(lines),
        line_of,
        bit_of,
        cell_at,
        completing_bits(game.connect),
        cells_above(game),
        moves_of_cells(game),
        np.array(_promising_first(game), np.int16),
        *(int(start) for start in starts),
    )


def _long_lines(game: Game) -> tuple[list[list[int]], ShortRows, ShortRows]:
    """The whole rows, columns and diagonals, and in which of them, and where, each cell is."""
    width, height = game.width, game.height
    lines: dict[tuple[int, int], list[int]] = defaultdict(list)
    for column in range(width):
        for row in range(height):
            for direction, line in enumerate((column, row, column - row, column + row)):
                lines[direction, line].append(column * height + row)
    line_of, bit_of = np.zeros((game.cells, 4), np.int16), np.zeros((game.cells, 4), np.int16)
    for number, ((direction, _), cells) in enumerate(lines.items()):
        for place, cell in enumerate(cells):
            line_of[cell, direction], bit_of[cell, direction] = number, 1 << place
    return list(lines.values()), line_of, bit_of


def completing_bits(connect: int) -> Shorts:
    """By word: the bits that would make `connect` bits in a row, were they set; those that are set are left out.

    >>> bin(completing_bits(4)[0b1110]), bin(completing_bits(4)[0b1101])
    ('0b10001', '0b10')
    """
    gaps = np.zeros(1 << LONGEST, np.int16)
    words = np.arange(1 << LONGEST)
    for lowest in range(LONGEST - connect + 1):
        window = ((1 << connect) - 1) << lowest
        for bit in range(lowest, lowest + connect):
            gaps[words & window == window ^ (1 << bit)] |= 1 << bit
    return gaps


def _promising_first(game: Game) -> list[int]:
    """All moves: columns from the middle outwards, cells by the number of lines through them."""
    middle, half = (game.width - 1) / 2, (game.height - 1) / 2

    def promise(move: int) -> tuple[float, ...]:
        if game.gravity:
            return (abs(move - middle),)
        column, row = divmod(move, game.height)
        return (-len(game.lines_through[move]), abs(column - middle) + abs(row - half))

    return sorted(range(game.moves), key=promise)


def pack(ground: Ground, state: State) -> Shorts:
    """A state that is not over, as one vector.

    >>> game = Game()
    >>> vector = pack(make_ground(game), State.start(game).play_all([3, 3]))
    >>> len(vector), int(vector[OPEN])
    (267, 7)
    """
    game = state.game
    vector = np.zeros(ground.stacks + 2 * game.cells, np.int16)
    vector[ground.landing : ground.landing + game.moves] = landing = first_cells(game)
    for move in np.flatnonzero(landing != NOWHERE):
        place = vector[OPEN]
        vector[ground.open + place] = move
        vector[ground.place + move] = place
        vector[OPEN] += 1
    for cell, content in enumerate(state.cells):
        if content in (FIRST, SECOND):
            vector[SIDE] = content - FIRST
            play(ground, vector, int(ground.move_of[cell]))
    vector[SIDE] = state.to_move - FIRST
    return vector


class GeneralGrower:
    """Grows trees of any game."""

    def __init__(self, game: Game) -> None:
        self._ground = make_ground(game)

    def grow(self, tree: Arena, state: State, exploration: float, visits: int) -> int:
        root = pack(self._ground, state)
        room = np.empty_like(root)
        return int(grow(tree.nodes, tree.used, self._ground, root, room, tree.chance, exploration, visits))
