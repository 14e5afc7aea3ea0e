"""Perfect never gives away what it has: from random starts whose value is known by other means than its own."""

from __future__ import annotations

import random

import pytest

from claimeven.reports.bench.search_speed import Yardstick, has_yardstick
from claimeven.solver.notation import format_moves
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.match import play_game
from claimeven.solver.players.player import Player
from claimeven.solver.players.registry import PLAYERS, Resources, make_player
from claimeven.solver.search.searcher import Searcher

LEAST_STONES, MOST_STONES = 12, 30
OPPONENTS = ("random", "hard", "mcts:playouts=2000", "perfect")


def random_starts(count: int, seed: int) -> list[State]:
    """Unfinished 7x6 games at different lengths."""
    chance = random.Random(seed)
    starts: list[State] = []
    while len(starts) < count:
        state = State.start(Game())
        for _ in range(chance.randint(LEAST_STONES, MOST_STONES)):
            state = state.play(chance.choice(state.legal_moves))
            if state.is_over:
                break
        else:
            starts.append(state)
    return starts


def check_outcomes(starts: list[State], scores: list[int], opponents: tuple[str, ...]) -> dict[int, int]:
    """Play perfect from each start as the side to move; gives how often each outcome was due."""
    perfect = make_player("perfect:memory=64")
    due: dict[int, int] = {}
    for number, (state, score) in enumerate(zip(starts, scores, strict=True)):
        opponent = make_player(opponents[number % len(opponents)], Resources(seed=number))
        outcome = play_as_side_to_move(perfect, opponent, state)
        value = (score > 0) - (score < 0)
        assert outcome >= value, (state.moves, opponent.name, outcome, score)
        due[value] = due.get(value, 0) + 1
    return due


def play_as_side_to_move(perfect: Player, opponent: Player, state: State) -> int:
    """1, 0 or -1: how the game went for the perfect player."""
    players = (perfect, opponent) if len(state.moves) % 2 == 0 else (opponent, perfect)
    played = play_game(state.game, *players, opening=state.moves)
    assert not played.is_forfeit, played.ending
    return 0 if played.winner is None else 1 if played.winner == state.to_move else -1


def scores_without_rules(starts: list[State]) -> list[int]:
    """Exact scores by a searcher that takes nothing from the rules and shares no table with the player."""
    searcher = Searcher(memory_bytes=64 << 20, uses_rules=False)
    scores = [score for score in searcher.scores([state.to_position() for state in starts]) if score is not None]
    assert len(scores) == len(starts)
    return scores


def test_perfect_keeps_what_it_has_from_forty_starts() -> None:
    starts = [state for state in random_starts(80, seed=1) if len(state.moves) >= 18][:40]
    due = check_outcomes(starts, scores_without_rules(starts), ("random", "perfect:memory=64"))
    assert due.keys() >= {1, -1}


@pytest.mark.slow
def test_perfect_keeps_what_it_has_from_a_thousand_starts() -> None:
    starts = random_starts(1000, seed=2026)
    if has_yardstick():
        other = Yardstick()
        scores = [other.score(format_moves(state.moves)) for state in starts]
    else:
        scores = scores_without_rules(starts)
    due = check_outcomes(starts, scores, OPPONENTS)
    assert due.keys() == {1, 0, -1}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
def test_perfect_going_first_wins_against_everybody(name: str) -> None:
    text = {"mcts": "mcts:seconds=1", "connect-k": "connect-k:seconds=1"}.get(name, name)
    for seed in range(3):
        played = play_game(Game(), make_player("perfect"), make_player(text, Resources(seed=seed)))
        assert played.winner == 1, (seed, played)
