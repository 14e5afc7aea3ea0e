"""The report: one HTML page with what a store holds, which needs nothing beside it and no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import resources

from markupsafe import Markup

from claimeven.db.books.extent import find_last_ply
from claimeven.db.books.reader import ReaderWithBook
from claimeven.db.counts.contents import BoardCounts, count_board
from claimeven.db.position_answer import answer
from claimeven.db.store import Store
from claimeven.db.stored.proofs import OnFlaw, raise_flaw
from claimeven.reports.page.opening_table import POSITION_BYTES, PROOF_BYTES, read_table
from claimeven.reports.page.script import make_script
from claimeven.reports.page.section import PageSource, render
from claimeven.reports.page.sections import SECTIONS
from claimeven.reports.page.style import VALUES, Look, variables
from claimeven.solver.board import Board
from claimeven.solver.position import Position


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """A board at a glance."""

    board: Board
    value: str
    look: Look
    positions: int
    proofs: int
    plies: str


def build_page(
    store: Store,
    boards: Sequence[Board],
    made: datetime,
    progress: Callable[[int], object] = lambda number: None,
    *,
    position_bytes: int = POSITION_BYTES,
    proof_bytes: int = PROOF_BYTES,
    on_flaw: OnFlaw = raise_flaw,
) -> str:
    """The page on these boards of a store; the same store gives the same page but for `made`.

    `progress` is told how many more positions and proofs are read, `on_flaw` of stored proofs that do not hold.
    """
    counts = tuple(_count_book(store, board) for board in boards)
    share = max(1, len(boards))
    tables = tuple(
        read_table(
            store,
            board,
            position_bytes=position_bytes // share,
            proof_bytes=proof_bytes // share,
            progress=progress,
            on_flaw=on_flaw,
        )
        for board in boards
    )
    source = PageSource(store, counts, tables)
    sections = [section for build in SECTIONS if (section := build(source)) is not None]
    path = store.location.path
    return render(
        "page.html",
        {
            "name": str(store.location) if path is None else path.name,
            "made": made,
            "boards": [_summarise(store, board) for board in counts],
            "sections": sections,
            "style": Markup(variables() + _text("page.css")),
            "scripts": [Markup(make_script())],
        },
    )


def _count_book(store: Store, board: Board) -> BoardCounts:
    """The counts of the plies of the book, or of all plies where there is none."""
    counts, last = count_board(store, board), find_last_ply(store, board)
    return counts if last is None else replace(counts, plies=tuple(ply for ply in counts.plies if ply.ply <= last))


def _summarise(store: Store, counts: BoardCounts) -> BoardSummary:
    plies = [ply.ply for ply in counts.plies if ply.positions]
    value = str(answer(Position.start(counts.board), ReaderWithBook(store)).verdict.bounds)
    return BoardSummary(
        counts.board,
        value,
        VALUES[value],
        counts.positions,
        sum(ply.certificates for ply in counts.plies),
        f"{plies[0]} to {plies[-1]}" if len(plies) > 1 else ", ".join(map(str, plies)) or "none",
    )


def _text(name: str) -> str:
    return (resources.files("claimeven.reports.page") / "templates" / name).read_text(encoding="utf-8")
