"""The fast kernels for small boards against the rules of the game."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.mcts.bitboard import find_gaps, find_playable, find_safe, play_to_the_end
from claimeven.solver.players.mcts.small import make_field, stones_of
from tests.solver.players.games_of_every_kind import random_game, winning_cells

SMALL = (Game(), Game(4, 4, blocked=5), Game(12, 4), Game(5, 11), Game(8, 7, blocked=27), Game(6, 3, blocked=0))


def cells_of(game: Game, word: int) -> set[int]:
    """The cells of a word, which has no bits beside them."""
    stride = game.height + 1
    places = [bit for bit in range(64) if int(word) >> bit & 1]
    assert all(bit % stride < game.height for bit in places)
    return {bit // stride * game.height + bit % stride for bit in places}


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_words_know_moves_wins_and_moves_that_lose(game: Game) -> None:
    field = make_field(game)
    found_unsafe = 0
    for seed in range(12):
        for state in random_game(game, seed):
            mover, other = state.to_move, FIRST + SECOND - state.to_move
            filled = stones_of(state, FIRST) | stones_of(state, SECOND) | field.blocked
            playable = find_playable(field, filled)
            assert cells_of(game, playable) == {state.landing_cell(move) for move in state.legal_moves}
            gaps = find_gaps(field.stride, stones_of(state, mover))
            assert cells_of(game, playable & gaps) == winning_cells(state, mover)
            if winning_cells(state, mover):
                continue
            gaps = find_gaps(field.stride, stones_of(state, other))
            safe = {
                state.landing_cell(move) for move in state.legal_moves if not winning_cells(state.play(move), other)
            }
            found_unsafe += len(state.legal_moves) - len(safe)
            assert cells_of(game, find_safe(field, filled, playable, gaps)) == safe
    assert found_unsafe > 5


@pytest.mark.parametrize(
    ("columns", "points"),
    [
        ("415161", 2),
        ("7415167", 2),
        ("44556", 0),  # an open row of three
        ("541345263342662211461135355451372472", 0),  # zugzwang: column 7 is all that will be left
        ("66571522722713554566665441377212734113", 0),
    ],
)
def test_a_game_played_on_is_won_by_who_must_win(columns: str, points: int) -> None:
    state = State.start(Game()).play_all(int(column) - 1 for column in columns)
    field, chance = make_field(Game()), np.array([9], np.uint64)
    own, other = stones_of(state, state.to_move), stones_of(state, FIRST + SECOND - state.to_move)
    assert {play_to_the_end(field, chance, own, other) for _ in range(300)} == {points}


def test_games_played_on_end_like_those_of_the_general_kernels() -> None:
    """The general kernels, which differ little in what they leave to chance, have results that are alike."""
    from claimeven.solver.players.mcts.general import make_ground, pack
    from claimeven.solver.players.mcts.state import play_to_the_end as play_generally

    chance = np.array([5], np.uint64)
    field, ground, root = make_field(Game()), make_ground(Game()), pack(make_ground(Game()), State.start(Game()))
    none = np.uint64(0)
    small = np.array([play_to_the_end(field, chance, none, none) for _ in range(4000)])
    general = np.array([play_generally(ground, root.copy(), chance) for _ in range(4000)])
    assert set(small) == {0, 1, 2}
    assert abs(small.mean() - general.mean()) < 0.12
    assert abs((small == 1).mean() - (general == 1).mean()) < 0.08
