"""What a section of the report is, and what it is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from claimeven.db.counts.contents import BoardCounts
from claimeven.db.store import Store
from claimeven.reports.page.opening_table import OpeningTable
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position


@dataclass(frozen=True, slots=True)
class PageSource:
    """The store and what is read from it once for all sections, a board each."""

    store: Store
    boards: tuple[BoardCounts, ...]
    tables: tuple[OpeningTable, ...]
    named: set[str] = field(default_factory=set)
    """The ids of positions that are shown outside the tables."""

    def name(self, table: OpeningTable | None, position: Position) -> str | None:
        """The id of the place where a position is shown for the first time, if no table leads to it."""
        name = f"{position.board}:{moves_to(position)}"
        if name in self.named or (table is not None and table.holds(position)):
            return None
        self.named.add(name)
        return name


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: `anchor` is its id, which links lead to."""

    anchor: str
    title: str
    body: Markup


def render(template: str, fields: Mapping[str, Any]) -> Markup:
    """A template of `reports/page/templates`, filled in; whatever is not Markup is escaped."""
    return Markup(_environment().get_template(template).render(**fields))


def moves_to(position: Position) -> str:
    """A column string that leads to a position.

    >>> moves_to(Position.start().play(3).play(3))
    '44'
    """
    return columns.write(some_moves(position), position.board)


def show_duration(seconds: float) -> str:
    """Seconds in a unit that suits them.

    >>> show_duration(0.00042), show_duration(75.26), show_duration(4000)
    ('0.42 ms', '75.3 s', '1 h 7 min')
    """
    if seconds < 1:
        return f"{seconds * 1000:.2f} ms"
    if seconds < 1000:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("claimeven.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    environment.filters["duration"] = show_duration
    environment.filters["moves"] = moves_to
    environment.filters["columns"] = some_moves
    return environment
