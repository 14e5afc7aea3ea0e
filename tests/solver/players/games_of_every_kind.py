"""Games of every kind, and what is true of them by the rules of `game` alone, slowly."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from types import FrameType

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Cell, Game, Move, State
from claimeven.solver.players.player import Player

GAMES = (
    Game(),
    Game(4, 5, 3),
    Game(9, 9, 5, gravity=False),
    Game(10, 8, blocked=33),
    Game(12, 12, gravity=False, blocked=70),
    Game(12, 12, 7),
    Game(3, 1, 3, gravity=False),
    Game(1, 12, blocked=0),
    Game(5, 5, 13),
)


def random_game(game: Game, seed: int) -> Iterator[State]:
    """The states of a random game that are not over."""
    chance = random.Random(seed)
    state = State.start(game)
    while not state.is_over:
        yield state
        state = state.play(chance.choice(state.legal_moves))


def winning_cells(state: State, side: int) -> set[Cell]:
    """The playable cells where a side, were it to move, would win."""
    found = set()
    for move in state.legal_moves:
        cell = state.landing_cell(move)
        assert cell is not None
        for line in state.game.lines_through[cell]:
            if all(other == cell or state.cells[other] == side for other in line):
                found.add(cell)
    return found


def solve(state: State, known: dict[bytes, int]) -> int:
    """By plain minimax, for the side to move: how many cells its win leaves empty, plus one; 0 is a draw."""
    if state.winner is not None:
        return -1 - state.cells.count(0)
    if state.cells not in known:
        values = [-solve(state.play(move), known) for move in state.legal_moves]
        known[state.cells] = max(values, default=0)
    return known[state.cells]


def points_against_random(player: Player, game: Game, games: int) -> float:
    """What a player scores against random moves, going first in every other game."""
    points = 0.0
    for seed in range(games):
        chance = random.Random(seed)
        own = FIRST if seed % 2 == 0 else SECOND
        player.start(game)
        state = State.start(game)
        while not state.is_over:
            move: Move = player.choose(state).move if state.to_move == own else chance.choice(state.legal_moves)
            state = state.play(move)
        points += 0.5 if state.winner is None else float(state.winner == own)
    return points


def check_interruption(player: Player, game: Game) -> None:
    """An exception of a signal, as Ctrl-C is one, comes out of the player at once, and it can go on afterwards."""

    class Interrupt(Exception):
        pass

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupt

    player.start(game)
    before = signal.signal(signal.SIGALRM, interrupt)
    begin = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Interrupt):
            player.choose(State.start(game))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 1
    assert player.choose(State.start(game), 0.1).move in State.start(game).legal_moves
