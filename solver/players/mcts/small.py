"""Trees of small boards grown: a game, and its states, as `mcts_bitboard` takes them."""

from __future__ import annotations

import numpy as np

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.mcts.bitboard import Field, grow
from claimeven.solver.players.mcts.tree_memory import Arena


def make_field(game: Game) -> Field:
    """The masks of a board.

    >>> field = make_field(Game(blocked=2))
    >>> field.stride, field.order.tolist(), int(field.squares).bit_count(), int(field.blocked)
    (np.uint64(7), [3, 2, 4, 1, 5, 0, 6], 42, 4)
    """
    middle, stride = (game.width - 1) / 2, game.height + 1
    columns = [((1 << game.height) - 1) << column * stride for column in range(game.width)]
    return Field(
        np.uint64(stride),
        np.uint64(sum(1 << column * stride for column in range(game.width))),
        np.uint64(sum(columns)),
        np.uint64(0 if game.blocked is None else _bit(game, game.blocked)),
        np.array(columns, np.uint64),
        np.array(sorted(range(game.width), key=lambda column: abs(column - middle)), np.int16),
    )


def _bit(game: Game, cell: int) -> int:
    return 1 << cell // game.height * (game.height + 1) + cell % game.height


def stones_of(state: State, side: int) -> np.uint64:
    """The cells of a side as a word."""
    return np.uint64(sum(_bit(state.game, cell) for cell, content in enumerate(state.cells) if content == side))


class SmallGrower:
    """Grows trees of one small board."""

    def __init__(self, game: Game) -> None:
        self._field = make_field(game)

    def grow(self, tree: Arena, state: State, exploration: float, visits: int) -> int:
        own, other = (stones_of(state, side) for side in (state.to_move, FIRST + SECOND - state.to_move))
        return int(grow(tree.nodes, tree.used, self._field, own, other, tree.chance, exploration, visits))
