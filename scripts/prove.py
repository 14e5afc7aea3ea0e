"""`claimeven prove`: the rule proof of one position, to be read by people or, with --json, by programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from scripts.position_argument import GivenPosition, position_argument, read_position
from scripts.proof_attempt import attempt_proof, budget_option

if TYPE_CHECKING:
    from solver.proof.prover import ProofAttempt


@click.command()
@position_argument
@budget_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def prove(moves: tuple[str, ...], board: str | None, notation: str, budget: int | None, as_json: bool) -> None:
    """Prove a position with Allis' nine rules.

    With White to move it is proved that Black at least draws or, if the chosen set holds an Aftereven, wins; with Black
    to move, that White wins. Shown are the verdict, the squares that the proof claims, the chosen set, and a sentence
    for every solution in it. "unknown" means that the rules decide nothing here.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven prove 12
      claimeven prove --board 6x6
      claimeven prove "1. d1, c1 2. d2, d3" --json
      echo 4445333551 | claimeven prove -
    """
    given = read_position(moves, board, notation)
    attempt = attempt_proof(given, budget)
    click.echo(_as_json(given, attempt) if as_json else _as_text(given, attempt))


def _as_text(given: GivenPosition, attempt: ProofAttempt) -> str:
    from solver.proof.explanation import VERDICTS, explain

    if attempt.certificate is not None:
        return explain(attempt.certificate)
    if attempt.exhausted_budget:
        reason = (
            f"The search for a chosen set stopped at its budget, node {attempt.nodes:,}. "
            f"Try more: claimeven prove {given.as_arguments} --budget {10 * attempt.nodes}"
        )
    else:
        controller = given.position.to_move.opponent
        reason = (
            f"The nine rules have no proof for {controller} here, whatever the budget. "
            "That does not say who wins; an exact search would."
        )
    picture = f"To see which problems are hard to solve: claimeven graph {given.as_arguments} --out graph.svg"
    return "\n".join([VERDICTS["unknown"], "", reason, picture])


def _as_json(given: GivenPosition, attempt: ProofAttempt) -> str:
    from solver.proof.certificate import certificate_to_json

    position, certificate = given.position, attempt.certificate
    return json.dumps(
        {
            "moves": given.moves,
            "board": str(position.board),
            "ply": position.ply,
            "to_move": position.to_move.value,
            "value": attempt.value,
            "score": None,
            "source": None if certificate is None else "rules",
            "best_moves": None,
            "proof": None if certificate is None else certificate_to_json(certificate),
        }
    )
