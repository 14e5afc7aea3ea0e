from __future__ import annotations

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.window.levels import GURU, VICTOR, Level
from claimeven.solver.players.window.player import ONLY_MOVE, WindowPlayer
from claimeven.solver.players.window.search import DECIDED, WIN
from tests.solver.players.states import random_state
from tests.solver.players.window.slow_windows import slow_strategy, slow_windows

SMALL_GAMES = (Game(4, 4), Game(5, 4, 3), Game(6, 4), Game(4, 6))


def wins_at_once(state: State) -> bool:
    return any(state.play(move).winner for move in state.legal_moves)


def value_for(state: State, own: int, level: Level) -> int:
    """What a state is worth to side `own`, from the definitions."""
    opponent = FIRST + SECOND - own
    bonus = sum(slow_strategy(state, own).values()) - sum(slow_strategy(state, opponent).values())
    return slow_windows(state, own) + (bonus if level.uses_rules else 0)


def slow_search(state: State, depth: int, own: int, level: Level) -> int:
    """The value for the side to move by trying every move; a win, or a loss two plies on, is seen at any depth."""
    ply = len(state.moves)
    if state.is_over:
        return 0
    if wins_at_once(state):
        return WIN - (ply + 1)
    children = [state.play(move) for move in state.legal_moves]
    if all(wins_at_once(child) for child in children):
        return -(WIN - (ply + 2))
    if depth == 0:
        return value_for(state, own, level) * (1 if state.to_move == own else -1)
    return max(-slow_search(child, depth - 1, own, level) for child in children)


@pytest.mark.parametrize("level", [GURU, VICTOR], ids=lambda level: level.name)
@pytest.mark.parametrize("game", SMALL_GAMES, ids=str)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_move_is_one_of_the_best_of_a_plain_search(game: Game, level: Level, depth: int) -> None:
    tried = 0
    for seed in range(5):
        state = random_state(game, length=4 + seed, seed=seed)
        if wins_at_once(state):
            continue
        tried += 1
        values = {move: -slow_search(state.play(move), depth - 1, state.to_move, level) for move in state.legal_moves}
        choice = WindowPlayer(level, depth=depth, seconds=60).choose(state)
        assert values[choice.move] == max(values.values())
        if choice.note != ONLY_MOVE:
            assert choice.score == max(values.values())
    assert tried


def test_a_table_kept_from_move_to_move_changes_no_value() -> None:
    game = Game(6, 5)
    for seed in range(5):
        player = WindowPlayer(GURU, depth=6, seconds=60)
        player.start(game)
        state = random_state(game, length=4, seed=seed)
        while not state.is_over:
            choice, fresh = player.choose(state), WindowPlayer(GURU, depth=6, seconds=60).choose(state)
            assert choice.score is not None
            assert fresh.score is not None
            if abs(choice.score) < DECIDED:
                assert choice.score == fresh.score
            else:  # what an earlier search has proved may lie beyond the horizon of this one
                assert choice.score * fresh.score > 0 or abs(fresh.score) < DECIDED
            state = state.play(choice.move)


def test_the_table_saves_nodes() -> None:
    kept = WindowPlayer(GURU, depth=8, seconds=60)
    state = State.start(Game()).play_all([3, 3])
    first = kept.choose(state).work
    assert 0 < kept.choose(state).work < first / 2
    kept.start(Game())
    assert kept.choose(state).work == first
