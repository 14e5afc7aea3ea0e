"""The order in which moves are tried: from the middle of the board outwards."""

from __future__ import annotations

from claimeven.solver.players.game import Game, Move


def centre_out(game: Game) -> tuple[Move, ...]:
    """All moves of a game, the most central first, of two alike the lower number.

    More lines go through the middle, so its moves are the better ones more often than not.

    >>> centre_out(Game(7, 6)), centre_out(Game(4, 4))
    ((3, 2, 4, 1, 5, 0, 6), (1, 2, 0, 3))
    >>> centre_out(Game(3, 3, connect=3, gravity=False))
    (4, 1, 3, 5, 7, 0, 2, 6, 8)
    """

    def distance(move: Move) -> int:
        if game.gravity:
            return abs(2 * move - game.width + 1)
        column, row = divmod(move, game.height)
        return abs(2 * column - game.width + 1) + abs(2 * row - game.height + 1)

    return tuple(sorted(range(game.moves), key=lambda move: (distance(move), move)))
