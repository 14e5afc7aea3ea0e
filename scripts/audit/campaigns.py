"""The campaigns of `claimeven audit`: planned from its options, run with progress shown, and kept."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.audit.page import write_page
from claimeven.scripts.errors import InputError, reported_as
from claimeven.solver.board import Board

if TYPE_CHECKING:
    from claimeven.reports.audit.campaign_file import AuditDirectory, Record
    from claimeven.solver.audit.comparison import Campaign


def plan_campaigns(
    board: Board,
    kinds: tuple[str, ...],
    positions: int,
    seed: int,
    plies: tuple[int, int] | None,
    least_stones: int | None,
    look_ahead: int,
    nodes: int | None,
) -> list[tuple[Campaign, int]]:
    """The campaigns that the options ask for, each with how many positions are wanted."""
    from claimeven.solver.audit.comparison import Campaign, default_nodes
    from claimeven.solver.audit.positions import SHARES, PositionSource, default_least_stones

    if not kinds:
        kinds = tuple(SHARES) if plies is None else ("ply",)
    if ("ply" in kinds) != (plies is not None):
        raise InputError("--plies goes with --kind ply, and --kind ply needs it")
    least = default_least_stones(board) if least_stones is None else least_stones
    last = board.cells - 1
    for name, ply in (("--least-stones", least), ("--plies", plies[1] if plies else 0)):
        if ply > last:
            raise InputError(f"{name}: {board} has {board.cells} squares, so the last ply that goes on is {last}")
    whole = sum(SHARES[kind] for kind in kinds if kind in SHARES)
    campaigns = []
    for kind in dict.fromkeys(kinds):
        budget = default_nodes(kind) if nodes is None else nodes
        if kind == "ply" and plies is not None:
            campaigns.append((Campaign(PositionSource(str(board), kind, 0, *plies), look_ahead, budget), 0))
        else:
            source = PositionSource(str(board), kind, seed, least, last)
            campaigns.append((Campaign(source, look_ahead, budget), max(1, round(positions * SHARES[kind] / whole))))
    return campaigns


def run_campaigns(
    campaigns: list[tuple[Campaign, int]], out: Path | None, fresh: bool, threads: int, memory: int, as_json: bool
) -> bool:
    """Run campaigns one after the other; whether there is a contradiction."""
    from claimeven.reports.audit.campaign_file import AuditDirectory, AuditFileError, Record
    from claimeven.solver.audit.positions import TooLateError

    records: list[Record] = []
    kept = None if out is None else AuditDirectory(out)
    with reported_as("--out", AuditFileError), reported_as("--least-stones", TooLateError):
        for campaign, wanted in campaigns:
            if kept is not None and fresh:
                kept.forget(campaign)
            record = Record(campaign, wanted) if kept is None else kept.load(campaign, wanted)
            record.command = _command(record)
            _run_campaign(record, kept, threads, memory)
            records.append(record)
            if out is not None:
                write_page(out)
    if as_json:
        click.echo(json.dumps({"campaigns": [record.to_json() for record in records]}))
    else:
        for record in records:
            click.echo(_describe(record))
    return any(record.counts.total("contradictions") for record in records)


def _run_campaign(record: Record, kept: AuditDirectory | None, threads: int, memory: int) -> None:
    from claimeven.reports.audit.campaign_file import AuditDirectory
    from claimeven.solver.audit.comparison import Audit, ChunkResult, Counts
    from claimeven.solver.audit.exact_search import ExactSearch
    from claimeven.solver.audit.positions import count_positions
    from claimeven.solver.audit.rule_bounds import NineRules
    from claimeven.solver.search.budget import Budget

    campaign = record.campaign
    source = campaign.source
    if source.kind == "ply":
        record.wanted = count_positions(source)
    done = record.counts.total("tried")
    if record.is_complete or (source.kind != "ply" and done >= record.wanted):
        record.is_complete = True
        click.echo(f"{campaign.name}: done already; --fresh begins anew", err=True)
        return
    rules = NineRules(threads, campaign.look_ahead)
    check = Audit(rules, ExactSearch(threads, Budget(nodes=campaign.nodes), memory))
    started = time.monotonic()
    with tqdm(total=record.wanted, initial=done, desc=campaign.name, unit=" positions", disable=None) as bar:

        def report(number: int, counts: Counts) -> None:
            bar.update(number)

        def keep(result: ChunkResult) -> None:
            nonlocal started
            paths: list[Path] = []
            if result.contradictions:
                paths = (kept or AuditDirectory(Path())).keep_contradictions(campaign, result)
            for path, (_, smallest) in zip(paths, result.contradictions, strict=True):
                click.echo(f"{path}: {smallest.describe()}", err=True)
            now = time.monotonic()
            record.add(result, paths, now - started)
            started = now
            if kept is not None:
                kept.save(record)

        try:
            check.run(source, record.wanted, record.chunks, keep, report)
        except KeyboardInterrupt:
            tried = record.counts.total("tried")
            if kept is None:
                remedy = "nothing is kept without --out"
            else:
                remedy = f"kept in {kept.path_of(campaign)}; to go on: {record.command} --out {kept.directory}"
            click.echo(f"\n{tried:,} positions of {campaign.name} are done, {remedy}", err=True)
            raise
    record.is_complete = True
    if kept is not None:
        kept.save(record)


def _command(record: Record) -> str:
    """The command that runs one campaign again."""
    from claimeven.solver.audit.comparison import default_nodes
    from claimeven.solver.audit.positions import default_least_stones

    campaign, source = record.campaign, record.campaign.source
    words = ["claimeven audit", f"--board {source.board}", f"--kind {source.kind}"]
    if source.kind == "ply":
        words.append(f"--plies {source.first}-{source.last}")
    else:
        words += [f"--positions {record.wanted}", f"--seed {source.seed}"]
        if source.first != default_least_stones(source.size):
            words.append(f"--least-stones {source.first}")
    if campaign.look_ahead:
        words.append(f"--look-ahead {campaign.look_ahead}")
    if campaign.nodes != default_nodes(source.kind):
        words.append(f"--nodes {campaign.nodes}")
    return " ".join(words)


def _describe(record: Record) -> str:
    """A campaign in a few lines."""
    from claimeven.solver.audit.comparison import COLUMNS

    counts = record.counts
    lines = [record.campaign.name, *(f"  {column:<16}{counts.total(column):>14,}" for column in COLUMNS)]
    lines += [f"  {name}: {number:,}" for name, number in counts.parts.most_common() if number]
    return "\n".join([*lines, *(f"  contradiction: {name}" for name in record.contradictions)])
