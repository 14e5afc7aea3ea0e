"""`claimeven solve`: positions in, one a line, verdicts out, in the same order."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from claimeven.scripts.line_source import available_chunks
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, no_cache_option, open_store
from claimeven.solver.board import Board, BoardError
from claimeven.solver.notation import AUTO, NOTATIONS, NotationError, parse_position
from claimeven.solver.position import Position

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.solver.batch import Decider, Decision

CHUNK = 1024


@dataclass(frozen=True, slots=True)
class Line:
    """A line of input: the text that stands for the position, and the position or what is wrong with the text."""

    number: int
    text: str
    position: Position | None
    error: str = ""


@click.command()
@click.argument("source", required=False, metavar="[MOVES|FILE|-]")
@click.option(
    "--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows, and x how many win if not four."
)
@click.option(
    "--notation", type=click.Choice(NOTATIONS), default=AUTO, show_default=True, help="How positions are written."
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "rules", "search"]),
    default="auto",
    show_default=True,
    help="What may decide: the rules first and search for the rest, or one of them alone.",
)
@click.option("--score", is_flag=True, help="The exact score for the side to move instead of who wins.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the proof if the rules found one.")
@db_option
@no_cache_option
@search_options
def solve(
    source: str | None,
    board: str,
    notation: str,
    engine: str,
    score: bool,
    as_json: bool,
    db: str | None,
    no_cache: bool,
    settings: SearchSettings,
) -> None:
    """Solve positions: who wins under best play.

    Give one position, a file with a position a line, or - for stdin. Prints a line a position, in the order of the
    input: the moves and white, draw or black or, with --score, the score (positive if the side to move wins, the larger
    the sooner). "unknown" means that the budget ran out or, with --engine rules, that the rules decide nothing; those
    may also say "not-white".

    What the store knows is not solved again, and what is solved is stored; --engine rules and --engine search decide
    afresh and leave the store alone.

    A line that is no position is answered with "invalid", the reason goes to stderr, and the exit status is 1 then.
    What follows the moves after a space, as in a suite file, is left out; an empty line is the empty board.

    \b
    Examples:
      claimeven solve 44444
      claimeven solve positions.txt --score > scores.txt
      cat positions.txt | claimeven solve - --json --jobs 2
      claimeven solve 1234 --board 6x5 --seconds 10 --no-cache
    """
    if score and engine == "rules":
        raise InputError("--score: the rules know no scores; leave --engine rules out")
    with reported_as("--board", BoardError):
        size = Board.parse(board)
    if engine == "rules" and size.rows % 2:
        raise InputError(f"--engine: the rules need an even number of rows and {size} has {size.rows}")
    with ExitStack() as stack:
        lines = stack.enter_context(_open_source(source, size, notation))
        announce_compilation()
        from claimeven.solver.batch import Decider, Engine

        decider = Decider(
            size,
            Engine(engine),
            scores=score,
            memory_bytes=settings.memory_bytes,
            threads=settings.jobs,
            budget=settings.budget,
        )
        invalid = 0
        store = None
        if engine == "auto" and not no_cache:
            store = stack.enter_context(open_store(db, writable=True, or_read_only=True))
        stack.enter_context(_saying_how_to_go_on(store))
        with tqdm(unit=" positions", disable=None, file=sys.stderr, delay=1) as progress:
            for chunk in _read_positions(lines, size, notation):
                positions = [line.position for line in chunk if line.position is not None]
                decisions = iter(_decide(decider, store, positions, with_proofs=as_json))
                answers = []
                for line in chunk:
                    if line.position is not None:
                        decision = next(decisions)
                        answers.append(
                            _as_json(line.text, decision) if as_json else _as_text(line.text, decision, score)
                        )
                        continue
                    invalid += 1
                    click.echo(f"line {line.number}: {line.error}", err=True)
                    answers.append(
                        json.dumps({"moves": line.text, "error": line.error}) if as_json else f"{line.text} invalid"
                    )
                # All at once: writing line by line costs as much as solving late positions does.
                click.echo("\n".join(answers))
                sys.stdout.flush()
                progress.update(len(chunk))
    if invalid:
        click.echo(f"{invalid} invalid {'line' if invalid == 1 else 'lines'}", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


@contextmanager
def _saying_how_to_go_on(store: Store | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if store is None or not store.is_writable:
            click.echo("\nstopped; what was printed is right, and nothing is kept", err=True)
        else:
            click.echo(f"\nstopped; what is done is in {store.location}, run the same command to go on", err=True)
        raise


def _decide(decider: Decider, store: Store | None, positions: list[Position], with_proofs: bool) -> list[Decision]:
    if store is None or not positions:
        return decider.decide(positions)
    from claimeven.db.pipeline import decide_with_store

    return decide_with_store(store, decider, positions, with_proofs=with_proofs)


@contextmanager
def _open_source(source: str | None, board: Board, notation: str) -> Iterator[Iterable[str]]:
    """The lines of what the user gave: stdin, a file, or one position."""
    if source is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("give a position, a file, or - to read positions from stdin; --help has examples")
        source = "-"
    if source == "-":
        yield _decoded(sys.stdin)
    elif _is_file(source):
        with open(source, encoding="utf-8-sig", errors="replace") as file:
            yield file
    else:
        try:
            parse_position(source, board, notation)
        except NotationError as error:
            raise InputError(f"{source!r} is neither a file nor a position: {error}") from None
        yield [source]


def _is_file(source: str) -> bool:
    try:
        return Path(source).is_file()
    except OSError:  # a game written out may be longer than the name of a file can be
        return False


def _decoded(stream: TextIO) -> Iterable[str]:
    """Stdin as UTF-8 whatever the locale says; a broken character makes its line invalid and no other."""
    buffer = getattr(stream, "buffer", None)
    return stream if buffer is None else io.TextIOWrapper(buffer, encoding="utf-8-sig", errors="replace")


def _read_positions(lines: Iterable[str], board: Board, notation: str) -> Iterator[list[Line]]:
    number = 0
    for chunk in available_chunks(lines, CHUNK):
        parsed = []
        for text in chunk:
            number += 1
            parsed.append(_parse(number, text.strip(), board, notation))
        yield parsed


def _parse(number: int, text: str, board: Board, notation: str) -> Line:
    words = text.split()
    # A line of a suite file: the moves, and a score that is not ours.
    if len(words) == 2 and words[0].isalnum() and words[1].lstrip("+-").isdecimal():
        text = words[0]
    try:
        return Line(number, text, parse_position(text, board, notation))
    except NotationError as error:
        return Line(number, text, None, str(error))


def _as_text(text: str, decision: Decision, score: bool) -> str:
    verdict = decision.verdict
    if not score:
        return f"{text} {verdict.bounds}"
    return f"{text} {'unknown' if verdict.score is None else verdict.score}"


def _as_json(text: str, decision: Decision) -> str:
    from claimeven.solver.proof.certificate import certificate_to_json

    position, verdict = decision.position, decision.verdict
    return json.dumps(
        {
            "moves": text,
            "board": str(position.board),
            "ply": position.ply,
            "to_move": position.to_move.value,
            "value": str(verdict.bounds),
            "score": verdict.score,
            "source": None if verdict.source is None else verdict.source.value,
            "best_moves": None,
            "proof": None if decision.certificate is None else certificate_to_json(decision.certificate),
        }
    )
