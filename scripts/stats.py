"""`claimeven stats`: what is in the store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from claimeven.scripts.options.store import db_option, open_store
from claimeven.solver.verdict import AT_LEAST_DRAW, AT_MOST_DRAW, BLACK_WINS, DRAWN, WHITE_WINS, Source

if TYPE_CHECKING:
    from claimeven.db.counts.contents import BoardCounts
    from claimeven.db.store import Store

_VALUES = tuple(map(str, (WHITE_WINS, DRAWN, BLACK_WINS, AT_MOST_DRAW, AT_LEAST_DRAW)))
_SOURCES = tuple(map(str, (Source.RULES, Source.SEARCH, Source.RETROGRADE)))


@click.command()
@db_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def stats(db: str | None, as_json: bool) -> None:
    """Count what is in the store.

    For every board and ply: how many positions are known, one of each mirror pair, by value and by source, and how many
    have a score, a rule proof, or a claim of an imported file.

    \b
    Examples:
      claimeven stats
      claimeven stats --db book.db --json
    """
    with open_store(db, writable=False) as store:
        from claimeven.db.counts.contents import count_board

        boards = [count_board(store, board) for board in store.boards()]
        click.echo(json.dumps(_as_json(store, boards)) if as_json else _as_text(store, boards))


def _as_text(store: Store, boards: list[BoardCounts]) -> str:
    from claimeven.db.counts.contents import file_bytes

    positions = sum(board.positions for board in boards)
    size = file_bytes(store)
    lines = [f"Store  {store.location}"]
    if size is not None:
        each = f", {size / positions:.0f} bytes a position" if positions else ""
        lines.append(f"Size   {size:,} bytes{each}")
    lines.append(f"Runs   {len(store.runs())}")
    for board in boards:
        lines += ["", f"{board.board}: {board.positions:,} positions, one of each mirror pair", *_table(board)]
    if not positions:
        lines += ["", "Nothing is known yet. To begin: claimeven book build --ply 2"]
    return "\n".join(lines)


def _table(board: BoardCounts) -> list[str]:
    header = ["ply", "positions", *_VALUES, *_SOURCES, "scores", "proofs", "claims"]
    rows = [
        [
            ply.ply,
            ply.positions,
            *(ply.by_value.get(value, 0) for value in _VALUES),
            *(ply.by_source.get(source, 0) for source in _SOURCES),
            ply.scored,
            ply.certificates,
            ply.claims,
        ]
        for ply in board.plies
    ]
    total: list[int | str] = ["all", *(sum(row[place] for row in rows) for place in range(1, len(header)))]
    cells = [header, *([f"{number:,}" for number in row] for row in rows)]
    cells.append([number if isinstance(number, str) else f"{number:,}" for number in total])
    # Columns of nothing but zeros say nothing.
    shown = [place for place in range(len(header)) if place < 2 or total[place]]
    widths = [max(len(row[place]) for row in cells) for place in shown]
    return [
        "  ".join(row[place].rjust(width) for place, width in zip(shown, widths, strict=True)).rstrip() for row in cells
    ]


def _as_json(store: Store, boards: list[BoardCounts]) -> dict[str, Any]:
    from claimeven.db.counts.contents import file_bytes

    return {
        "store": str(store.location),
        "bytes": file_bytes(store),
        "boards": [
            {
                "board": str(board.board),
                "positions": board.positions,
                "plies": [
                    {
                        "ply": ply.ply,
                        "positions": ply.positions,
                        "values": ply.by_value,
                        "sources": ply.by_source,
                        "scores": ply.scored,
                        "proofs": ply.certificates,
                        "claims": ply.claims,
                    }
                    for ply in board.plies
                ],
            }
            for board in boards
        ],
        "runs": [
            {
                "command": run.command,
                "arguments": run.arguments,
                "versions": run.versions,
                "started": run.started.isoformat(),
                "ended": None if run.ended is None else run.ended.isoformat(),
                "counts": run.counts,
            }
            for run in store.runs()
        ],
    }
