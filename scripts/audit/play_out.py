"""`claimeven audit --play-out`: proofs played against every opposition."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.audit.page import write_page
from claimeven.scripts.errors import InputError, reported_as
from claimeven.solver.board import Board

if TYPE_CHECKING:
    from claimeven.solver.audit.play_outs import PlayOuts


def play_out_proofs(
    board: Board,
    kind: str,
    wanted: int | str,
    games: int,
    seed: int,
    least_stones: int | None,
    out: Path | None,
    threads: int,
    as_json: bool,
) -> bool:
    """Play proofs out; whether one failed."""
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.soundness import keep_play_outs
    from claimeven.reports.machine import describe_run
    from claimeven.solver.audit import play_outs
    from claimeven.solver.audit.positions import PositionSource, TooLateError, default_least_stones

    if kind not in ("uniform", "cautious"):
        raise InputError("--kind: proofs of uniform or cautious games are played out")
    least = default_least_stones(board) if least_stones is None else least_stones
    if least >= board.cells:
        raise InputError(f"--least-stones: {board} has {board.cells} squares")
    total = wanted if isinstance(wanted, int) else None
    with (
        reported_as("--least-stones", TooLateError),
        tqdm(total=total, desc="play-out", unit=" proofs", disable=None, leave=False) as bar,
    ):
        if wanted == "thesis":
            results = play_outs.play_out_thesis_sets(games, threads, bar.update)
        elif isinstance(wanted, int):
            source = PositionSource(str(board), kind, seed, least, board.cells - 1)
            results = [play_outs.play_out_random(source, wanted, threads, bar.update)]
        else:
            results = [play_outs.play_out_board(board, threads, bar.update)]
    if out is not None:
        command = _command(board, kind, wanted, games, seed, least)
        with reported_as("--out", AuditFileError):
            keep_play_outs(out, results, describe_run(), command)
            write_page(out)
    if as_json:
        click.echo(json.dumps({"play_outs": [asdict(each) for each in results]}))
    else:
        click.echo("\n".join(map(_describe, results)))
    return any(each.failed for each in results)


def _command(board: Board, kind: str, wanted: int | str, games: int, seed: int, least: int) -> str:
    """The command that plays the same proofs out again."""
    words = ["claimeven audit", f"--play-out {wanted}"]
    if wanted == "thesis":
        words.append(f"--games {games}")
    else:
        words.append(f"--board {board}")
    if isinstance(wanted, int):
        words.append(f"--kind {kind} --seed {seed} --least-stones {least}")
    return " ".join(words)


def _describe(each: PlayOuts) -> str:
    line = (
        f"{each.name}: {each.proofs:,} proofs, {each.survived:,} survived, {each.failed:,} failed, "
        f"{each.unfinished:,} not finished; {each.nodes:,} nodes, {each.games:,} random games"
    )
    return "\n".join([line, *each.failures])
