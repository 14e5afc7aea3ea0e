"""The table of the search's speed, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimeven.reports.bench.search_speed import SearchSpeed

QUESTIONS = {"value": "win/draw/loss", "score": "exact score"}


def format_search_speeds(speeds: Sequence[SearchSpeed], yardstick: str | None, run: Mapping[str, str]) -> str:
    """A page with one row a suite and question, and where it was measured."""
    threads = speeds[0].threads
    beside = (
        f"Beside it {yardstick} without its book, on its one thread, in the same run: a search with a window around a "
        "draw for win/draw/loss, MTD(f) for the exact score."
        if yardstick
        else "No other program was installed to compare with."
    )
    rows = [
        "# Speed of exact search",
        "",
        f"{threads} {'thread' if threads == 1 else 'threads'}, kernels compiled before, every row from an empty table. "
        "Mean and worst time are of one position after the other on one thread.",
        beside,
        "",
        "| positions | question | wrong | nodes | nodes/s | seconds | mean | worst | other, s | ours/other "
        "| ours/other's exact |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    exact = {speed.name: speed.yardstick_seconds for speed in speeds if speed.kind == "score"}
    rows += [_row(speed, exact.get(speed.name)) for speed in speeds]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _row(speed: SearchSpeed, exact_seconds: float | None) -> str:
    """A row; `exact_seconds` is what the other program takes for the exact scores of the same positions."""
    other = "" if speed.yardstick_seconds is None else f"{speed.yardstick_seconds:,.2f}"
    return (
        f"| {speed.name} | {QUESTIONS[speed.kind]} | {speed.wrong} | {speed.nodes:,} | {speed.nodes_per_second:,.0f} "
        f"| {speed.seconds:,.2f} | {_short(speed.mean)} | {_short(speed.worst)} | {other} "
        f"| {_part(speed.seconds, speed.yardstick_seconds)} | {_part(speed.seconds, exact_seconds)} |"
    )


def _part(seconds: float, of: float | None) -> str:
    return "" if of is None else f"1/{of / seconds:.1f}"


def _short(seconds: float) -> str:
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{1000 * seconds:,.2f} ms"
