"""`claimeven query`: what the store knows of one position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from claimeven.scripts.options.position import GivenPosition, position_argument, read_position
from claimeven.scripts.options.store import db_option, store_errors
from claimeven.solver.position import describe_end

if TYPE_CHECKING:
    from claimeven.db.position_answer import MoveAnswer, PositionAnswer
    from claimeven.solver.verdict import Bounds, Verdict


@click.command()
@position_argument
@db_option
@click.option("--proof", "with_proof", is_flag=True, help="Explain the stored rule proof in full.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def query(
    moves: tuple[str, ...], board: str | None, notation: str, db: str | None, with_proof: bool, as_json: bool
) -> None:
    """Ask the store about a position.

    Shown are the value, the score for the side to move if it is known, where the verdict comes from, every move with
    its value, and the best moves. Nothing is computed but what follows at once from the positions after the moves.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven query
      claimeven query 4455 --db book.db
      claimeven query "1. d1, d2" --json
      claimeven query 12 --proof
    """
    given = read_position(moves, board, notation)
    with store_errors():
        from claimeven.db.location import StoreLocation
        from claimeven.db.position_answer import answer
        from claimeven.db.quick_reader import open_reader

        with open_reader(StoreLocation.find(db)) as reader:
            found = answer(given.position, reader)
    click.echo(_as_json(given, found) if as_json else _as_text(given, found, with_proof))


def _as_text(given: GivenPosition, found: PositionAnswer, with_proof: bool) -> str:
    position, verdict = found.position, found.verdict
    lines = [str(position), ""]
    if position.is_over:
        return "\n".join([*lines, f"The game is over: {describe_end(position)}."])
    lines += [f"To move  {position.to_move}", f"Value    {verdict.bounds.words}"]
    if verdict.score is not None:
        lines.append(f"Score    {verdict.score} for {position.to_move}{_last_stone(found)}")
    if verdict.source is not None:
        lines.append(f"Source   {verdict.source}")
    if found.best_columns:
        lines.append(f"Best     {', '.join(_move_name(found, column) for column in found.best_columns)}")
    lines += ["", "Moves", *(_tell_move(move, found) for move in found.moves)]
    if found.certificate is not None:
        lines += ["", *_tell_proof(given, found, with_proof)]
    if not verdict.bounds.is_exact:
        lines += ["", *_tell_what_to_run(given, verdict.bounds)]
    return "\n".join(lines)


def _last_stone(found: PositionAnswer) -> str:
    """When the game ends, as far as the score tells."""
    score = found.verdict.score
    if not score:
        return ""
    cells, ply = found.position.board.cells, found.position.ply
    # The winner's stones are the odd ones if he is White; a score leaves two numbers, one odd and one even.
    last = cells + 2 - 2 * abs(score)
    winner_is_white = (score > 0) == (ply % 2 == 0)
    last -= last % 2 != winner_is_white
    return f": {'wins' if score > 0 else 'loses'} with stone {last}, after {last - ply} more"


def _tell_move(move: MoveAnswer, found: PositionAnswer) -> str:
    mark = "*" if move.column in found.best_columns else " "
    score = "" if move.score is None else f"{move.score:+d}" if move.score else "0"
    source = "" if move.verdict.source is None else str(move.verdict.source)
    line = f"{mark} {move.column + 1:>2}  {move.square:<4}  {move.verdict.bounds.words:<20}  {score:>3}  {source}"
    return line.rstrip()


def _move_name(found: PositionAnswer, column: int) -> str:
    return next(f"{move.column + 1} ({move.square})" for move in found.moves if move.column == column)


def _tell_proof(given: GivenPosition, found: PositionAnswer, in_full: bool) -> list[str]:
    assert found.certificate is not None
    if in_full:
        from claimeven.solver.proof.explanation import explain

        return [explain(found.certificate)]
    rules = [str(instance.rule) for instance in found.certificate.instances]
    counted = ", ".join(f"{rules.count(rule)} {rule}" for rule in dict.fromkeys(rules))
    return [
        f"Rule proof for {found.certificate.controller}: {counted or 'an empty set'}",
        f"To read it: claimeven query {given.as_arguments} --proof".replace("  ", " "),
    ]


def _tell_what_to_run(given: GivenPosition, bounds: Bounds) -> list[str]:
    known = "nothing" if str(bounds) == "unknown" else "no more"
    return [f"The store knows {known} of this position. To find out: claimeven solve {given.as_arguments}".rstrip()]


def _as_json(given: GivenPosition, found: PositionAnswer) -> str:
    from claimeven.solver.proof.certificate import certificate_to_json

    position = found.position
    return json.dumps(
        {
            "moves": given.moves,
            "board": str(position.board),
            "ply": position.ply,
            "to_move": position.to_move.value,
            **_verdict_fields(found.verdict),
            "best_moves": [column + 1 for column in found.best_columns] or None,
            "proof": None if found.certificate is None else certificate_to_json(found.certificate),
            "children": [_move_fields(move) for move in found.moves],
        }
    )


def _verdict_fields(verdict: Verdict) -> dict[str, Any]:
    return {
        "value": str(verdict.bounds),
        "score": verdict.score,
        "source": None if verdict.source is None else str(verdict.source),
    }


def _move_fields(move: MoveAnswer) -> dict[str, Any]:
    """A move; its score is for the side that makes it."""
    return {
        "column": move.column + 1,
        "square": move.square,
        **_verdict_fields(move.verdict),
        "score": move.score,
    }
