"""`claimeven play`: a game in the terminal against a player or a proof, or a player for other programs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import InputError, reported_as
from claimeven.scripts.options.game import blocked_option, no_gravity_option, read_game
from claimeven.scripts.options.position import position_argument, read_position
from claimeven.scripts.options.store import db_option, no_book_option, open_known
from claimeven.scripts.proof_attempt import budget_option
from claimeven.solver.notation import NotationError, parse_moves, parse_position

if TYPE_CHECKING:
    from claimeven.db.quick_reader import Reader
    from claimeven.solver.board import Board
    from claimeven.solver.players.conversation import Scores
    from claimeven.solver.players.game import State
    from claimeven.solver.players.player import Player
    from claimeven.solver.position import Position

DEFAULT_PLAYER = "perfect:seconds=5"
DEFAULT_ELSEWHERE = "connect-k"
"""The opponent in games that exact search does not know."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What the user wants to play, as the options say it."""

    moves: tuple[str, ...]
    board: str | None
    notation: str
    against: str | None
    side: str | None
    no_gravity: bool
    blocked: str | None
    hints: bool
    seed: int
    proof: bool
    budget: int | None
    protocol: str | None
    db: str | None
    no_book: bool
    scores: bool

    def refuse_beside(self, option: str, *others: str) -> None:
        """Raise InputError if one of the other options is given beside this one."""
        given = next((name for name in others if getattr(self, name)), None)
        if given is not None:
            name = "MOVES" if given == "moves" else f"--{given.replace('_', '-')}"
            raise InputError(f"{option} does not go together with {name}")


@click.command()
@position_argument
@click.option(
    "--against",
    metavar="PLAYER",
    help=f"Who plays against you, as in hard or mcts:seconds=1.  [default: {DEFAULT_PLAYER}, where it can play]",
)
@click.option("--side", type=click.Choice(["first", "second"]), help="Your side.  [default: the side to move]")
@no_gravity_option
@blocked_option
@click.option("--hints", is_flag=True, help="Show before your moves what the store knows of them.")
@click.option("--seed", type=int, default=0, show_default=True, help="What the chances of the player hang on.")
@click.option("--proof", is_flag=True, help="Play against the rule proof of the position.")
@budget_option
@click.option("--protocol", type=click.Choice(["json"]), help="Be a player for a program instead, on stdin and stdout.")
@click.option("--scores", is_flag=True, help="With --protocol json: the exact score of every column in each answer.")
@db_option
@no_book_option
def play(**options: Any) -> None:
    """Play a game against a player, or try to beat a proof.

    Players: random, perfect, rules, negamax, easy, medium, hard, guru, victor, mcts, connect-k. perfect looks into the
    store first. A move is the number or the letter of a column, or a cell such as d1 in a game without gravity; in the
    game, h shows what else there is. The end of the input ends the game.

    With --proof the position must be one that the nine rules decide. You are the side to move; the proof answers as its
    chosen set says, and says why. If you ever get more than it allows, the proof is false, and the command ends with
    status 1 and the moves.

    With --protocol json every line on stdin is {"height":6,"width":7,"player":1,"grid":[[column 1 from the top],...]},
    with 0 for empty and 1 and 2 for stones, and is answered by {"move": column from 0}, or by {"error": why not}; the
    end of the input or :exit ends it. With --scores the answer has "scores" too, one a column, null for a full one.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board.

    \b
    Examples:
      claimeven play --against hard --hints
      claimeven play 44 --side second --against mcts:seconds=1
      claimeven play --board 9x9x5 --no-gravity --blocked e5
      claimeven play 12 --proof
      claimeven play --protocol json --against perfect:seconds=1
    """
    settings = PlaySettings(**options)
    if settings.budget is not None and not settings.proof:
        raise InputError("--budget goes together with --proof only")
    if settings.scores and settings.protocol is None:
        raise InputError("--scores goes together with --protocol json only")
    if settings.proof:
        settings.refuse_beside("--proof", "against", "side", "no_gravity", "blocked", "hints", "protocol")
        from claimeven.scripts.play.proof import play_against_proof

        play_against_proof(read_position(settings.moves, settings.board, settings.notation), settings.budget)
    elif settings.protocol is not None:
        settings.refuse_beside("--protocol", "moves", "side", "no_gravity", "blocked", "hints")
        _answer_a_program(settings)
    else:
        _play_a_person(settings)


def _play_a_person(settings: PlaySettings) -> None:
    from claimeven.scripts.play.terminal import Terminal
    from claimeven.solver.players.game import FIRST, SECOND
    from claimeven.solver.players.player import PlayerError

    state = _read_state(settings)
    if state.is_over:
        raise InputError("MOVES: the game is over")
    person = state.to_move if settings.side is None else FIRST if settings.side == "first" else SECOND
    default = DEFAULT_PLAYER if state.game.is_standard else DEFAULT_ELSEWHERE
    with open_known(settings.db, uses_book=not settings.no_book) as reader:
        player = _make_player(settings, default, reader)
        with reported_as("--against", PlayerError):
            player.start(state.game)
        Terminal(player, person, reader, shows_hints=settings.hints).play(state)


def _read_state(settings: PlaySettings) -> State:
    """The game that MOVES lead to; in games that the solver does not know they are columns or cells only."""
    from claimeven.solver.board import Board
    from claimeven.solver.players import game_text
    from claimeven.solver.players.game import Game, GameError, State

    game = read_game(settings.board, settings.no_gravity, settings.blocked)
    text = " ".join(settings.moves)
    with reported_as("MOVES", NotationError, GameError):
        if not game.is_standard:
            return State.start(game).play_all(game_text.parse_moves(game, text))
        size = None if settings.board is None else Board(game.width, game.height, game.connect)
        shown = parse_position(text, size, settings.notation).board
        game = Game(shown.columns, shown.rows, shown.connect)
        return State.start(game).play_all(parse_moves(text, shown, settings.notation))


def _make_player(settings: PlaySettings, default: str, reader: Reader | None) -> Player:
    announce_compilation()
    from claimeven.db.player_lookup import lookup_by
    from claimeven.solver.players.player import PlayerError
    from claimeven.solver.players.registry import Resources, make_player

    with reported_as("--against", PlayerError):
        resources = Resources(settings.seed, None if reader is None else lookup_by(reader))
        return make_player(settings.against or default, resources)


def _answer_a_program(settings: PlaySettings) -> None:
    """Answer line by line, each at once."""
    from claimeven.solver.board import Board, BoardError
    from claimeven.solver.players.conversation import EXIT, Conversation

    with reported_as("--board", BoardError):
        size = None if settings.board is None else Board.parse(settings.board)
    with open_known(settings.db, uses_book=not settings.no_book) as reader:
        score = _score_moves(reader) if settings.scores else None
        conversation = Conversation(_make_player(settings, DEFAULT_PLAYER, reader), size, score)
        while sys.stdin is not None and (line := sys.stdin.buffer.readline()):
            text = line.decode("utf-8", "replace").strip()
            if text == EXIT:
                return
            click.echo(conversation.answer(text))


def _score_moves(reader: Reader | None) -> Callable[[Position], Scores]:
    """The exact score of every move: what is known, and the rest by search, which keeps what it found."""
    from claimeven.solver.inquiry import Inquiry
    from claimeven.solver.search.searcher import Searcher

    searchers: dict[Board, Searcher] = {}

    def score(position: Position) -> Scores:
        searcher = searchers.setdefault(position.board, Searcher(position.board))
        known = None if reader is None else lambda asked: reader.read([asked])[0].verdict
        columns = position.legal_columns
        verdicts = Inquiry(searcher, known).ask([position.play(column) for column in columns])
        return {
            column: None if verdict.score is None else -verdict.score
            for column, verdict in zip(columns, verdicts, strict=True)
        }

    return score
