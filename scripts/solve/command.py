"""`claimeven solve`: positions in, one a line, verdicts out, in the same order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from claimeven.scripts.options.cluster import ClusterSettings, cluster_options, open_decider
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, no_book_option, no_cache_option, open_store
from claimeven.solver.board import Board, BoardError
from claimeven.solver.notation import AUTO, NOTATIONS, NotationError, parse_position
from claimeven.solver.position import Position

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.scripts.solve.flow import Counts
    from claimeven.scripts.solve.sources import Source

SHOWN_ERRORS = 10
"""Invalid lines that are described; the others are only counted."""

# The names of FORMATS in `sources`; a test compares them. Help must not import the formats.
FORMATS = ("text", "csv", "tsv", "jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class Task:
    """What the user asks for."""

    board: Board
    notation: str
    engine: str
    prover: str
    graphs: Path | None
    graph_format: str
    score: bool
    moves: bool
    as_json: bool
    unordered: bool
    blank_is_start: bool
    out: Path | None
    db: str | None
    uses_store: bool
    uses_book: bool
    settings: SearchSettings
    cluster: ClusterSettings


@click.command()
@click.argument("source", required=False, metavar="[MOVES|FILE|-]")
@click.option(
    "--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows, and x how many win if not four."
)
@click.option(
    "--notation", type=click.Choice(NOTATIONS), default=AUTO, show_default=True, help="How positions are written."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="What the input is.  [default: what its name shows, or text]",
)
@click.option("--column", default="moves", show_default=True, help="The column of a table that holds the positions.")
@click.option("--blank-is-start", is_flag=True, help="A blank line is the empty board instead of nothing.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "rules", "search", "dfpn"]),
    default="auto",
    show_default=True,
    help="What may decide: the rules first and search for the rest, or one of them alone; dfpn is proof-number search "
    "with the rules as its evaluator.",
)
@click.option(
    "--prover",
    type=click.Choice(["kernel", "graph"]),
    default="kernel",
    show_default=True,
    help="How the rules look for proofs: fast, or by the readable search on networkx graphs.",
)
@click.option(
    "--graphs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="With --prover graph: keep the graph of every unfinished position there, known or not; mirror "
    "images share one.",
)
@click.option(
    "--graph-format",
    type=click.Choice(["graphml", "json"]),
    default="graphml",
    show_default=True,
    help="What --graphs writes: GraphML, or node-link JSON.",
)
@click.option("--score", is_flag=True, help="The exact score for the side to move instead of who wins.")
@click.option(
    "--moves", "with_moves", is_flag=True, help="The exact score of every move too; the best moves in JSON and tables."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with the proof if the rules found one.")
@click.option("--unordered", is_flag=True, help="Write answers as they come, each with the number of its line.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file for the answers, written whole or not at all; its name shows the format.  [default: stdout]",
)
@db_option
@no_cache_option
@no_book_option
@search_options
@cluster_options()
def solve(
    source: str | None,
    board: str,
    notation: str,
    format_: str | None,
    column: str,
    blank_is_start: bool,
    engine: str,
    prover: str,
    graphs: Path | None,
    graph_format: str,
    score: bool,
    with_moves: bool,
    as_json: bool,
    unordered: bool,
    out: Path | None,
    db: str | None,
    no_cache: bool,
    no_book: bool,
    settings: SearchSettings,
    cluster: ClusterSettings,
) -> None:
    """Solve positions: who wins under best play.

    Give one position, a file, or - for stdin: a position a line, or a table (CSV, TSV, JSON lines, Parquet) with a
    column of positions, whose other columns are kept; .gz and .zst too. Prints a line a position, in the order of the
    input: the moves and white, draw or black or, with --score, the score (positive if the side to move wins, the larger
    the sooner). "unknown" means that the budget ran out or, with --engine rules, that the rules decide nothing; those
    may also say "not-white".

    What the store knows is not solved again, then the book of the first plies that comes with the program is asked, and
    what is solved is stored as it is decided; --engine rules and --engine search decide afresh and leave both alone.
    --engine dfpn does not ask the book. What was found on the way to a hard position is kept until it is decided, so a
    run that was stopped goes on where it was: run the same command again.

    All lines are of one notation: the one you name, or what the lines show; one that contradicts it ends the run. A
    line that is no position is answered with "invalid", the reason goes to stderr, and the exit status is 1 then. What
    follows the moves after a space, if it is a number as in a suite file, is left out. Blank lines and lines that start
    with # are skipped.

    \b
    Examples:
      claimeven solve 44444
      claimeven solve positions.txt --score > scores.txt
      claimeven solve games.csv --column position --moves --out solved.parquet
      cat positions.txt | claimeven solve - --json --jobs 2
      claimeven solve positions.txt --cluster tcp://scheduler:8786
      claimeven solve 1234 --board 6x5 --seconds 10 --no-cache
      claimeven solve 43515 --engine dfpn
    """
    if score and engine == "rules":
        raise InputError("--score: the rules know no scores; leave --engine rules out")
    if with_moves and engine == "rules":
        raise InputError("--moves: the rules know no scores; leave --engine rules out")
    if (score or with_moves) and engine == "dfpn":
        raise InputError(
            f"{'--score' if score else '--moves'}: proof numbers know who wins and no scores; leave --engine dfpn out"
        )
    if graphs is not None and prover != "graph":
        raise InputError("--graphs: only --prover graph makes graphs")
    if engine == "dfpn" and cluster.address is not None:
        raise InputError("--cluster: proof-number search works in one process; leave --engine dfpn out")
    if prover == "graph" and cluster.address is not None:
        raise InputError("--cluster: workers look for proofs by the kernels only; leave --prover graph out")
    if prover == "graph" and engine in ("search", "dfpn"):
        raise InputError(f"--prover: --engine {engine} shows no rule proofs")
    with reported_as("--board", BoardError):
        size = Board.parse(board)
    if engine == "rules" and size.rows % 2:
        raise InputError(f"--engine: the rules need an even number of rows and {size} has {size.rows}")
    if out is not None and str(out) != "-" and not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    task = Task(
        size,
        notation,
        engine,
        prover,
        graphs,
        graph_format,
        score,
        with_moves,
        as_json,
        unordered,
        blank_is_start,
        out,
        db,
        engine in ("auto", "dfpn") and not no_cache,
        engine == "auto" and not no_book,
        settings,
        cluster,
    )
    name = _name_source(source)
    if _is_stream(name):
        _solve_stream(task, name, format_, column)
    else:
        _solve_position(task, name)


def _name_source(source: str | None) -> str:
    if source is not None:
        return source
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("give a position, a file, or - to read positions from stdin; --help has examples")
    return "-"


def _is_stream(source: str) -> bool:
    try:
        return source == "-" or (Path(source).exists() and source != "")
    except OSError:  # a game written out may be longer than the name of a file can be
        return False


def _solve_position(task: Task, text: str) -> None:
    """One position: what is known of it is told without loading what solves positions."""
    try:
        position = parse_position(text, task.board, task.notation)
    except NotationError as error:
        raise InputError(f"{text!r} is neither a file nor a position: {error}") from None
    plain = task.out is None and not task.moves and not task.unordered and task.prover == "kernel"
    if plain and task.engine == "auto":
        from claimeven.scripts.solve.known import find_known, show_known

        with _certificate_errors():
            known = find_known(
                task.db, position, uses_store=task.uses_store, uses_book=task.uses_book, score=task.score
            )
        if known.decides(score=task.score):
            click.echo(
                show_known("/".join(text.split("\n")).strip(), position, known, score=task.score, as_json=task.as_json)
            )
            return
    from claimeven.scripts.solve.sources import Chunk, Source

    notation = task.notation if task.notation != AUTO else _notation_of(text, position)
    chunk = Chunk(("/".join(text.splitlines()) + "\n").encode())
    _run(task, Source("MOVES", "text", iter([chunk])), notation=notation, blank_is_start=True, total=1)


def _notation_of(text: str, position: Position) -> str:
    """The notation of a single position: columns count from 1, unless one is 0."""
    from claimeven.solver.notation import detect_notation

    return detect_notation(text, position.board)


def _solve_stream(task: Task, name: str, format_: str | None, column: str) -> None:
    from claimeven.scripts.solve.sources import count_lines, open_source

    if name != "-" and Path(name).is_dir():
        raise InputError(f"{name}: this is a directory, not a list of positions")
    source = open_source(name, format_, column)
    _run(
        task,
        source,
        notation=task.notation,
        blank_is_start=task.blank_is_start or source.format != "text",
        total=count_lines(name) if source.format == "text" and _shows_progress() else None,
    )


def _shows_progress() -> bool:
    """Whether there is anyone to see how much is done, as the bar asks too."""
    return sys.stderr is not None and sys.stderr.isatty()


def _run(task: Task, source: Source, *, notation: str, blank_is_start: bool, total: int | None) -> None:
    announce_compilation()
    from claimeven.cluster.messages import Question
    from claimeven.db.books.packed import shipped_book
    from claimeven.scripts.solve.flow import Flow
    from claimeven.scripts.solve.graphs import GraphProver
    from claimeven.scripts.solve.sinks import Form, open_sink
    from claimeven.solver.deciding.decided import Engine
    from claimeven.solver.notation.stream import LineStream, NotationConflictError

    form = Form(task.as_json, task.score, task.moves, task.unordered)
    errors = _Errors()
    with ExitStack() as stack:
        store = None
        if task.uses_store:
            store = stack.enter_context(open_store(task.db, writable=True, or_read_only=True))
        stack.enter_context(_saying_how_to_go_on(store))
        stack.enter_context(_certificate_errors())
        question = Question(
            task.board,
            Engine(task.engine),
            scores=task.score or task.moves,
            proofs=store is not None or task.as_json,
            budget=task.settings.budget,
            memory_bytes=task.settings.memory_bytes,
            threads=task.settings.jobs,
        )
        prover = GraphProver(task.board, task.graphs, task.graph_format) if task.prover == "graph" else None
        decider = stack.enter_context(open_decider(task.cluster, question, prover))
        sink = stack.enter_context(open_sink(task.out, source, form))
        bar = stack.enter_context(tqdm(total=total, unit=" lines", disable=None, file=sys.stderr, delay=1))

        def show(number: int, counts: Counts) -> None:
            bar.set_postfix({"known": f"{counts.known:,}", "nodes": f"{counts.nodes:,}"}, refresh=number == 0)
            bar.update(number)

        stream = LineStream(task.board, notation, blank_is_start=blank_is_start, has_comments=source.format == "text")
        flow = Flow(
            stream=stream,
            decider=decider,
            sink=sink,
            store=store,
            book=shipped_book() if task.uses_book else None,
            with_moves=task.moves,
            with_proofs=task.as_json,
            unordered=task.unordered,
            on_progress=show,
            on_error=errors.note,
            on_known=None if prover is None else prover.keep_known,
        )
        try:
            flow.answer_all(source.chunks, source.is_ready)
        except NotationConflictError as error:
            raise InputError(f"{source.name}: {error}") from None
    if stream.is_open and source.name != "MOVES":
        click.echo(
            f"{source.name}: nothing shows whether columns are counted from 0 or from 1; they were read as counted "
            "from 1. To say so: --notation columns; to count from 0: --notation columns0",
            err=True,
        )
    errors.finish()


class _Errors:
    """Lines that are no positions: the first ones are described, all are counted."""

    def __init__(self) -> None:
        self._number = 0

    def note(self, line: int, error: str) -> None:
        self._number += 1
        if self._number <= SHOWN_ERRORS:
            tqdm.write(f"line {line}: {error}", file=sys.stderr)

    def finish(self) -> None:
        """End with a count and status 1 if there were any."""
        if not self._number:
            return
        more = f", of which {SHOWN_ERRORS} are shown" if self._number > SHOWN_ERRORS else ""
        click.echo(f"{self._number:,} invalid {'line' if self._number == 1 else 'lines'}{more}", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


@contextmanager
def _saying_how_to_go_on(store: Store | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if store is None or not store.is_writable:
            raise KeyboardInterrupt("stopped; what was printed is right, and nothing is kept") from None
        raise KeyboardInterrupt(
            f"stopped; what is done is in {store.location}, run the same command to go on"
        ) from None


@contextmanager
def _certificate_errors() -> Iterator[None]:
    """One clear line for a proof that does not hold: none is shown that the checker has not accepted."""
    from claimeven.solver.proof.certificate import CertificateError

    try:
        yield
    except CertificateError as error:
        raise click.ClickException(str(error)) from error
