"""The sections of the report: functions from the source of the page to a section, or to None if there is nothing.

To add one, write such a function and put it into `SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from claimeven.db.books.reader import ReaderWithBook
from claimeven.db.counts.contents import PlyCounts
from claimeven.db.counts.proofs import PartCount, count_parts
from claimeven.db.position_answer import answer
from claimeven.reports.page.arena_section import arenas
from claimeven.reports.page.plots import draw_counts, draw_shares
from claimeven.reports.page.section import PageSource, Section, moves_to, render
from claimeven.reports.page.style import SOURCES, VALUES, Look
from claimeven.solver.board import Board
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.position import Position

SLOWEST = 12
"""How many of the dearest positions of a board are shown."""


@dataclass(frozen=True, slots=True)
class _Shares:
    """A board's numbers by ply: the plot, and the same as a table, with the total and the number of rule proofs."""

    board: Board
    plot: Markup
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[int, ...], int, int], ...]


@dataclass(frozen=True, slots=True)
class _Parts:
    """A board's rules and win conditions: the plot, and the same as a table with an example each."""

    board: Board
    proofs: int
    plot: Markup
    counts: tuple[PartCount, ...]
    anchors: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class _Slow:
    """A dear position: the picture, a game that leads there, and what is known of it now."""

    picture: Markup
    position: Position
    moves: str
    value: str
    nodes: int
    seconds: float
    anchor: str | None


def opening_table(source: PageSource) -> Section | None:
    """The table to walk through."""
    tables = [table for table in source.tables if table.last_ply >= 0]
    if not tables:
        return None
    looks = {
        "values": {name: [look.words, look.symbol] for name, look in VALUES.items()},
        "sources": {name: look.words for name, look in SOURCES.items()},
    }
    return Section("openings", "Opening table", render("opening_table.html", {"tables": tables, "looks": looks}))


def positions_by_value(source: PageSource) -> Section | None:
    """How many positions of each ply have which value."""
    shares = list(_shares(source, "value", VALUES, lambda ply: ply.by_value))
    lead = (
        "Who wins under best play, for every position in the store. A position and its mirror image count once, "
        "finished games are not stored, and a position of which only a bound is known is shown with that bound."
    )
    return _shares_section("positions", "Positions by ply and value", lead, shares)


def positions_by_source(source: PageSource) -> Section | None:
    """How many positions of each ply were decided by what."""
    shares = list(_shares(source, "source", SOURCES, lambda ply: ply.by_source))
    lead = (
        "What decided each position: a rule proof, exact search, or retrograde, which means that it follows from the "
        "positions after its moves. A rule proof that leaves two values open, as Black at least draws does, needs "
        "search to decide between them, so more positions have a proof than the rules decided; the table counts them."
    )
    return _shares_section("sources", "Decided by rules, search and retrograde", lead, shares)


def rules(source: PageSource) -> Section | None:
    """Which rules and win conditions the proofs rest on."""
    boards = []
    tables = {table.board: table for table in source.tables}
    for number, board in enumerate(source.boards):
        proofs = sum(ply.certificates for ply in board.plies)
        if proofs:
            counts = count_parts(source.store, board.board, board.plies[-1].ply)
            plot = draw_counts(
                f"{board.board}: proofs that use each rule",
                {part.name: part.proofs for part in counts},
                "--by-rules",
                prefix=f"rules{number}",
            )
            anchors = {
                part.name: source.name(tables.get(board.board), part.example)
                for part in counts
                if part.example is not None
            }
            boards.append(_Parts(board.board, proofs, plot, tuple(counts), anchors))
    if not boards:
        return None
    return Section("rules", "Rules that carry the proofs", render("rules.html", {"boards": boards}))


def slowest(source: PageSource) -> Section | None:
    """The positions that search took the most nodes for."""
    boards = {}
    for board, table in zip(source.boards, source.tables, strict=True):
        last = board.plies[-1].ply if board.plies else -1
        efforts = [each for each in source.store.read_efforts(board.board) if each.position.ply <= last][:SLOWEST]
        knowledge = [answer(effort.position, ReaderWithBook(source.store)) for effort in efforts]
        shown = [
            _Slow(
                Markup(draw_position(effort.position)),
                effort.position,
                moves_to(effort.position),
                str(known.verdict.bounds),
                effort.nodes,
                effort.seconds,
                source.name(table, effort.position),
            )
            for effort, known in zip(efforts, knowledge, strict=True)
        ]
        if shown:
            boards[board.board] = shown
    return (
        Section("slowest", "Slowest positions", render("slowest.html", {"boards": boards, "looks": VALUES}))
        if boards
        else None
    )


def runs(source: PageSource) -> Section | None:
    """The runs that wrote into the store."""
    records = source.store.runs()
    if not records:
        return None
    return Section("runs", "Runs", render("runs.html", {"runs": records}))


SECTIONS: tuple[Callable[[PageSource], Section | None], ...] = (
    opening_table,
    positions_by_value,
    positions_by_source,
    rules,
    slowest,
    arenas,
    runs,
)
"""The sections in the order of the page."""


def _shares(
    source: PageSource, kind: str, looks: Mapping[str, Look], numbers: Callable[[PlyCounts], Mapping[str, int]]
) -> Iterator[_Shares]:
    for number, board in enumerate(source.boards):
        plies = [ply for ply in board.plies if ply.positions]
        if plies:
            names = tuple(name for name in looks if any(numbers(ply).get(name) for ply in plies))
            rows = {f"ply {ply.ply}": numbers(ply) for ply in plies}
            yield _Shares(
                board.board,
                draw_shares(f"{board.board}: positions by ply and {kind}", rows, looks, prefix=f"{kind}{number}"),
                tuple(looks[name].words for name in names),
                tuple(
                    (ply.ply, tuple(numbers(ply).get(name, 0) for name in names), ply.positions, ply.certificates)
                    for ply in plies
                ),
            )


def _shares_section(anchor: str, title: str, lead: str, shares: list[_Shares]) -> Section | None:
    return Section(anchor, title, render("shares.html", {"lead": lead, "shares": shares})) if shares else None
