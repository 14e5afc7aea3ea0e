"""A game against a rule proof, which a person may try to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.options.position import GivenPosition
from claimeven.scripts.play.prompt import ask
from claimeven.scripts.proof_attempt import attempt_proof
from claimeven.solver.board import Square, column_name
from claimeven.solver.players.game_text import number_columns, read_column
from claimeven.solver.position import Position, describe_end
from claimeven.solver.verdict import judge_end

if TYPE_CHECKING:
    from claimeven.solver.proof.certificate import Certificate
    from claimeven.solver.proof.strategy import Reply, Strategy


def play_against_proof(given: GivenPosition, budget: int | None) -> None:
    """Play the side to move against the proof of the position, which must have one."""
    certificate = attempt_proof(given, budget).certificate
    if certificate is None:
        raise click.ClickException("the rules prove nothing here, so that there is nothing to play against")
    _play_against(given, certificate)


def _play_against(given: GivenPosition, certificate: Certificate) -> None:
    from claimeven.solver.proof.explanation import state_verdict
    from claimeven.solver.proof.strategy import Strategy

    strategy = Strategy.of(certificate)
    you = certificate.controller.opponent
    click.echo(f"{state_verdict(certificate)}. You are {you}. Columns 1 to {given.position.board.columns}, q to stop.")
    played: list[int] = []
    while not strategy.position.is_over:
        click.echo(f"\n{number_columns(str(strategy.position))}")
        column = _ask(strategy.position)
        if column is None:
            click.echo("stopped")
            return
        strategy = _answer(certificate, strategy, column, played)
    click.echo(f"\n{number_columns(str(strategy.position))}\n{describe_end(strategy.position)}")
    if not _is_claimed(certificate, strategy.position):
        _refute(certificate, played)


def _answer(certificate: Certificate, strategy: Strategy, column: int, played: list[int]) -> Strategy:
    """Play the person's move and the answer to it, say why, and note both."""
    from claimeven.solver.proof.strategy import StrategyError

    board = strategy.position.board
    moved = strategy.position.play(column)
    played.append(column)
    if moved.is_over:
        return strategy.after(column, None)
    try:
        reply = strategy.reply(column)
    except StrategyError as error:
        click.echo(str(error), err=True)
        _refute(certificate, played)
    played.append(board.column_of(reply.square))
    move = (strategy.position.playable & board.column_squares(column)).bit_length() - 1
    click.echo(f"{certificate.controller} {board.name(reply.square)}: {_reason(certificate, move, reply)}")
    return strategy.after(column, reply)


def _reason(certificate: Certificate, move: Square, reply: Reply) -> str:
    """Why the proof answers so, with the solution that says it where there is one."""
    from claimeven.solver.proof.strategy import ReplyKind

    if reply.kind is ReplyKind.ANSWER:
        for instance in certificate.instances:
            if {move, reply.square} <= set(instance.squares):
                return instance.describe(certificate.position.board)
    return reply.kind.value


def _is_claimed(certificate: Certificate, finished: Position) -> bool:
    return judge_end(finished).bounds.implies(certificate.bounds)


def _refute(certificate: Certificate, played: list[int]) -> NoReturn:
    columns = " ".join(column_name(column) for column in played)
    click.echo(f"the proof of {certificate.bounds} is false: it fails after {columns}", err=True)
    raise click.exceptions.Exit(FOUND_A_PROBLEM)


def _ask(position: Position) -> int | None:
    """The column of the person's move; None if there is to be none."""
    while True:
        said = ask(str(position.to_move))
        if said is None or said in ("q", "quit"):
            return None
        column = read_column(said)
        if column in position.legal_columns:
            return column
        columns = ", ".join(str(column + 1) for column in position.legal_columns)
        click.echo(f"{said!r} is not a column that can be played; these are: {columns}", err=True)
