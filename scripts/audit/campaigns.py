"""`claimeven audit random` and `claimeven audit plies`: campaigns, run with progress shown, and kept."""

from __future__ import annotations

import json
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.audit.options import CampaignSettings, OutputSettings
from claimeven.scripts.audit.page import write_page
from claimeven.scripts.errors import InputError, reported_as
from claimeven.scripts.options.cluster import ClusterSettings, open_crew
from claimeven.solver.board import Board

if TYPE_CHECKING:
    from claimeven.cluster.auditing import ClusterAudit
    from claimeven.cluster.crew import Crew
    from claimeven.reports.audit.campaign_file import AuditDirectory, Record
    from claimeven.solver.audit.comparison import Audit, Campaign
    from claimeven.solver.audit.positions import PositionSource


def plan_random(
    board: Board,
    kinds: tuple[str, ...],
    positions: int,
    seed: int,
    least_stones: int | None,
    settings: CampaignSettings,
) -> list[tuple[Campaign, int]]:
    """A campaign for each kind of random games, all of them without kinds, with how many positions each is to have."""
    from claimeven.solver.audit.positions import SHARES, PositionSource, default_least_stones

    shares = {kind: share for kind, share in SHARES.items() if not kinds or kind in kinds}
    least = default_least_stones(board) if least_stones is None else least_stones
    _check_ply("--least-stones", board, least)
    return [
        (
            _plan(PositionSource(str(board), kind, seed, least, board.cells - 1), settings),
            max(1, round(positions * share / sum(shares.values()))),
        )
        for kind, share in shares.items()
    ]


def plan_plies(board: Board, plies: tuple[int, int], settings: CampaignSettings) -> list[tuple[Campaign, int]]:
    """The campaign of all positions of some plies; how many these are is counted when it runs."""
    from claimeven.solver.audit.positions import PositionSource

    _check_ply("PLIES", board, plies[1])
    return [(_plan(PositionSource(str(board), "ply", 0, *plies), settings), 0)]


def _plan(source: PositionSource, settings: CampaignSettings) -> Campaign:
    from claimeven.solver.audit.comparison import Campaign, default_nodes

    nodes = default_nodes(source.kind) if settings.nodes is None else settings.nodes
    return Campaign(source, settings.look_ahead, nodes)


def _check_ply(place: str, board: Board, ply: int) -> None:
    if ply >= board.cells:
        last = board.cells - 1
        raise InputError(f"{place}: {board} has {board.cells} squares, so the last ply that goes on is {last}")


def run_campaigns(
    campaigns: list[tuple[Campaign, int]],
    settings: CampaignSettings,
    output: OutputSettings,
    cluster: ClusterSettings,
) -> bool:
    """Run campaigns one after the other; whether there is a contradiction."""
    from claimeven.reports.audit.campaign_file import AuditDirectory, AuditFileError, Record
    from claimeven.solver.audit.positions import TooLateError

    records: list[Record] = []
    kept = None if output.out is None else AuditDirectory(output.out)
    with (
        reported_as("--out", AuditFileError),
        reported_as("--least-stones", TooLateError),
        _crew_of(cluster, output) as crew,
    ):
        for campaign, wanted in campaigns:
            if kept is not None and settings.is_fresh:
                kept.forget(campaign)
            record = Record(campaign, wanted) if kept is None else kept.load(campaign, wanted)
            _run_campaign(record, kept, output, settings.memory_bytes, cluster, crew)
            records.append(record)
            if output.out is not None:
                write_page(output.out)
    if output.as_json:
        click.echo(json.dumps({"campaigns": [record.to_json() for record in records]}))
    else:
        for record in records:
            click.echo(_describe(record))
    return any(record.counts.total("contradictions") for record in records)


def _crew_of(cluster: ClusterSettings, output: OutputSettings) -> AbstractContextManager[Crew | None]:
    if cluster.address is None:
        return nullcontext()
    is_kept = "what is done is kept" if output.out is not None else "nothing is kept without --out"
    return open_crew(cluster, output.jobs, f"{is_kept}, run the same command again, with or without --cluster")


def _make_audit(
    campaign: Campaign, output: OutputSettings, memory: int, cluster: ClusterSettings, crew: Crew | None
) -> Audit | ClusterAudit:
    """Whoever audits: threads of this process, or the workers of a cluster."""
    from claimeven.cluster.auditing import AuditQuestion, ClusterAudit

    board = campaign.source.size
    question = AuditQuestion(board, campaign.look_ahead, campaign.nodes, memory, output.jobs)
    if crew is None:
        return question.make_audit(output.threads)
    return ClusterAudit(crew, question, output.threads, spot_checks=cluster.spot_checks)


def _run_campaign(
    record: Record,
    kept: AuditDirectory | None,
    output: OutputSettings,
    memory: int,
    cluster: ClusterSettings,
    crew: Crew | None,
) -> None:
    from claimeven.reports.audit.campaign_file import AuditDirectory
    from claimeven.solver.audit.comparison import ChunkResult
    from claimeven.solver.audit.positions import count_positions

    campaign = record.campaign
    source = campaign.source
    if source.kind == "ply":
        record.wanted = count_positions(source)
    done = record.counts.total("tried")
    if record.is_complete or (source.kind != "ply" and done >= record.wanted):
        record.is_complete = True
        click.echo(f"{campaign.name}: done already; --fresh begins anew", err=True)
        return
    check = _make_audit(campaign, output, memory, cluster, crew)
    started = time.monotonic()
    with tqdm(total=record.wanted, initial=done, desc=campaign.name, unit=" positions", disable=None) as bar:

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
            check.run(source, record.wanted, done, keep, bar.update)
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


def _describe(record: Record) -> str:
    """A campaign in a few lines."""
    from claimeven.solver.audit.comparison import COLUMNS

    counts = record.counts
    lines = [record.campaign.name, *(f"  {column:<16}{counts.total(column):>14,}" for column in COLUMNS)]
    lines += [f"  {name}: {number:,}" for name, number in counts.parts.most_common() if number]
    return "\n".join([*lines, *(f"  contradiction: {name}" for name in record.contradictions)])
