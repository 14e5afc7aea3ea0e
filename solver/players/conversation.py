"""The JSON player protocol with a player: a question a line in, an answer a line out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeAlias

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, player_protocol, some_moves
from claimeven.solver.players.game import Game, GameError, State
from claimeven.solver.players.player import Player, PlayerError
from claimeven.solver.position import Position, PositionError, describe_end

EXIT = ":exit"


Scores: TypeAlias = dict[int, int | None]
"""The score of each move, by column."""


class Conversation:
    """Answers questions one after the other; a question that cannot be answered does no harm to the next.

    A question that goes on with the last game is played as such, so that the player can use what it knows of it.

    >>> from claimeven.solver.players.registry import make_player
    >>> conversation = Conversation(make_player("rules"))
    >>> conversation.answer('{"height":2,"width":4,"player":1,"grid":[[0,0],[2,1],[2,1],[2,1]]}')
    '{"move": 0}'
    >>> conversation.answer("nonsense")[:10]
    '{"error": '
    """

    def __init__(
        self, player: Player, board: Board | None = None, score: Callable[[Position], Scores] | None = None
    ) -> None:
        """With a `board` all questions must be about it; that is also the way to other lengths than four.

        With `score` answers also have the exact score of every column, for the side that moves; None for a full one.
        """
        self._player = player
        self._board = board
        self._score = score
        self._last: State | None = None

    def answer(self, line: str) -> str:
        """The answer to a question, both without the end of the line."""
        try:
            state = self._read(line)
            move = self._player.choose(state).move
            self._last = state.play(move)
        except (NotationError, PositionError, GameError, PlayerError) as error:
            return _complain(str(error))
        except Exception as error:
            # Whatever a player does wrong, whoever talks to it waits for an answer.
            self._last = None
            return _complain(f"{self._player.name} failed: {type(error).__name__}: {error}")
        if self._score is None:
            return json.dumps({"move": move})
        scores = self._score(state.to_position())
        return json.dumps({"move": move, "scores": [scores.get(column) for column in range(state.game.width)]})

    def _read(self, line: str) -> State:
        position = player_protocol.parse(line, self._board)
        if position.is_over:
            raise PositionError(f"the game is over: {describe_end(position)}")
        state = self._continue_to(position)
        if state is None:
            board = position.board
            game = Game(board.columns, board.rows, board.connect)
            state = State.start(game).play_all(some_moves(position))
            self._player.start(game)
        return state

    def _continue_to(self, position: Position) -> State | None:
        """The last game with one more move, if that is the position."""
        if self._last is None:
            return None
        last = self._last.to_position()
        for column in last.legal_columns:
            if last.play(column) == position:
                return self._last.play(column)
        return None


def _complain(reason: str) -> str:
    return json.dumps({"error": " ".join(reason.split())})
