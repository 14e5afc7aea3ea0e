from __future__ import annotations

import time

import pytest

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.player import PlayerError
from claimeven.solver.players.registry import Resources, make_player
from claimeven.solver.players.window.levels import EASY, GURU, HARD, MEDIUM, VICTOR, Level
from claimeven.solver.players.window.player import WindowPlayer
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Verdict
from tests.solver.players.states import random_state

LEVELS = (EASY, MEDIUM, HARD, GURU, VICTOR)
every_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
careful_levels = pytest.mark.parametrize("level", LEVELS[1:], ids=lambda level: level.name)


def played(moves: str) -> State:
    """The state after moves written as digits from 1."""
    return State.start(Game()).play_all(int(move) - 1 for move in moves)


@every_level
@pytest.mark.parametrize(("moves", "expected"), [("112233", 4), ("11223", 4), ("717171", 7), ("71717", 7)])
def test_a_win_is_taken_and_a_threat_blocked(level: Level, moves: str, expected: int) -> None:
    for seed in range(3):
        assert WindowPlayer(level, resources=Resources(seed)).choose(played(moves)).move + 1 == expected


def gifts(state: State) -> set[int]:
    """The moves after which the opponent wins on the square above."""
    found = set()
    for move in state.legal_moves:
        after = state.play(move)
        if not after.is_over and move in after.legal_moves and after.play(move).winner:
            found.add(move)
    return found


def losing_moves(state: State) -> set[int]:
    """The moves after which the opponent wins at once."""
    after = {move: state.play(move) for move in state.legal_moves}
    return {
        move
        for move, child in after.items()
        if not child.winner and any(child.play(reply).winner for reply in child.legal_moves)
    }


def quiet_states_with_gifts(count: int) -> list[State]:
    """States in which nobody wins at once, a gift can be made, and something else is left."""
    found: list[State] = []
    seed = 0
    while len(found) < count:
        seed += 1
        state = random_state(Game(), length=18, seed=seed)
        winning = any(state.play(move).winner for move in state.legal_moves)
        if not winning and gifts(state) and losing_moves(state) < set(state.legal_moves):
            found.append(state)
    return found


@careful_levels
def test_no_gift_is_made_while_something_else_is_left(level: Level) -> None:
    for state in quiet_states_with_gifts(20):
        player = WindowPlayer(level, depth=1)
        assert player.choose(state).move not in losing_moves(state)


def test_easy_makes_gifts() -> None:
    states = quiet_states_with_gifts(20)
    assert any(WindowPlayer(EASY).choose(state).move in gifts(state) for state in states)


@every_level
def test_one_of_two_threats_is_blocked_although_the_game_is_lost(level: Level) -> None:
    assert WindowPlayer(level).choose(played("44556")).move + 1 in (3, 7)


@every_level
def test_the_same_seed_gives_the_same_game(level: Level) -> None:
    def play(seed: int) -> tuple[int, ...]:
        players = [WindowPlayer(level, depth=min(level.depth, 5), resources=Resources(seed)) for _ in range(2)]
        for player in players:
            player.start(Game())
        state = State.start(Game())
        while not state.is_over:
            state = state.play(players[len(state.moves) % 2].choose(state).move)
        return state.moves

    assert play(1) == play(1)
    if level.slack is not None:
        assert len({play(seed) for seed in range(6)}) > 1


@careful_levels
@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_every_other_level_beats_easy(level: Level, side: int) -> None:
    for seed in range(2):
        players = {side: WindowPlayer(level), FIRST + SECOND - side: WindowPlayer(EASY, resources=Resources(seed))}
        state = State.start(Game())
        while not state.is_over:
            state = state.play(players[state.to_move].choose(state).move)
        assert state.winner == side


def know_one(best: int) -> tuple[list[Position], Resources]:
    """A store that knows one move of the empty board to win, and what it was asked."""
    asked: list[Position] = []
    won = Position.start().play(best)

    def lookup(position: Position) -> Verdict:
        asked.append(position)
        return Verdict(Bounds.parse("white"), Source.SEARCH) if position == won else UNKNOWN

    return asked, Resources(lookup=lookup)


@every_level
def test_the_book_is_used_by_the_levels_that_have_one(level: Level) -> None:
    asked, resources = know_one(6)
    choice = WindowPlayer(level, resources=resources).choose(State.start(Game()))
    assert (choice.note == "book") == level.uses_book
    assert bool(asked) == level.uses_book
    if level.uses_book:
        assert choice.move == 6


def test_the_book_can_be_left_out_or_added() -> None:
    asked, resources = know_one(6)
    assert make_player("guru:book=0", resources).choose(State.start(Game())).move == 3
    assert not asked
    assert make_player("medium:book=1", resources).choose(State.start(Game())).move == 6


def test_a_game_that_is_not_standard_is_refused() -> None:
    for game in (Game(gravity=False), Game(blocked=3), Game(12, 12)):
        with pytest.raises(PlayerError, match="guru plays the standard game"):
            WindowPlayer(GURU).start(game)


@pytest.mark.parametrize("game", [Game(1, 6), Game(5, 4, 3), Game(8, 7), Game(12, 4), Game(7, 7, 12)], ids=str)
def test_other_boards_are_played_to_the_end(game: Game) -> None:
    player = WindowPlayer(VICTOR, depth=3)
    player.start(game)
    state = State.start(game)
    while not state.is_over:
        state = state.play(player.choose(state).move)
    assert state.winner is not None or len(state.moves) == game.cells


def test_time_is_kept() -> None:
    player = WindowPlayer(VICTOR, depth=42, seconds=3600)
    player.start(Game())
    began = time.monotonic()
    choice = player.choose(State.start(Game()), seconds=0.2)
    assert choice.move in range(7)
    assert time.monotonic() - began < 2


def test_threats_are_counted_for_the_order_at_the_root() -> None:
    player = WindowPlayer(VICTOR)
    player.start(Game())
    position = played("4455").to_position()
    counts = {column + 1: player._count_threats(position, column) for column in position.legal_columns}
    # c1 makes b1 and f1 threats, f1 makes c1 and g1, b1 makes c1, g1 makes f1. All are odd, x's own, and count twice.
    assert counts == {1: 0, 2: 2, 3: 4, 4: 0, 5: 0, 6: 4, 7: 2}
    # c2 makes b2 and f2 threats of o, whose own squares are the even ones.
    position = played("4455311").to_position()
    counts = {column + 1: player._count_threats(position, column) for column in position.legal_columns}
    assert counts == {1: 0, 2: 0, 3: 4, 4: 0, 5: 0, 6: 0, 7: 0}
