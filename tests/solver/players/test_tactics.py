"""Immediate wins, threats and gifts, against playing every move out."""

from __future__ import annotations

import random

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.tactics import centre_first, opponent_of, safe_moves, winning_moves

GAMES = (
    Game(),
    Game(5, 4, 3),
    Game(4, 4, 3, gravity=False),
    Game(6, 5, blocked=8),
    Game(12, 12, 5),
    Game(9, 9, gravity=False, blocked=40),
)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_wins_and_safe_moves_are_what_playing_them_shows(game: Game) -> None:
    chance = random.Random(str(game))
    seen_wins = seen_losing = 0
    for _ in range(30):
        state = State.start(game)
        for _ in range(chance.randint(0, game.cells)):
            moves = state.legal_moves
            # Playing near each other makes lines, and threats, that chance alone would hardly make.
            move = min(chance.sample(moves, min(3, len(moves))), key=lambda move: abs(move - game.moves // 2))
            if state.play(move).is_over:
                break
            state = state.play(move)
        wins = {move for move in state.legal_moves if state.play(move).winner is not None}
        assert set(winning_moves(state, state.to_move)) == wins
        safe = {move for move in state.legal_moves if not _opponent_wins_after(state, move)}
        assert set(safe_moves(state)) - wins == safe - wins
        seen_wins += bool(wins)
        seen_losing += len(safe) < len(state.legal_moves)
    assert seen_wins
    assert seen_losing


def _opponent_wins_after(state: State, move: int) -> bool:
    after = state.play(move)
    return any(after.play(reply).winner is not None for reply in after.legal_moves)


def test_threats_of_the_side_that_is_not_to_move() -> None:
    state = State.start(Game()).play_all([0, 3, 0, 3, 6, 3])
    assert state.to_move == FIRST
    assert winning_moves(state, SECOND) == (3,)
    assert safe_moves(state) == (3,)


def test_two_threats_leave_nothing_safe() -> None:
    state = State.start(Game()).play_all([2, 2, 3, 3, 4])
    assert winning_moves(state, FIRST) == (1, 5)
    assert safe_moves(state) == ()


def test_the_stone_below_a_win_of_the_opponent_is_a_gift() -> None:
    # The second player needs d2 for a2-b2-c2-d2; whoever plays d1 gives it to him.
    state = State.start(Game()).play_all([0, 0, 1, 1, 6, 2, 6, 2])
    assert winning_moves(state, SECOND) == ()
    assert safe_moves(state) == (0, 1, 2, 4, 5, 6)


def test_opponent_and_order() -> None:
    assert (opponent_of(FIRST), opponent_of(SECOND)) == (SECOND, FIRST)
    assert centre_first(State.start(Game(4, 4))) == (1, 2, 0, 3)
    assert centre_first(State.start(Game(3, 3, 3, gravity=False)))[0] == 4
    full = State.start(Game()).play_all([3, 3, 3, 3, 3, 3])
    assert 3 not in centre_first(full)
