"""`claimeven analyze`: the score of every move, the best ones, and the line of best play, searched for if need be."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.move_text import tell_move
from claimeven.scripts.options.position import GivenPosition, position_argument, read_position
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, no_book_option, no_cache_option, open_known, open_store
from claimeven.solver.position import Position, describe_end
from claimeven.solver.search.budget import UNLIMITED
from claimeven.solver.verdict import UNKNOWN, Verdict

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.solver.analysis import Analysis
    from claimeven.solver.search.searcher import Searcher


@click.command()
@position_argument
@db_option
@no_cache_option
@no_book_option
@search_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def analyze(
    moves: tuple[str, ...],
    board: str | None,
    notation: str,
    db: str | None,
    no_cache: bool,
    no_book: bool,
    settings: SearchSettings,
    as_json: bool,
) -> None:
    """Find the exact score of every move.

    Shown are the value and the score of the position, every move with its score for the side that makes it, the best
    moves, and a game that both sides play best, with the source of each score. What the store and the book know is not
    searched for, and what is found is stored. If the budget, which each search has to itself, is not enough for all
    moves, there are no best moves and the exit status is 1.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven analyze
      claimeven analyze 44444
      claimeven analyze 4455 --json
      claimeven analyze 1234 --board 6x5 --seconds 10 --no-cache
    """
    given = read_position(moves, board, notation)
    found = find_analysis(given.position, db, uses_store=not no_cache, uses_book=not no_book, settings=settings)
    click.echo(_as_json(given, found) if as_json else _as_text(found))
    if found.moves and not found.best_columns:
        click.echo("not all scores were found within the budget; without it they will be", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


def fill_store(position: Position, db: str | None, *, uses_book: bool) -> None:
    """Search for the scores of a position and of its moves that neither store nor book knows, and store them."""
    find_analysis(position, db, uses_store=True, uses_book=uses_book, settings=SearchSettings(None, None, UNLIMITED))


def find_analysis(
    position: Position, db: str | None, *, uses_store: bool, uses_book: bool, settings: SearchSettings
) -> Analysis:
    """The analysis of a position, by store, book and search; what search found is stored."""
    from claimeven.solver.analysis import analyze as analyze_with
    from claimeven.solver.inquiry import LateSearcher

    def make_searcher() -> Searcher:
        announce_compilation()
        from claimeven.solver.search.searcher import DEFAULT_MEMORY, Searcher

        memory = DEFAULT_MEMORY if settings.memory_bytes is None else settings.memory_bytes
        return Searcher(position.board, memory_bytes=memory, threads=settings.jobs)

    with ExitStack() as stack:
        known = _known(stack, db, uses_store=uses_store, uses_book=uses_book)
        keep = _Keeper(stack, db) if uses_store else None
        return analyze_with(position, LateSearcher(make_searcher), known, settings.budget, keep)


def _known(stack: ExitStack, db: str | None, *, uses_store: bool, uses_book: bool) -> Callable[[Position], Verdict]:
    """What store and book know; a store that is not there yet knows nothing."""
    from claimeven.db.location import StoreLocation

    path = StoreLocation.find(db).path if uses_store else None
    if path is not None and not path.exists():
        uses_store = False
    if not uses_store and not uses_book:
        return lambda position: UNKNOWN
    reader = stack.enter_context(open_known(db, uses_store=uses_store, uses_book=uses_book))
    assert reader is not None
    return lambda position: reader.read([position])[0].verdict


class _Keeper:
    """Stores what search found, as it is found; the store is opened when there is something for it."""

    def __init__(self, stack: ExitStack, db: str | None) -> None:
        self._stack = stack
        self._db = db
        self._store: Store | None = None

    def __call__(self, position: Position, verdict: Verdict) -> None:
        if self._store is None:
            self._store = self._stack.enter_context(open_store(self._db, writable=True, or_read_only=True))
        if self._store.is_writable:
            self._store.put(position, verdict)


def _as_text(found: Analysis) -> str:
    position = found.position
    lines = [str(position), ""]
    if position.is_over:
        return "\n".join([*lines, f"The game is over: {describe_end(position)}."])
    lines += [f"To move  {position.to_move}", f"Value    {found.verdict.bounds.words}"]
    if found.score is not None:
        lines.append(f"Score    {found.score} for {position.to_move}")
    if found.best_moves:
        lines.append(f"Best     {', '.join(f'{move.column + 1} ({move.square})' for move in found.best_moves)}")
    lines += ["", "Moves", *(tell_move(move, found.best_columns) for move in found.moves)]
    if found.line:
        lines += ["", "Best play", "  " + " ".join(found.squares)]
    return "\n".join(lines)


def _as_json(given: GivenPosition, found: Analysis) -> str:
    from claimeven.solver.contract import describe_move, describe_position

    return json.dumps(
        describe_position(
            given.moves,
            found.position,
            found.verdict,
            best_columns=found.best_columns,
            children=[describe_move(move.column, move.square, move.verdict) for move in found.moves],
            line=found.line,
        )
    )
