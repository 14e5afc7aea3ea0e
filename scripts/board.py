"""`claimeven board`: a position as a picture, with the scores of its moves, its threats, its proof or its best line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.options.position import GivenPosition, position_argument, read_position
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import db_option, no_book_option, no_cache_option
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    from claimeven.solver.proof.certificate import Certificate

SUFFIXES = (".svg", ".png")
SCHEMES = ("auto", "light", "dark")


@click.command()
@position_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write: .svg, or .png with the extra png.",
)
@click.option("--scores", "with_scores", is_flag=True, help="The score of every move, searched for if need be.")
@click.option("--threats", is_flag=True, help="The squares that complete a line: now, odd or even.")
@click.option("--proof", "with_proof", is_flag=True, help="The rule proof, each solution in a colour of its own.")
@click.option("--best-line", "with_line", is_flag=True, help="The game that both sides play best from here, numbered.")
@click.option(
    "--scheme",
    type=click.Choice(SCHEMES),
    help="Light or dark, or in an SVG file as the reader prefers.  [default: auto, in a PNG file light]",
)
@click.option("--title", metavar="TEXT", help="A line above the board.")
@click.option(
    "--width",
    type=click.IntRange(50, 8000),
    metavar="PIXELS",
    help="The width of a PNG file.  [default: twice that of the SVG picture]",
)
@db_option
@no_cache_option
@no_book_option
@search_options
def board(
    moves: tuple[str, ...],
    board: str | None,
    notation: str,
    out: Path,
    with_scores: bool,
    threats: bool,
    with_proof: bool,
    with_line: bool,
    scheme: str | None,
    title: str | None,
    width: int | None,
    db: str | None,
    no_cache: bool,
    no_book: bool,
    settings: SearchSettings,
) -> None:
    """Draw a position.

    Scores and the best line are found as `analyze` finds them: what the store and the book know is not searched for. A
    score that the budget was not enough for is a question mark, and the exit status is then 1.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven board 44 --out board.svg
      claimeven board 444433351225255 --proof --out proof.svg
      claimeven board --scores --out scores.png --scheme dark
      claimeven board 4344445323 --threats --best-line --out line.svg
    """
    is_png = _check(out, scheme, width)
    given = read_position(moves, board, notation)
    from claimeven.solver.drawing.picture import draw_position

    certificate = _prove(given) if with_proof else None
    scores: dict[int, int | None] | None = None
    line: tuple[int, ...] = ()
    is_whole = True
    if with_scores or with_line:
        from claimeven.scripts.analyze import find_analysis

        found = find_analysis(given.position, db, uses_store=not no_cache, uses_book=not no_book, settings=settings)
        scores = {move.column: move.score for move in found.moves} if with_scores else None
        line = found.line if with_line else ()
        is_whole = not found.moves or bool(found.best_columns)
    svg = draw_position(
        given.position,
        proof=certificate,
        scores=scores,
        threats=threats,
        line=line,
        scheme=scheme or ("light" if is_png else "auto"),
        title=title,
    )
    write_whole(out, _as_png(svg, width) if is_png else svg)
    click.echo(f"wrote {out}", err=True)
    if not is_whole:
        click.echo("not all scores were found within the budget; without it they will be", err=True)
        raise SystemExit(FOUND_A_PROBLEM)


def _check(out: Path, scheme: str | None, width: int | None) -> bool:
    """Whether the picture is to be a PNG file; what goes with neither kind ends the command."""
    suffix = out.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"--out: {out} must end in {' or '.join(SUFFIXES)}, which says what to write")
    if not out.parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    is_png = suffix == ".png"
    if is_png and scheme == "auto":
        raise InputError("--scheme: a PNG file is light or dark; auto is for SVG files")
    if width is not None and not is_png:
        raise InputError("--width: an SVG file has no width in pixels; it is for PNG files")
    return is_png


def _prove(given: GivenPosition) -> Certificate | None:
    from claimeven.scripts.proof_attempt import attempt_proof

    certificate = attempt_proof(given, None).certificate
    if certificate is None:
        click.echo("the nine rules prove nothing here, so the picture has no proof", err=True)
    return certificate


def _as_png(svg: str, width: int | None) -> bytes:
    from claimeven.reports.png import PngError, draw_png

    try:
        return draw_png(svg, width)
    except PngError as error:
        raise click.ClickException(str(error)) from None
