"""The player by UCT: what it keeps, when it stops, and that it plays every game well."""

from __future__ import annotations

import time

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.mcts.player import MctsPlayer, make
from claimeven.solver.players.mcts.search import Child
from claimeven.solver.players.mcts.tree import DRAWN, LOST, UNPROVED, WON
from claimeven.solver.players.player import Player, PlayerError
from claimeven.solver.players.registry import Resources, make_player
from tests.solver.players.games_of_every_kind import (
    GAMES,
    check_interruption,
    points_against_random,
    random_game,
    winning_cells,
)

NINE = Game(9, 9, 5, gravity=False)
BLOCKED_TEN = Game(10, 8, blocked=33)


def make_mcts(**settings: str) -> MctsPlayer:
    return make(settings, Resources(seed=3))


def test_it_is_a_player() -> None:
    player = make_player("mcts:playouts=10,exploration=1")
    assert isinstance(player, Player)
    assert (player.name, player.unit) == ("mcts:playouts=10,exploration=1", "playouts")


@pytest.mark.parametrize("text", ["mcts:seconds=0", "mcts:playouts=-1", "mcts:memory=0", "mcts:wit=3"])
def test_bad_settings_are_refused(text: str) -> None:
    with pytest.raises(PlayerError, match="mcts"):
        make_player(text)


def test_the_tree_follows_the_game() -> None:
    player = make_mcts(playouts="3000")
    state = State.start(Game())
    player.start(Game())
    state = state.play(player.choose(state).move)
    assert player.search is not None
    visits = {child.move: child.visits for child in player.search.children()}
    assert sum(visits.values()) == player.search.visits >= 3000
    player.search.move_to(state)
    assert player.search.visits == visits[state.moves[-1]]
    replies = {child.move: child for child in player.search.children()}
    state = state.play(3)
    before = replies[3].visits
    assert before > 50
    assert player.choose(state).work == 3000
    assert player.search.visits >= before + 3000
    # The tree of a player who has not seen the moves before starts from nothing.
    other = make_mcts(playouts="3000")
    other.choose(state)
    assert other.search is not None
    assert other.search.visits < player.search.visits


def test_a_position_from_nowhere_is_played_as_well() -> None:
    player = make_mcts(playouts="2000")
    player.start(Game())
    player.choose(State.start(Game()).play_all([0, 0, 0]))
    for moves in ([], [6, 6], [0, 0, 0, 0, 1, 1], [0, 0, 0]):
        state = State.start(Game()).play_all(moves)
        choice = player.choose(state)
        assert choice.move in state.legal_moves
        assert choice.work > 0


def test_the_same_seed_plays_the_same_game() -> None:
    def play_game(seed: int) -> tuple[tuple[int, ...], int]:
        player = make({"playouts": "300"}, Resources(seed=seed))
        player.start(Game())
        state, work = State.start(Game()), 0
        while not state.is_over:
            choice = player.choose(state)
            state, work = state.play(choice.move), work + choice.work
        return state.moves, work

    assert play_game(1) == play_game(1)
    assert len({play_game(seed) for seed in range(4)}) > 1


def test_wins_and_forced_moves_cost_nothing() -> None:
    player = make_mcts(seconds="60")
    for moves, expected in (([3, 0, 3, 0, 3, 0], 3), ([3, 0, 3, 0, 3], 3)):
        choice = player.choose(State.start(Game()).play_all(moves))
        assert (choice.move, choice.work) == (expected, 0)


@pytest.mark.parametrize("game", [Game(), Game(7, 6, gravity=False)], ids=str)
def test_a_proof_ends_the_search(game: Game) -> None:
    moves = [3, 3, 4, 4] if game.gravity else [21, 0, 15, 35]
    state = State.start(game).play_all(moves)
    begin = time.monotonic()
    choice = make_mcts(seconds="60").choose(state)
    assert time.monotonic() - begin < 10
    assert (choice.score, choice.note) == (1, "won")
    assert choice.move in (2, 5) or not game.gravity


def test_moves_that_lose_are_avoided() -> None:
    # An open row of three threatens: only columns 2, 3 and 6 stop it.
    state = State.start(Game()).play_all([3, 3, 4])
    assert make_mcts(playouts="20000").choose(state).move in (1, 2, 5)


def test_a_position_whose_moves_all_lose_at_once_is_played_on() -> None:
    """The tree has such a position, as proved, but never opens it."""
    seen = 0
    for seed in range(600):
        before: State | None = None
        for state in random_game(Game(4, 4), seed):
            other = FIRST + SECOND - state.to_move
            loses = all(winning_cells(state.play(move), other) for move in state.legal_moves)
            is_quiet = not winning_cells(state, FIRST) and not winning_cells(state, SECOND)
            if loses and is_quiet and before and not winning_cells(before, FIRST) | winning_cells(before, SECOND):
                player = make_mcts(playouts="200")
                player.choose(before)
                choice = player.choose(state)
                assert choice.move in state.legal_moves
                assert (choice.score, choice.note) == (-1, "lost")
                seen += 1
            before = state
    assert seen > 0


def test_preferences() -> None:
    won, lost, drawn = Child(0, 1, -1, WON), Child(1, 900, 1, LOST), Child(2, 5, 0, DRAWN)
    good, bad = Child(3, 500, 0.2, UNPROVED), Child(4, 600, -0.2, UNPROVED)
    ordered = sorted((bad, drawn, lost, good, won), key=lambda child: child.preference, reverse=True)
    assert [child.move for child in ordered] == [0, 3, 2, 4, 1]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_is_played_to_the_end(game: Game) -> None:
    player = make_mcts(playouts="200", memory="1")
    player.start(game)
    state = State.start(game)
    while not state.is_over:
        state = state.play(player.choose(state).move)


@pytest.mark.parametrize("game", [Game(), NINE, BLOCKED_TEN], ids=str)
def test_it_beats_random_moves(game: Game) -> None:
    assert points_against_random(make_mcts(playouts="1000"), game, 20) == 20


@pytest.mark.parametrize("game", [Game(), Game(12, 12, 5, gravity=False)], ids=str)
def test_it_keeps_its_time_and_its_memory(game: Game) -> None:
    player = make_mcts(seconds="0.3", memory="1")
    player.start(game)
    state = State.start(game)
    for seconds in (None, 0.1):
        begin = time.monotonic()
        choice = player.choose(state, seconds)
        # Less than twice the time, on a machine that others use too.
        assert time.monotonic() - begin < 2 * (seconds or 0.3)
        state = state.play(choice.move)
    assert player.search is not None
    assert player.search.size <= (1 << 20) // 16


def test_it_can_be_interrupted() -> None:
    check_interruption(make_mcts(seconds="60"), NINE)
