"""`claimeven solution export`: a solution in other forms."""

from __future__ import annotations

from pathlib import Path

import click

from claimeven.scripts.errors import InputError
from claimeven.scripts.solution.reading import read_solution, solution_argument
from claimeven.solver.whole_file import write_whole


@click.command()
@solution_argument
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True,
    help="The file to write: .html (a page), .csv (cards), .txt (cards for Anki) or .json.",
)  # fmt: skip
def export(file: Path, out: Path) -> None:
    """Write a solution as a page to walk through, as cards to learn, or as JSON.

    The page needs no network: play the opponent's moves to the end of the game and see the answers, the digits or the
    rule proof on the board, and the graph, ply by ply. The cards have the position on the front and the answer on the
    back; .txt is what Anki imports, with tabs.

    \b
    Examples:
      claimeven solution export 5x4.json --out 5x4.html
      claimeven solution export 5x4.json --out cards.csv
    """
    suffix = out.suffix.lower()
    if suffix not in (".html", ".csv", ".txt", ".json"):
        raise InputError(f"--out: {out} must end in .html, .csv, .txt or .json, which says what to write")
    if not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    solution = read_solution(file)
    if suffix == ".json":
        write_whole(out, solution.to_text())
    elif suffix == ".html":
        from claimeven.reports.solution.page import render_page

        write_whole(out, render_page(solution, file.name))
    else:
        from claimeven.reports.solution.cards import write_cards

        write_whole(out, write_cards(solution, for_anki=suffix == ".txt"))
    click.echo(f"wrote {out}", err=True)
