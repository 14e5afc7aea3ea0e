"""A person and a player at a terminal: the board, what to type, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from claimeven.scripts.play.prompt import ask
from claimeven.solver.players.game import FIRST, GameError, State
from claimeven.solver.players.game_text import draw, parse_move
from claimeven.solver.position import Side
from claimeven.solver.verdict import UNDECIDED, Bounds

if TYPE_CHECKING:
    from claimeven.db.quick_reader import Reader
    from claimeven.solver.players.game import Move
    from claimeven.solver.players.player import Player

HELP = """\
{moves}
u, undo    take your last move back
?, hint    what the store knows of your moves
h, help    this
q, quit    stop"""


class Terminal:
    """One game between a person, who has the side `person`, and a player that was started."""

    def __init__(self, player: Player, person: int, reader: Reader | None, *, shows_hints: bool) -> None:
        self._player = player
        self._person = person
        self._reader = reader
        self._shows_hints = shows_hints

    def play(self, state: State) -> None:
        """Play from a state to the end of the game, of the input, or of the person's patience."""
        mark = "x" if self._person == FIRST else "o"
        click.echo(f"You are {mark}, against {self._player.name}. {state.game}; h for help, q to stop.")
        states = [state]
        while not states[-1].is_over:
            state = states[-1]
            if state.to_move == self._person:
                click.echo(f"\n{draw(state)}")
                if self._shows_hints:
                    click.echo(self._hints(state))
                if not self._take_turn(states):
                    click.echo("stopped")
                    return
            else:
                states.append(self._answer(state))
        click.echo(f"\n{draw(states[-1])}\n{_describe_end(states[-1], self._person)}")

    def _answer(self, state: State) -> State:
        choice = self._player.choose(state)
        note = f" ({choice.note})" if choice.note else ""
        click.echo(f"{self._player.name} plays {state.game.describe_move(choice.move)}{note}")
        return state.play(choice.move)

    def _take_turn(self, states: list[State]) -> bool:
        """Do what the person says: a move, or going back; False to stop."""
        state = states[-1]
        while True:
            said = ask("x" if self._person == FIRST else "o")
            if said is None or said in ("q", "quit"):
                return False
            if said in ("h", "help"):
                click.echo(HELP.format(moves=_explain_moves(state)))
            elif said in ("?", "hint", "hints"):
                click.echo(self._hints(state))
            elif said in ("u", "undo"):
                if self._take_back(states):
                    return True
                click.echo("there is no move of yours to take back", err=True)
            else:
                try:
                    move: Move = parse_move(state, said)
                except GameError as error:
                    click.echo(str(error), err=True)
                    continue
                states.append(state.play(move))
                return True

    def _take_back(self, states: list[State]) -> bool:
        """Go back to before the person's last move, if there is one."""
        earlier = [place for place, state in enumerate(states[:-1]) if state.to_move == self._person]
        if not earlier:
            return False
        del states[earlier[-1] + 1 :]
        return True

    def _hints(self, state: State) -> str:
        """What the store knows of each move, on one line."""
        if not state.game.is_standard:
            return "hints: the store knows standard games only"
        if self._reader is None:
            return "hints: there is no store yet; claimeven book build makes one"
        from claimeven.db.position_answer import answer

        found = answer(state.to_position(), self._reader)
        known = [
            f"{move.column + 1} {_worth(move.verdict.bounds, move.score, self._person)}"
            for move in found.moves
            if move.verdict.bounds != UNDECIDED
        ]
        return "hints: " + (", ".join(known) if known else "the store knows nothing of these moves")


def _worth(bounds: Bounds, score: int | None, person: int) -> str:
    """What a move is worth to the person who makes it."""
    words = bounds.words_for(Side.WHITE if person == FIRST else Side.BLACK)
    return words + (f" ({score:+d})" if score else "")


def _explain_moves(state: State) -> str:
    if state.game.gravity:
        return f"1 to {state.game.width}     a stone into that column; letters do too"
    return "d1         a stone into that cell"


def _describe_end(state: State, person: int) -> str:
    if state.winner is None:
        return "a draw: the board is full"
    return "you win" if state.winner == person else "you lose"
