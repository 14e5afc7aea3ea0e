"""`claimeven query`: what the store knows of one position."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import click

from claimeven.db.location import StoreLocation
from claimeven.scripts.move_text import tell_move
from claimeven.scripts.options.position import GivenPosition, position_argument, read_position
from claimeven.scripts.options.store import db_option, no_book_option, open_known
from claimeven.scripts.stored_flaws import StoredFlaws
from claimeven.solver.position import describe_end
from claimeven.solver.score import last_stone
from claimeven.solver.verdict import UNDECIDED

if TYPE_CHECKING:
    from claimeven.db.position_answer import PositionAnswer
    from claimeven.solver.verdict import Bounds


@click.command()
@position_argument
@db_option
@no_book_option
@click.option("--proof", "with_proof", is_flag=True, help="Explain the stored rule proof in full.")
@click.option("--solve", "solves", is_flag=True, help="Search for what is not known, as analyze does.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def query(
    moves: tuple[str, ...],
    board: str | None,
    notation: str,
    db: str | None,
    no_book: bool,
    with_proof: bool,
    solves: bool,
    as_json: bool,
) -> None:
    """Ask the store about a position, and then the book that comes with the program.

    Shown are the value, the score for the side to move if it is known, where the verdict comes from, every move with
    its value, and the best moves. Nothing is computed but what follows at once from the positions after the moves.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven query
      claimeven query 4455 --db book.db
      claimeven query "1. d1, d2" --json
      claimeven query 12 --proof
      claimeven query 444441 --solve
    """
    given = read_position(moves, board, notation)
    if solves:
        from claimeven.scripts.analyze import fill_store

        fill_store(given.position, db, uses_book=not no_book)
    from claimeven.db.position_answer import answer

    with open_known(db, uses_book=not no_book, needs_store=no_book) as reader:
        assert reader is not None
        found = answer(given.position, reader)
    click.echo(_as_json(given, found) if as_json else _as_text(given, found, with_proof, db))
    if found.flaw is not None:
        flaws = StoredFlaws()
        flaws(found.flaw)
        flaws.finish()


def _as_text(given: GivenPosition, found: PositionAnswer, with_proof: bool, db: str | None) -> str:
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
    lines += ["", "Moves", *(tell_move(move, found.best_columns) for move in found.moves)]
    if found.flaw is not None:
        lines += ["", "There is a stored rule proof, but it does not hold and is not shown."]
    if found.certificate is not None:
        lines += ["", *_tell_proof(given, found, with_proof, db)]
    if not verdict.bounds.is_exact:
        lines += ["", *_tell_what_to_run(given, verdict.bounds, db)]
    return "\n".join(lines)


def _last_stone(found: PositionAnswer) -> str:
    """When the game ends, as far as the score tells."""
    score = found.verdict.score
    if not score:
        return ""
    ply = found.position.ply
    last = last_stone(found.position.board.cells, ply, score)
    return f": {'wins' if score > 0 else 'loses'} with stone {last}, after {last - ply} more"


def _move_name(found: PositionAnswer, column: int) -> str:
    return next(f"{move.column + 1} ({move.square})" for move in found.moves if move.column == column)


def _tell_proof(given: GivenPosition, found: PositionAnswer, in_full: bool, db: str | None) -> list[str]:
    assert found.certificate is not None
    if in_full:
        from claimeven.solver.proof.explanation import explain

        return [explain(found.certificate)]
    rules = [str(instance.rule) for instance in found.certificate.instances]
    counted = ", ".join(f"{rules.count(rule)} {rule}" for rule in dict.fromkeys(rules))
    return [
        f"Rule proof for {found.certificate.controller}: {counted or 'an empty set'}",
        f"To read it: claimeven query {given.as_arguments} --proof{_repeat(db)}".replace("  ", " "),
    ]


def _tell_what_to_run(given: GivenPosition, bounds: Bounds, db: str | None) -> list[str]:
    known = "nothing" if bounds == UNDECIDED else "no more"
    command = f"claimeven solve {given.as_arguments}{_repeat(db)}".rstrip()
    return [f"The store knows {known} of this position. To find out: {command}"]


def _repeat(db: str | None) -> str:
    """The option that names the store again, in a command that is shown to the user; a password is not repeated."""
    return "" if db is None else f" --db {shlex.quote(str(StoreLocation.find(db)))}"


def _as_json(given: GivenPosition, found: PositionAnswer) -> str:
    from claimeven.solver.contract import describe_move, describe_position

    return json.dumps(
        describe_position(
            given.moves,
            found.position,
            found.verdict,
            best_columns=found.best_columns,
            certificate=found.certificate,
            children=[describe_move(move.column, move.square, move.verdict) for move in found.moves],
        )
        | ({} if found.flaw is None else {"proof_error": found.flaw})
    )
