"""What every player should see: a win now, a win of the opponent to prevent, and moves that hand him one."""

from __future__ import annotations

from claimeven.solver.players.centre_out import centre_out
from claimeven.solver.players.game import EMPTY, FIRST, SECOND, Cell, Move, State


def opponent_of(side: int) -> int:
    """The other of FIRST and SECOND."""
    return FIRST + SECOND - side


def winning_moves(state: State, side: int) -> tuple[Move, ...]:
    """The moves with which `side` would complete a line if it were to move.

    >>> from claimeven.solver.players.game import Game
    >>> state = State.start(Game()).play_all([3, 0, 3, 0, 3, 0])
    >>> winning_moves(state, FIRST), winning_moves(state, SECOND)
    ((3,), (0,))
    """
    return tuple(
        move
        for move in state.legal_moves
        if (cell := state.landing_cell(move)) is not None and _completes_line(state, cell, side)
    )


def safe_moves(state: State) -> tuple[Move, ...]:
    """The moves after which the opponent cannot complete a line at once; none if he can whatever is played."""
    mover, opponent = state.to_move, opponent_of(state.to_move)
    threats = winning_moves(state, opponent)
    if len(threats) > 1:
        return ()
    candidates = threats or state.legal_moves
    if not state.game.gravity:
        return candidates
    return tuple(move for move in candidates if not _is_gift(state, move, mover, opponent))


def centre_first(state: State) -> tuple[Move, ...]:
    """The legal moves, those next to the middle of the board first.

    >>> from claimeven.solver.players.game import Game
    >>> centre_first(State.start(Game()))
    (3, 2, 4, 1, 5, 0, 6)
    """
    legal = set(state.legal_moves)
    return tuple(move for move in centre_out(state.game) if move in legal)


def _is_gift(state: State, move: Move, mover: int, opponent: int) -> bool:
    """Whether the cell that the move opens up is one where the opponent completes a line."""
    cell = state.landing_cell(move)
    assert cell is not None
    cells = bytearray(state.cells)
    cells[cell] = mover
    above = cells.find(EMPTY, cell, (move + 1) * state.game.height)
    return above >= 0 and _completes_line(state, above, opponent)


def _completes_line(state: State, cell: Cell, side: int) -> bool:
    return any(
        all(other == cell or state.cells[other] == side for other in line) for line in state.game.lines_through[cell]
    )
