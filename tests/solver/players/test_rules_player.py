"""The player of proofs: it finds them, plays them, and keeps to them whatever the opponent does."""

from __future__ import annotations

import random

import pytest

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.match import play_game
from claimeven.solver.players.player import PlayerError
from claimeven.solver.players.registry import make_player
from claimeven.solver.players.rules_player import RulesPlayer
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS
from tests.solver.players.scripted import plays_at_random


def state_of(moves: str, game: Game | None = None) -> State:
    return State.start(game or Game()).play_all(int(column) - 1 for column in moves)


def started(game: Game | None = None) -> RulesPlayer:
    player = RulesPlayer()
    player.start(game or Game())
    return player


def test_second_on_a_board_that_the_rules_hold_it_never_loses() -> None:
    for size in ((4, 4), (6, 4), (6, 6)):
        for seed in range(6):
            played = play_game(Game(*size), plays_at_random(seed), started(Game(*size)))
            assert played.winner != 1, (size, seed, played.moves)


def test_it_plays_into_a_proof_and_follows_it() -> None:
    # After 1. a1 b1 the rules prove Black: of Black's answers to a1 it must choose one like that.
    player = started()
    choice = player.choose(state_of("1"))
    assert choice.note.startswith("has a proof")
    state = state_of("1").play(choice.move)
    following = player.choose(state.play(4))
    assert "proof" in following.note


@pytest.mark.parametrize("moves", ["44443335122525", "4445333551"[:-1]])
def test_with_a_proof_of_a_win_it_wins(moves: str) -> None:
    state = state_of(moves)
    side = state.to_move
    for seed in range(8):
        chance = random.Random(seed)
        player = started()
        after = state
        notes = []
        while not after.is_over:
            if after.to_move == side:
                choice = player.choose(after)
                notes.append(choice.note)
                after = after.play(choice.move)
            else:
                after = after.play(chance.choice(after.legal_moves))
        assert after.winner == side
        assert notes[0] == "has a proof that it wins"


@pytest.mark.parametrize(
    ("game", "moves", "drawing", "winning"),
    [
        (Game(6, 6), "4115265545255", 4, 1),
        (Game(6, 6), "1646536565134644515", 4, 1),
        (Game(), "6547563565455321631", 4, 3),
    ],
)
def test_a_proof_of_a_win_is_preferred_to_one_of_a_draw(game: Game, moves: str, drawing: int, winning: int) -> None:
    state = state_of(moves, game)
    position = state.to_position()
    # Black proves not-white after the move nearer to the middle, which is looked at first, and a win after the other.
    assert prove(position.play(drawing - 1)).bounds == AT_MOST_DRAW
    assert prove(position.play(winning - 1)).bounds == BLACK_WINS
    choice = started(game).choose(state)
    assert (choice.move, choice.note) == (winning - 1, "has a proof that it wins")


def test_it_keeps_away_from_moves_that_the_opponent_can_prove() -> None:
    # White: after a1 and b1 Black has proofs, and after d1 none.
    choice = started().choose(State.start(Game()))
    assert (choice.move, choice.note) == (3, "knows no proof")
    assert choice.work > 7


def test_a_plan_that_does_not_fit_the_game_is_dropped() -> None:
    player = started()
    player.choose(state_of("1"))
    elsewhere = state_of("7654321765432")
    assert player.choose(elsewhere).move in elsewhere.legal_moves


@pytest.mark.parametrize(
    "game", [Game(7, 5), Game(gravity=False), Game(blocked=0), Game(12, 12, 5), Game(3, 3, 3, gravity=False)], ids=str
)
def test_elsewhere_it_wins_and_defends_at_once(game: Game) -> None:
    for seed in range(3):
        played = play_game(game, started(game), plays_at_random(seed))
        assert not played.is_forfeit
    if game.gravity and game.connect == 4:
        wins = State.start(game).play_all([1, 2, 1, 2, 1, 2])
        assert started(game).choose(wins).move == 1
        blocks = State.start(game).play_all([1, 2, 1, 2, 6, 2])
        assert started(game).choose(blocks).move == 2


def test_it_has_no_settings() -> None:
    assert make_player("rules").name == "rules"
    with pytest.raises(PlayerError, match="no setting"):
        make_player("rules:depth=3")
