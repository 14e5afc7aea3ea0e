"""The JSON player protocol with players of all kinds."""

from __future__ import annotations

import json

from claimeven.solver.notation import player_protocol
from claimeven.solver.players.conversation import Conversation
from claimeven.solver.players.game import Game
from tests.positions import at
from tests.solver.players.scripted import ScriptedPlayer, crashes, plays, plays_leftmost


def test_a_game_that_goes_on_is_one_game_to_the_player() -> None:
    player = plays([3, 3, 3])
    conversation = Conversation(player)
    for moves in ("", "41", "4141"):
        assert conversation.answer(player_protocol.write(at(moves))) == '{"move": 3}'
    assert player.games == [Game()]
    assert [state.moves for state in player.seen] == [(), (3, 0), (3, 0, 3, 0)]


def test_another_position_is_another_game() -> None:
    player = plays_leftmost()
    conversation = Conversation(player)
    conversation.answer(player_protocol.write(at("")))
    conversation.answer(player_protocol.write(at("7777")))
    conversation.answer(player_protocol.write(at("11", "5x4")))
    assert player.games == [Game(), Game(), Game(5, 4)]


def test_what_cannot_be_answered_does_no_harm() -> None:
    conversation = Conversation(plays_leftmost())
    over = player_protocol.write(at("1212121"))
    for line in ("", "[]", "{}", '{"height": 6}', over, "\x00", "[" * 10_000):
        assert list(json.loads(conversation.answer(line))) == ["error"]
    assert "the game is over: White has won" in conversation.answer(over)
    assert conversation.answer(player_protocol.write(at("4"))) == '{"move": 0}'


def test_a_player_that_fails_is_an_error_and_the_next_question_is_answered() -> None:
    conversation = Conversation(crashes())
    answer = json.loads(conversation.answer(player_protocol.write(at("4"))))
    assert answer == {"error": "crashing failed: RuntimeError: lost its mind"}
    with_one_failure = iter([0, None, 0])
    player = ScriptedPlayer(lambda state: next(with_one_failure))
    recovering = Conversation(player)
    for moves, expected in (("", "move"), ("11", "error"), ("11", "move")):
        assert list(json.loads(recovering.answer(player_protocol.write(at(moves))))) == [expected]
    # Who knows what a failure left behind in the player: the game is started again.
    assert len(player.games) == 2
    illegal = Conversation(ScriptedPlayer(lambda state: 99))
    assert "cannot be played" in illegal.answer(player_protocol.write(at("4")))
    assert "cannot be played" in illegal.answer(player_protocol.write(at("44")))
