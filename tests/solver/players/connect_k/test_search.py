"""The alpha-beta search against plain minimax, on games that are small enough for both."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.players.connect_k.board import make_board, make_frames
from claimeven.solver.players.connect_k.frames import FREE, NOWHERE, Board
from claimeven.solver.players.connect_k.player import make_memory
from claimeven.solver.players.connect_k.search import BEST, CELLS, WIN, Memory, search
from claimeven.solver.players.game import BLOCKED, EMPTY, Game, State
from tests.solver.players.games_of_every_kind import random_game, solve, winning_cells


def search_to_the_end(state: State, memory: Memory, *, deepening: bool) -> int:
    frames = make_frames(state.game)
    board = make_board(frames, state)
    memory.counters[CELLS] = state.game.cells - state.cells.count(BLOCKED)
    memory.counters[BEST] = NOWHERE
    depth = int(board.numbers[FREE])
    score = 0
    for reached in range(1 if deepening else depth, depth + 1):
        score = int(search(frames, board, memory, -WIN, WIN, reached, 0))
    return score


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (Game(3, 3, 3, gravity=False), 0),
        (Game(4, 3, 3, gravity=False, blocked=4), 3),
        (Game(4, 3, 3), 0),
        (Game(4, 4), 6),
        (Game(5, 4), 11),
        (Game(5, 4, blocked=9), 10),
        (Game(6, 4, 5), 16),
    ],
    ids=str,
)
def test_scores_are_those_of_minimax(game: Game, plies: int) -> None:
    memory = make_memory(game)
    known: dict[bytes, int] = {}
    cells = game.cells - (game.blocked is not None)
    tried = set()
    for seed in range(8):
        for state in random_game(game, seed):
            if len(state.moves) < plies or state.cells in tried:
                continue
            tried.add(state.cells)
            value = solve(state, known)
            # Minimax counts the cells that are empty after the last stone, plus one; the search the stones.
            expected = 0 if value == 0 else (1 if value > 0 else -1) * (WIN - (cells - abs(value) + 1))
            for deepening in (False, True):
                assert search_to_the_end(state, memory, deepening=deepening) == expected
                memory.entries[:] = 0
    assert len(tried) > 20


def test_the_best_cell_keeps_the_score() -> None:
    game = Game(4, 4, 3)
    memory = make_memory(game)
    known: dict[bytes, int] = {}
    checked = 0
    for seed in range(20):
        for state in random_game(game, seed):
            if len(state.moves) < 3 or winning_cells(state, state.to_move):
                continue
            search_to_the_end(state, memory, deepening=True)
            best = int(memory.counters[BEST])
            if best == NOWHERE:
                continue  # two wins of the opponent: there is nothing to choose
            assert state.cells[best] == EMPTY
            assert -solve(state.play(best // game.height), known) == solve(state, known)
            checked += 1
    assert checked > 20


def test_a_stopped_search_leaves_the_board_as_it_was() -> None:
    game = Game()
    frames = make_frames(game)
    board = make_board(frames, State.start(game))
    memory = make_memory(game)
    memory.counters[CELLS] = 42
    memory.counters[BEST] = NOWHERE
    memory.stop[0] = 1
    search(frames, board, memory, -WIN, WIN, 20, 0)
    assert memory.counters[0] < 5000
    fresh = make_board(frames, State.start(game))
    for name in set(Board._fields) - {"listed"}:
        assert np.array_equal(getattr(board, name), getattr(fresh, name)), name
