"""`claimeven audit whole-board`: every position of small boards against a table made backwards from the end."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.solver.board import Board
from claimeven.solver.whole_file import write_whole

NAME = "whole-boards"


def audit_boards(boards: list[Board], with_search: bool, memory_bytes: int, output: OutputSettings) -> bool:
    """Compare every position of these boards and tell; whether anything differs."""
    from claimeven.reports.audit.whole_board import audit_whole_board
    from claimeven.solver.audit.rule_bounds import NineRules
    from claimeven.solver.search.searcher import Searcher

    found = []
    for board in boards:
        rules = None if board.rows % 2 else NineRules(output.threads)
        searcher = Searcher(board, memory_bytes, output.threads) if with_search or rules is None else None
        with tqdm(desc=str(board), unit=" positions", disable=None, file=sys.stderr, leave=False) as bar:
            counts = audit_whole_board(board, rules, searcher, bar.update)
        found.append(counts)
        if output.out is not None:
            _keep(output.out, asdict(counts))
        if not output.as_json:
            click.echo(
                f"{board}: {counts.positions:,} positions, {counts.proofs:,} proofs, {counts.false_proofs:,} false; "
                f"{counts.searched:,} searched, {counts.wrong_scores:,} wrong; {counts.seconds:,} seconds"
            )
            for example in counts.examples:
                click.echo(example)
    if output.as_json:
        click.echo(json.dumps({"boards": [asdict(counts) for counts in found]}))
    return not all(counts.is_right for counts in found)


def _keep(out: Path, counts: dict[str, Any]) -> None:
    """Put the result of a board beside those of others that the directory has, and write the page anew."""
    from claimeven.reports.machine import describe_run

    path = out / f"{NAME}.json"
    boards: dict[str, Any] = {}
    if path.exists():
        try:
            boards = dict(json.loads(path.read_text(encoding="utf-8"))["boards"])
        except (ValueError, KeyError, TypeError):
            raise click.ClickException(f"{path}: no audit wrote it") from None
    run = describe_run()
    boards[counts["board"]] = counts | {"run": run}
    names = ("board", "positions", "proofs", "false_proofs", "searched", "wrong_scores", "seconds")
    rows = [[f"{each[name]:,}" if name != "board" else each[name] for name in names] for each in boards.values()]
    table = ["| " + " | ".join(name.replace("_", " ") for name in names) + " |", "|---" * len(names) + "|"]
    table += ["| " + " | ".join(row) + " |" for row in rows]
    where = ", ".join(f"{name} {value}" for name, value in run.items())
    text = "Every position, one of each mirror pair, against a table made backwards from the end of the game."
    write_whole(
        out / f"{NAME}.md", "\n".join(["# Whole boards", "", text, "", *table, "", f"Last run: {where}."]) + "\n"
    )
    write_whole(path, json.dumps({"boards": boards}, indent=1) + "\n")
