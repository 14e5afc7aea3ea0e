"""The plots of the report: matplotlib figures as SVG that takes its colours and fonts from the page it is put into."""

from __future__ import annotations

import mmap
import re
import sys
from collections.abc import Mapping
from io import StringIO
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from claimeven.reports.page.style import Look

WIDTH = 5.4
BAR = 0.27
"""Inches: the width of a plot and the height of one bar."""

_SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched for, and coloured by the page
    "svg.hashsalt": "claimeven",  # the same plot gives the same bytes
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "hatch.linewidth": 0.9,
}
OPENBLAS_BYTES = 48 << 20
"""What OpenBLAS takes when it first inverts a matrix, and something to spare."""

_FONTS = "system-ui,'Segoe UI','DejaVu Sans',sans-serif"


def draw_shares(title: str, rows: Mapping[str, Mapping[str, int]], looks: Mapping[str, Look], *, prefix: str) -> Markup:
    """A bar a row, divided by what its numbers belong to, with the total beside it.

    `looks` gives order, words, hatching and colours; `prefix` makes the ids of this plot differ from those of others.
    """
    shown = {name: look for name, look in looks.items() if any(row.get(name) for row in rows.values())}
    palette = _Palette()
    with mpl.rc_context(_SETTINGS):
        figure, axes = _bars(len(rows), legend=True)
        names = list(rows)
        left = [0.0] * len(names)
        for name, look in shown.items():
            shares = [rows[row].get(name, 0) / max(1, sum(rows[row].values())) for row in names]
            axes.barh(
                names,
                shares,
                left=left,
                height=0.78,
                color=palette.stand_in(look.colour),
                hatch=look.hatch,
                edgecolor=palette.stand_in("--page"),
                label=look.words,
            )
            left = [before + share for before, share in zip(left, shares, strict=True)]
        for place, row in enumerate(names):
            total = f"{sum(rows[row].values()):,}"
            axes.text(1.012, place, total, va="center", color=palette.stand_in("--ink"))
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        handles, labels = axes.get_legend_handles_labels()
        legend = figure.legend(
            handles,
            labels,
            loc="outside upper left",
            ncols=3 if len(shown) == 3 else 2,
            frameon=False,
            handlelength=1.6,
        )
        for text in legend.get_texts():
            text.set_color(palette.stand_in("--ink"))
        return _write(figure, axes, palette, title, prefix)


def draw_counts(title: str, counts: Mapping[str, int], colour: str, *, prefix: str) -> Markup:
    """A bar a name, as long as its number, with the number beside it."""
    palette = _Palette()
    with mpl.rc_context(_SETTINGS):
        figure, axes = _bars(len(counts), legend=False)
        axes.barh(list(counts), list(counts.values()), height=0.72, color=palette.stand_in(colour))
        most = max([1, *counts.values()])
        for place, number in enumerate(counts.values()):
            axes.text(number + most * 0.012, place, f"{number:,}", va="center", color=palette.stand_in("--ink"))
        axes.set_xlim(0, most * 1.14)
        axes.xaxis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:,.0f}"))
        return _write(figure, axes, palette, title, prefix)


def draw_intervals(title: str, intervals: Mapping[str, tuple[float, float]], colour: str, *, prefix: str) -> Markup:
    """A dot a name at its value, with a line as far as its error goes to both sides, and both in numbers beside it."""
    palette = _Palette()
    with mpl.rc_context(_SETTINGS):
        figure, axes = _bars(len(intervals), legend=False)
        values = [value for value, _ in intervals.values()]
        errors = [error for _, error in intervals.values()]
        axes.errorbar(
            values,
            list(intervals),
            xerr=errors,
            fmt="o",
            color=palette.stand_in(colour),
            ecolor=palette.stand_in("--ink"),
            capsize=4,
        )
        least, most = (
            pick(value + sign * error for value, error in intervals.values()) for pick, sign in ((min, -1), (max, 1))
        )
        room = max(most - least, 1.0)
        for place, (value, error) in enumerate(intervals.values()):
            text = f"{value:+.0f} ±{error:.0f}"
            axes.text(most + room * 0.03, place, text, va="center", color=palette.stand_in("--ink"))
        axes.set_xlim(least - room * 0.03, most + room * 0.22)
        axes.margins(y=0.5 / max(len(intervals), 1))
        return _write(figure, axes, palette, title, prefix)


def draw_rates(
    title: str, rows: Mapping[str, Mapping[str, float | None]], looks: Mapping[str, Look], *, prefix: str
) -> Markup:
    """A bar a row and rate, from nothing to all, with the rate beside it; a rate that is None has no bar."""
    palette = _Palette()
    with mpl.rc_context(_SETTINGS):
        figure, axes = _bars(2 * len(rows), legend=True)
        height = 0.8 / max(len(looks), 1)
        for number, (name, look) in enumerate(looks.items()):
            places = [place + (number - (len(looks) - 1) / 2) * height for place in range(len(rows))]
            rates = [row[name] for row in rows.values()]
            axes.barh(
                places,
                [rate or 0.0 for rate in rates],
                height=height,
                color=palette.stand_in(look.colour),
                hatch=look.hatch,
                edgecolor=palette.stand_in("--page"),
                label=look.words,
            )
            for place, rate in zip(places, rates, strict=True):
                # Rounded down, so that 100% means all.
                text = "none judged" if rate is None else f"{int(1000 * rate + 1e-9) / 10:.1f}%"
                axes.text((rate or 0.0) + 0.012, place, text, va="center", color=palette.stand_in("--ink"))
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set_xlim(0, 1.12)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        handles, labels = axes.get_legend_handles_labels()
        legend = figure.legend(handles, labels, loc="outside upper left", ncols=len(looks), frameon=False)
        for text_of_legend in legend.get_texts():
            text_of_legend.set_color(palette.stand_in("--ink"))
        return _write(figure, axes, palette, title, prefix)


class _Palette:
    """Colours that matplotlib knows nothing of: each CSS variable gets one that stands in for it until the end."""

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}

    def stand_in(self, variable: str) -> str:
        return self._stand_ins.setdefault(variable, f"#fe01{len(self._stand_ins):02x}")

    def restore(self, svg: str) -> str:
        for variable, colour in self._stand_ins.items():
            svg = svg.replace(colour, f"var({variable})")
        return svg


def _check_room() -> None:
    """Raise OSError if there is no memory for OpenBLAS, which would end the process instead of saying so."""
    if sys.platform != "win32":
        mmap.mmap(-1, OPENBLAS_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()


def _bars(number: int, *, legend: bool) -> tuple[Figure, Axes]:
    _check_room()
    figure = Figure(figsize=(WIDTH, 0.55 + BAR * number + (0.55 if legend else 0.0)), layout="constrained")
    axes = figure.add_subplot()
    axes.invert_yaxis()
    return figure, axes


def _write(figure: Figure, axes: Axes, palette: _Palette, title: str, prefix: str) -> Markup:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(palette.stand_in("--line"))
    axes.tick_params(axis="both", length=0, labelcolor=palette.stand_in("--ink"))
    axes.grid(axis="x", color=palette.stand_in("--line"), linewidth=0.6)
    axes.set_axisbelow(True)
    buffer = StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    return Markup(_inline(palette.restore(buffer.getvalue()), title, prefix))


def _inline(svg: str, title: str, prefix: str) -> str:
    """The SVG file as a part of a page: without its prologue, with ids of its own, as wide as there is room."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{prefix}-", svg)
    svg = svg.replace("'DejaVu Sans'", _FONTS).replace("'DejaVu Sans', sans-serif", _FONTS)
    opening = re.match(r"<svg[^>]*>", svg)
    assert opening is not None
    view = re.search(r'viewBox="[^"]+"', opening[0])
    assert view is not None
    label = Markup.escape(title)
    head = (
        f'<svg class="plot" {view[0]} role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg" '
        'xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    return head + svg[opening.end() :].strip()
