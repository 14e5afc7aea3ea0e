"""`claimeven prove`: the rule proof of one position, to be read by people or, with --json, by programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from claimeven.scripts.options.position import GivenPosition, position_argument, read_position
from claimeven.scripts.proof_attempt import attempt_proof, budget_option
from claimeven.solver.verdict import UNDECIDED, UNKNOWN, Source, Verdict

if TYPE_CHECKING:
    from claimeven.solver.proof.look_ahead import LookAhead
    from claimeven.solver.proof.prover import ProofAttempt


@click.command()
@position_argument
@budget_option
@click.option(
    "--look-ahead",
    "looks_ahead",
    is_flag=True,
    help="Try the rules after a move too, and after every move and a reply.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def prove(
    moves: tuple[str, ...], board: str | None, notation: str, budget: int | None, looks_ahead: bool, as_json: bool
) -> None:
    """Prove a position with Allis' nine rules.

    With White to move it is proved that Black at least draws or, if the chosen set holds an Aftereven, wins; with Black
    to move, that White wins. Shown are the verdict, the squares that the proof claims, the chosen set, and a sentence
    for every solution in it. "unknown" means that the rules decide nothing here; with --look-ahead they may still
    decide it after a move of the side that profits, or after its reply to every move of the other side.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven prove 12
      claimeven prove --board 6x6
      claimeven prove 1 --look-ahead
      claimeven prove "1. d1, c1 2. d2, d3" --json
      echo 4445333551 | claimeven prove -
    """
    given = read_position(moves, board, notation)
    attempt = attempt_proof(given, budget)
    ahead = _look_ahead(given, budget) if looks_ahead else None
    if as_json:
        click.echo(_as_json(given, attempt, ahead, looks_ahead))
    elif ahead is not None:
        from claimeven.solver.proof.look_ahead_explanation import explain_look_ahead

        click.echo(explain_look_ahead(ahead))
    else:
        click.echo(_as_text(given, attempt, looks_ahead))


def _look_ahead(given: GivenPosition, budget: int | None) -> LookAhead | None:
    from claimeven.solver.proof.look_ahead import MOST_PLIES, look_ahead
    from claimeven.solver.proof.prover import DEFAULT_BUDGET

    return look_ahead(given.position, MOST_PLIES, budget or DEFAULT_BUDGET)


def _as_text(given: GivenPosition, attempt: ProofAttempt, looked_ahead: bool) -> str:
    from claimeven.solver.proof.explanation import explain, state_verdict

    if attempt.certificate is not None:
        return explain(attempt.certificate)
    if attempt.exhausted_budget:
        reason = (
            f"The search for a chosen set stopped at its budget, node {attempt.nodes:,}. "
            f"Try more: claimeven prove {given.as_arguments} --budget {10 * attempt.nodes}"
        )
    else:
        controller = given.position.to_move.opponent
        where = "here, nor for either side a move and a reply ahead" if looked_ahead else "here, whatever the budget"
        reason = (
            f"The nine rules have no proof for {controller} {where}. That does not say who wins; an exact search would."
        )
    picture = f"To see which problems are hard to solve: claimeven graph {given.as_arguments} --out graph.svg"
    return "\n".join([state_verdict(None), "", reason, picture])


def _as_json(given: GivenPosition, attempt: ProofAttempt, ahead: LookAhead | None, looked_ahead: bool) -> str:
    from claimeven.solver.contract import describe_position

    certificate, bounds = attempt.certificate, attempt.bounds
    if ahead is not None:
        # The bounds after looking ahead are at least as tight, and its own certificate, if any, is the one that counts.
        certificate, bounds = ahead.certificate, ahead.bounds
    verdict = UNKNOWN if bounds == UNDECIDED else Verdict(bounds, Source.RULES)
    fields = describe_position(given.moves, given.position, verdict, certificate=certificate)
    if looked_ahead:
        from claimeven.solver.proof.look_ahead_explanation import look_ahead_to_json

        fields["look_ahead"] = [] if ahead is None or ahead.certificate is not None else look_ahead_to_json(ahead)
    return json.dumps(fields)
