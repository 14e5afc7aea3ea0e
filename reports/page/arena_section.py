"""The section of the report on arenas: ratings, cross table and quality of the moves, as plots and as tables."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.record import ArenaRecord, read_arenas
from claimeven.reports.arena.table import BOUNDED_NOTE, describe_forfeits, percent
from claimeven.reports.page.plots import draw_intervals, draw_rates
from claimeven.reports.page.section import PageSource, Section, render
from claimeven.reports.page.style import Look

SHOWN = 10
"""How many arenas are shown, the latest ones."""

RATES = {
    "perfect": Look("perfect moves", "", "//", "--black-wins"),
    "keeping": Look("moves that keep the value", "", "", "--not-white"),
}


@dataclass(frozen=True, slots=True)
class _QualityRow:
    """A player's moves in numbers."""

    name: str
    quality: MoveQuality
    perfect: str
    keeping: str


@dataclass(frozen=True, slots=True)
class _Arena:
    """An arena with its plots; `quality` is empty where no moves were judged."""

    record: ArenaRecord
    ratings_plot: Markup
    quality: tuple[_QualityRow, ...]
    quality_plot: Markup | None
    forfeits: tuple[str, ...]


def arenas(source: PageSource) -> Section | None:
    """What players did against each other."""
    records = read_arenas(source.store)
    if not records:
        return None
    shown = [_show(record) for record in records[:SHOWN]]
    fields = {"arenas": shown, "left_out": len(records) - len(shown), "bounded_note": BOUNDED_NOTE}
    return Section("arenas", "Arenas", render("arenas.html", fields))


def _show(record: ArenaRecord) -> _Arena:
    players = record.standings.players
    intervals = {each.name: (each.elo, each.error) for each in players}
    rated = {name: (elo, error) for name, (elo, error) in intervals.items() if elo is not None and error is not None}
    title = f"arena {record.run}: Elo with 95% intervals"
    ratings_plot = draw_intervals(title, rated, "--black-wins", prefix=f"arena{record.run}")
    rows: tuple[_QualityRow, ...] = ()
    plot = None
    if record.quality is not None:
        rows = tuple(_quality_row(each.name, record.quality[each.player]) for each in players)
        rates = {row.name: {"perfect": row.quality.perfect_rate, "keeping": row.quality.keeping_rate} for row in rows}
        plot = draw_rates(f"arena {record.run}: good moves", rates, RATES, prefix=f"quality{record.run}")
    return _Arena(record, ratings_plot, rows, plot, tuple(describe_forfeits(record.games)))


def _quality_row(name: str, quality: MoveQuality) -> _QualityRow:
    return _QualityRow(name, quality, percent(quality.perfect_rate), percent(quality.keeping_rate))
