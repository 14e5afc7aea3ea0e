"""The perfect player, against minimax that shares no code with it, and against the clock."""

from __future__ import annotations

import random
import threading
import time

import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.move_searcher import MoveSearcher
from claimeven.solver.players.perfect import PerfectPlayer, make
from claimeven.solver.players.player import Lookup, PlayerError
from claimeven.solver.players.registry import Resources, make_player
from claimeven.solver.position import Position
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Value, Verdict


def perfect(lookup: Lookup | None = None, **settings: str) -> PerfectPlayer:
    return make({"memory": "16", **settings}, Resources(lookup=lookup, threads=1))


def random_state(game: Game, stones: int, chance: random.Random) -> State:
    """An unfinished game of so many stones."""
    while True:
        state = State.start(game)
        while len(state.moves) < stones and not state.is_over:
            state = state.play(chance.choice(state.legal_moves))
        if not state.is_over:
            return state


def scores_by_minimax(state: State) -> dict[int, int]:
    """The score of every move, by plain minimax."""
    position = state.to_position()
    scores = {}
    for move in position.legal_columns:
        child = position.play(move)
        lost = -((child.board.cells + 2 - child.ply) // 2)
        scores[move] = -(lost if child.winner else 0 if child.is_over else minimax_score(child))
    return scores


@pytest.mark.parametrize(
    ("game", "least"), [(Game(), 33), (Game(4, 4), 4), (Game(5, 4), 9), (Game(6, 5), 20), (Game(4, 4, 3), 3)], ids=str
)
def test_it_plays_a_move_of_the_best_score(game: Game, least: int) -> None:
    chance = random.Random(str(game))
    player = perfect()
    player.start(game)
    for _ in range(40):
        state = random_state(game, chance.randint(least, game.cells - 1), chance)
        scores = scores_by_minimax(state)
        choice = player.choose(state)
        assert scores[choice.move] == max(scores.values()), state
        if choice.score is not None:
            assert choice.score == max(scores.values())


def test_it_wins_a_won_game_and_holds_a_drawn_one() -> None:
    chance = random.Random(5)
    player = perfect()
    outcomes = []
    for _ in range(25):
        game = Game(6, 5)
        player.start(game)
        state = random_state(game, chance.randint(19, 24), chance)
        side = state.to_move
        best = max(scores_by_minimax(state).values())
        while not state.is_over:
            state = state.play(player.choose(state).move if state.to_move == side else chance.choice(state.legal_moves))
        outcome = 0 if state.winner is None else 1 if state.winner == side else -1
        assert outcome >= (best > 0) - (best < 0)
        outcomes.append(outcome)
    assert 1 in outcomes


def test_it_goes_by_what_is_known_and_does_not_search_then() -> None:
    board = Position.start().board
    known = {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}

    def lookup(position: Position) -> Verdict:
        if position.ply != 1:
            return UNKNOWN
        column = board.column_of(position.white.bit_length() - 1)
        score = -known[column]
        return Verdict(Bounds.exactly(Value.of_score(score, position.to_move)), Source.SEARCH, score)

    player = perfect(lookup)
    player.start(Game())
    choice = player.choose(State.start(Game()))
    assert (choice.move, choice.score, choice.work) == (3, 1, 0)
    known[5] = 9
    assert player.choose(State.start(Game())).move == 5


def test_bounds_are_enough_where_one_move_is_left() -> None:
    # All moves but the third are known to lose, and the position is known to be drawn.
    def lookup(position: Position) -> Verdict:
        if position.ply == 0:
            return Verdict(Bounds.parse("draw"), Source.SEARCH)
        is_third = position.white == 1 << position.board.square(2, 0)
        return UNKNOWN if is_third else Verdict(Bounds.parse("black"), Source.SEARCH)

    player = perfect(lookup)
    player.start(Game())
    choice = player.choose(State.start(Game()))
    assert (choice.move, choice.work) == (2, 0)


def test_the_choice_does_not_depend_on_what_the_table_holds() -> None:
    game = Game(6, 5)
    chance = random.Random(3)
    states = [random_state(game, chance.randint(12, 20), chance) for _ in range(15)]
    forward, backward = perfect(), perfect(memory="17")
    forward.start(game)
    backward.start(game)
    moves = [forward.choose(state).move for state in states]
    assert moves == [backward.choose(state).move for state in reversed(states)][::-1]


def test_out_of_time_it_still_plays_and_says_so() -> None:
    player = perfect(memory="18")
    player.start(Game(8, 7))
    began = time.monotonic()
    choice = player.choose(State.start(Game(8, 7)), seconds=0.2)
    assert time.monotonic() - began < 2
    assert choice.note.startswith("out of time")
    assert choice.move in range(8)
    player = perfect(memory="18", seconds="0.2")
    player.start(Game(8, 7))
    assert player.choose(State.start(Game(8, 7))).note.startswith("out of time")


def test_out_of_time_it_goes_by_what_a_little_search_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(searcher: MoveSearcher, position: Position, budget: Budget) -> None:
        return None

    monkeypatch.setattr(MoveSearcher, "value", give_up)
    chance = random.Random(8)
    player = perfect()
    player.start(Game())
    for _ in range(40):
        state = random_state(Game(), chance.randint(33, 37), chance)
        scores = scores_by_minimax(state)
        choice = player.choose(state, seconds=60.0)
        best, chosen = max(scores.values()), scores[choice.move]
        assert ((best > 0) - (best < 0)) == ((chosen > 0) - (chosen < 0))


def test_two_of_them_share_a_searcher_and_neither_waits_for_ever() -> None:
    slow, quick = perfect(memory="19"), perfect(memory="19")
    for player in (slow, quick):
        player.start(Game(8, 7))
    thinking = threading.Thread(target=slow.choose, args=(State.start(Game(8, 7)), 1.2))
    thinking.start()
    time.sleep(0.2)
    began = time.monotonic()
    choice = quick.choose(State.start(Game(8, 7)), seconds=0.4)
    assert time.monotonic() - began < 1.5
    assert choice.note == "another player took the time"
    thinking.join()


def test_immediate_wins_blocks_and_lost_causes_need_no_search() -> None:
    player = perfect()
    player.start(Game())
    wins = State.start(Game()).play_all([3, 2, 3, 2, 3, 2])
    assert player.choose(wins).move == 3
    blocks = State.start(Game()).play_all([3, 2, 3, 2, 3])
    assert (player.choose(blocks).move, player.choose(blocks).note) == (3, "forced")
    lost = State.start(Game()).play_all([2, 2, 3, 3, 4])
    assert player.choose(lost).move in (1, 5)
    assert player.choose(lost).work == 0


def test_games_that_the_solver_does_not_know_are_refused() -> None:
    for game in (Game(gravity=False), Game(blocked=3), Game(12, 12)):
        with pytest.raises(PlayerError, match="standard games only"):
            perfect().start(game)
    with pytest.raises(PlayerError, match="no setting 'speed'"):
        make_player("perfect:speed=3")
    with pytest.raises(PlayerError, match="no game on"):
        perfect().choose(State.start(Game()))


def test_names() -> None:
    assert make_player("perfect").name == "perfect"
    assert make_player("perfect:seconds=2.5").name == "perfect:seconds=2.5"
