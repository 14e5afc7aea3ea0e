"""`claimeven report`: what the store holds, as a page to look at and to walk through."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.errors import reported_as
from claimeven.scripts.options.store import choose_boards, db_option, open_store
from claimeven.scripts.stored_flaws import StoredFlaws
from claimeven.solver.board import Board, BoardError
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    from claimeven.db.store import Store

PAGE = "index.html"


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help=f"The directory to write {PAGE} into; it is made if it is not there.",
)
@click.option(
    "--board", "boards", multiple=True, metavar="CxR", help="Only this board; may be repeated.  [default: all boards]"
)
@db_option
def report(out: Path, boards: tuple[str, ...], db: str | None) -> None:
    """Write a page about the store, with an opening table to walk through.

    The page shows how many positions of each ply have which value and what decided them, which rules carry the proofs,
    which positions took longest, and the runs that filled the store. It is one file that opens from disk in any
    browser, without network. The file that was written is printed.

    \b
    Examples:
      claimeven report --out report
      claimeven report --out report --db book.db --board 7x6
    """
    with reported_as("--board", BoardError):
        wanted = [Board.parse(board) for board in dict.fromkeys(boards)]
    with open_store(db, writable=False) as store:
        flaws = StoredFlaws()
        page = _build(store, choose_boards(store, wanted), flaws)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / PAGE, page)
    click.echo(out / PAGE)
    flaws.finish()


def _build(store: Store, boards: list[Board], flaws: StoredFlaws) -> str:
    """The page, without the stored proofs that do not hold."""
    from claimeven.reports.page.report import build_page

    with tqdm(desc="reading", unit=" positions", disable=None, leave=False) as bar:
        return build_page(store, boards, datetime.now(UTC), bar.update, on_flaw=flaws)
