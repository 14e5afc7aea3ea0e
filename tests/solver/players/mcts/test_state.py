"""Packed states against the rules of the game, on random games of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.mcts.general import completing_bits, make_ground, pack
from claimeven.solver.players.mcts.state import (
    LONGEST,
    NOWHERE,
    OPEN,
    SIDE,
    STACKED,
    Ground,
    Shorts,
    draw_number,
    find_win,
    has_another_win,
    play,
    play_to_the_end,
)
from tests.solver.players.games_of_every_kind import GAMES, random_game, winning_cells


def playable_wins(ground: Ground, vector: Shorts, side: int) -> set[int]:
    start = ground.stacks + side * ground.cells
    stack = vector[start : start + vector[STACKED + side]].tolist()
    return {cell for cell in stack if vector[ground.landing + ground.move_of[cell]] == cell}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_packed_state_knows_its_moves_and_its_wins(game: Game) -> None:
    ground = make_ground(game)
    for seed in range(3):
        vector = pack(ground, State.start(game))
        played = 0
        for state in random_game(game, seed):
            if played < len(state.moves):
                play(ground, vector, state.moves[-1])
                played += 1
            for packed in (vector, pack(ground, state)):
                assert packed[SIDE] == state.to_move - FIRST
                assert sorted(packed[ground.open : ground.open + packed[OPEN]].tolist()) == list(state.legal_moves)
                for side in (FIRST, SECOND):
                    wins = winning_cells(state, side)
                    assert playable_wins(ground, packed, side - FIRST) == wins
                    found = find_win(ground, packed, side - FIRST)
                    assert found in wins if wins else found == NOWHERE
                    assert has_another_win(ground, packed, side - FIRST, found) == (len(wins) > 1)


@pytest.mark.parametrize("connect", [3, 5, 12, 13])
def test_completing_bits_are_those_that_make_a_run(connect: int) -> None:
    table = completing_bits(connect)
    run = "1" * connect
    chance = np.random.default_rng(connect)
    for word in [*chance.integers(1 << LONGEST, size=300).tolist(), (1 << LONGEST) - 2, (1 << connect - 1) - 1]:
        expected = 0
        for bit in range(LONGEST):
            before, after = f"{word:b}", f"{word | 1 << bit:b}"
            # Of a word that has a run already nothing is asked: its game is over.
            if run not in before and run in after:
                expected |= 1 << bit
        if run not in f"{word:b}":
            assert table[word] == expected


@pytest.mark.parametrize(("columns", "points"), [("415161", 2), ("7415167", 0)])
def test_a_game_played_on_is_won_by_who_can_win_at_once(columns: str, points: int) -> None:
    state = State.start(Game()).play_all(int(column) - 1 for column in columns)
    ground, chance = make_ground(Game()), np.array([9], np.uint64)
    for _ in range(20):
        assert play_to_the_end(ground, pack(ground, state), chance) == points


def test_games_played_on_end_as_the_rules_say() -> None:
    hopeless = Game(6, 6, 7)
    ground = make_ground(hopeless)
    chance = np.array([5], np.uint64)
    assert {play_to_the_end(ground, pack(ground, State.start(hopeless)), chance) for _ in range(20)} == {1}
    ground = make_ground(Game())
    results = [play_to_the_end(ground, pack(ground, State.start(Game())), chance) for _ in range(2000)]
    assert {0, 1, 2} == set(results)
    assert 0.9 < np.mean(results) < 1.2


def test_zugzwang_mostly_decides_games_played_on() -> None:
    """Column 6 has two cells left; who must then play in column 7 lets the second player win there."""
    state = State.start(Game()).play_all(int(column) - 1 for column in "541345263342662211461135355451372472")
    ground, chance = make_ground(Game()), np.array([9], np.uint64)
    results = [play_to_the_end(ground, pack(ground, state), chance) for _ in range(1000)]
    # Either side would have to draw column 7 four times in a row to save the first player.
    assert 0.85 < results.count(0) / 1000 < 1


def test_chance_is_even() -> None:
    chance = np.array([77], np.uint64)
    counts = np.bincount([draw_number(chance, 7) for _ in range(14_000)])
    assert len(counts) == 7
    assert counts.min() > 1_800
    assert counts.max() < 2_200
