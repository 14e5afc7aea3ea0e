from __future__ import annotations

from collections import Counter

from hypothesis import given

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.random_player import RandomPlayer
from tests.solver.players.states import states


@given(states())
def test_moves_are_legal(state: State) -> None:
    assert RandomPlayer().choose(state).move in state.legal_moves


def test_all_legal_moves_are_equally_likely() -> None:
    state = State.start(Game()).play_all([3] * 6)
    player = RandomPlayer(seed=3)
    counts = Counter(player.choose(state).move for _ in range(6000))
    assert set(counts) == {0, 1, 2, 4, 5, 6}
    # Each count is 1,000 with a standard deviation of 29.
    assert all(880 < count < 1120 for count in counts.values())


def test_the_seed_fixes_all_choices_and_games_differ() -> None:
    def play(player: RandomPlayer) -> tuple[int, ...]:
        player.start(Game())
        state = State.start(Game())
        while not state.is_over:
            state = state.play(player.choose(state).move)
        return state.moves

    player, same, other = RandomPlayer(5), RandomPlayer(5), RandomPlayer(6)
    games = [play(player) for _ in range(3)]
    assert games == [play(same) for _ in range(3)]
    assert games != [play(other) for _ in range(3)]
    assert len(set(games)) == 3
