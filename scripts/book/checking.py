"""`claimeven book check`: whether a book is complete, and as published."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.book.board import board_option, read_board
from claimeven.scripts.errors import FOUND_A_PROBLEM
from claimeven.scripts.options.store import db_option, open_store

if TYPE_CHECKING:
    from claimeven.db.counts.published import PlyTotals
    from claimeven.solver.board import Board


@click.command()
@board_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@click.pass_context
def check(context: click.Context, board: str, db: str | None, as_json: bool) -> None:
    """Say whether a book is complete and its numbers are those that were published.

    Published totals count both mirror images and finished games, so the stored positions are counted twice if they are
    not their own mirror image, and the finished games that follow them are added. Shown a ply: positions, finished
    ones among them, how many White wins, are drawn and Black wins, and how many positions the book lacks; then, on the
    last line, what that comes to. Positions beyond the book do not count. The exit status is 1 if one is missing or a
    number differs.

    \b
    Examples:
      claimeven book check
      claimeven book check --board 4x4 --db book.db
    """
    size = read_board(board)
    with open_store(db, writable=False) as store:
        from claimeven.db.books.extent import find_last_ply
        from claimeven.db.counts.published import TOTALS, count_totals

        last = find_last_ply(store, size)
        counted = count_totals(store, size, 0 if last is None else last)
        totals = list(tqdm(counted, desc=f"{size}", unit=" plies", disable=None, leave=False))
    positions, missing = sum(ply.positions for ply in totals), sum(ply.missing for ply in totals)
    # A total is for a whole board; an opening book is compared ply by ply.
    is_whole = not missing and totals[-1].unfinished == 0
    published = TOTALS.get(size) if is_whole else None
    is_right = all(ply.is_right for ply in totals) and published in (None, positions)
    if as_json:
        fields = {"board": str(size), "whole": is_whole, "positions": positions, "published": published}
        click.echo(json.dumps(fields | {"right": is_right, "plies": [asdict(ply) for ply in totals]}))
    else:
        click.echo("\n".join(_format_totals(totals)))
        click.echo(_conclude(size, last, totals, published))
    if not is_right:
        context.exit(FOUND_A_PROBLEM)


def _conclude(board: Board, last: int | None, totals: list[PlyTotals], published: int | None) -> str:
    """What a check comes to, in one sentence."""
    positions = sum(ply.positions for ply in totals)
    lacking = next((ply for ply in totals if ply.missing), None)
    differing = next((ply for ply in totals if not ply.is_right), None)
    if last is None:
        return f"{board}: there is no book; to make one: claimeven book build --ply N --board {board}"
    if lacking is not None:
        return f"{board}: the book to ply {last} is not complete, ply {lacking.ply} lacks {lacking.missing:,} positions"
    if differing is not None:
        return f"{board}: the book to ply {last} is wrong, the numbers of ply {differing.ply} are not those published"
    if published is not None and published != positions:
        return f"{board}: the book is wrong, it has {positions:,} positions, but {published:,} are published"
    is_compared = published is not None or all(ply.published is not None for ply in totals)
    return (
        f"{board}: the book to ply {last} is complete, {positions:,} positions with finished games and mirror images, "
        + ("as published" if is_compared else "not all of which anybody published")
    )


def _format_totals(totals: list[PlyTotals]) -> list[str]:
    header = ["ply", "positions", "finished", "white", "draw", "black", "missing", "compared"]
    rows = [
        [
            *(f"{number:,}" for number in (ply.ply, ply.positions, ply.finished, *ply.outcomes, ply.missing)),
            _compare(ply.positions, ply.published)
            + ("" if ply.published_outcomes in (None, ply.outcomes) else f", outcomes {ply.published_outcomes}"),
        ]
        for ply in totals
    ]
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]


def _compare(number: int, published: int | None) -> str:
    if published is None:
        return "nothing published"
    return "as published" if number == published else f"but {published:,} published"
