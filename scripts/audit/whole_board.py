"""`claimeven audit whole-board`: every position of small boards against a table made backwards from the end."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.errors import reported_as
from claimeven.solver.board import MIN_CONNECT, Board

if TYPE_CHECKING:
    from claimeven.reports.audit.whole_board import WholeBoardCounts
    from claimeven.reports.audit.whole_board_record import WholeBoardRecord

UNITS = {"": 1, "K": 1_000, "M": 1_000_000}


class Number(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A number of positions, as in 30M."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([1-9]\d{0,8})([KM]?)", value.strip().upper(), re.ASCII)
        if match is None:
            self.fail(f"{value!r} is not a number of positions, as in 500K or 30M", param, ctx)
        return int(match[1]) * UNITS[match[2]]


class Connects(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """How many in a line win, one number or several."""

    name = "K,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        parts = value.split(",")
        if not all(re.fullmatch(r"[1-9]\d?", part, re.ASCII) and int(part) >= MIN_CONNECT for part in parts):
            self.fail(f"{value!r} is no list of numbers from {MIN_CONNECT} on, as in 3,5", param, ctx)
        return tuple(dict.fromkeys(map(int, parts)))


def audit_boards(
    boards: list[Board],
    small: tuple[int, tuple[int, ...]] | None,
    with_search: bool,
    memory: int,
    output: OutputSettings,
) -> bool:
    """Compare every position of these boards and tell; whether anything differs.

    `small` asks for all boards beside these that have at most so many positions, by how many in a line win.
    """
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.whole_board_record import WholeBoardRecord

    with reported_as("--out", AuditFileError):
        record = WholeBoardRecord.load(output.out)
    if small is not None:
        boards = [*boards, *_list_small(record, small, with_search)]
    found = []
    for board in dict.fromkeys(boards):
        with_rules = board.rows % 2 == 0
        asked = {"with_rules": with_rules, "with_search": with_search or not with_rules}
        counts = record.find(board, **asked)
        is_known = counts is not None
        if counts is None:
            counts = _audit(board, **asked, memory=memory, threads=output.threads)
            record.add(counts, **asked)
        found.append(counts)
        if not output.as_json:
            _tell(counts, is_known)
    if output.as_json:
        click.echo(json.dumps({"boards": [asdict(counts) for counts in found]}))
    return not all(counts.is_right for counts in found)


def _list_small(record: WholeBoardRecord, small: tuple[int, tuple[int, ...]], with_search: bool) -> list[Board]:
    """All small boards, the smallest first; what was counted is kept."""
    from claimeven.reports.audit.small_boards import boards_up_to

    most, connects = small
    listed = []
    with tqdm(desc="counting", unit=" boards", disable=None, file=sys.stderr, leave=False) as bar:
        for connect in connects:
            for board in boards_up_to(most, connect, with_odd_rows=with_search, count=record.count):
                listed.append(board)
                bar.update()
    record.save()
    return [board for board, _ in sorted(listed, key=lambda each: each[1])]


def _audit(board: Board, *, with_rules: bool, with_search: bool, memory: int, threads: int) -> WholeBoardCounts:
    from claimeven.reports.audit.whole_board import audit_whole_board
    from claimeven.solver.audit.rule_bounds import NineRules
    from claimeven.solver.search.searcher import Searcher

    rules = NineRules(threads) if with_rules else None
    searcher = Searcher(board, memory, threads) if with_search else None
    with tqdm(desc=str(board), unit=" positions", disable=None, file=sys.stderr, leave=False) as bar:
        return audit_whole_board(board, rules, searcher, bar.update)


def _tell(counts: WholeBoardCounts, is_known: bool) -> None:
    click.echo(
        f"{counts.board}: {counts.positions:,} positions, {counts.proofs:,} proofs, {counts.false_proofs:,} false; "
        f"{counts.searched:,} searched, {counts.wrong_scores:,} wrong; {counts.seconds:,} seconds"
        + (", recorded before" if is_known else "")
    )
    for example in counts.examples:
        click.echo(example)
