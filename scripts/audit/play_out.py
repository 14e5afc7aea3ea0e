"""`claimeven audit play-out`: proofs played against every opposition."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.audit.page import write_page
from claimeven.scripts.errors import InputError, reported_as
from claimeven.solver.board import Board

if TYPE_CHECKING:
    from claimeven.solver.audit.play_outs import PlayOuts
    from claimeven.solver.audit.positions import PositionSource


@dataclass(frozen=True, slots=True)
class PlayOutSettings:
    """Which proofs to play out: so many of random positions, `all` of a board, or the sets of the `thesis`."""

    proofs: int | str
    board: Board
    kind: str
    seed: int
    least_stones: int | None
    games: int

    def source(self) -> PositionSource:
        """Where random positions come from."""
        from claimeven.solver.audit.positions import PositionSource, default_least_stones

        least = default_least_stones(self.board) if self.least_stones is None else self.least_stones
        if least >= self.board.cells:
            raise InputError(f"--least-stones: {self.board} has {self.board.cells} squares")
        return PositionSource(str(self.board), self.kind, self.seed, least, self.board.cells - 1)

    def command(self) -> str:
        """The command that plays the same proofs out again."""
        words = [f"claimeven audit play-out {self.proofs}"]
        words.append(f"--games {self.games}" if self.proofs == "thesis" else f"--board {self.board}")
        if isinstance(self.proofs, int):
            words.append(f"--kind {self.kind} --seed {self.seed} --least-stones {self.source().first}")
        return " ".join(words)


def play_out_proofs(settings: PlayOutSettings, output: OutputSettings) -> bool:
    """Play proofs out; whether one failed."""
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.soundness import keep_play_outs
    from claimeven.reports.machine import describe_run
    from claimeven.solver.audit import play_outs
    from claimeven.solver.audit.positions import TooLateError

    source, wanted = settings.source(), settings.proofs
    total = wanted if isinstance(wanted, int) else None
    with (
        reported_as("--least-stones", TooLateError),
        tqdm(total=total, desc="play-out", unit=" proofs", disable=None, leave=False) as bar,
    ):
        if wanted == "thesis":
            results = play_outs.play_out_thesis_sets(settings.games, output.threads, bar.update)
        elif isinstance(wanted, int):
            results = [play_outs.play_out_random(source, wanted, output.threads, bar.update)]
        else:
            results = [play_outs.play_out_board(settings.board, output.threads, bar.update)]
    if output.out is not None:
        with reported_as("--out", AuditFileError):
            keep_play_outs(output.out, results, describe_run(), settings.command())
            write_page(output.out)
    if output.as_json:
        click.echo(json.dumps({"play_outs": [asdict(each) for each in results]}))
    else:
        click.echo("\n".join(map(_describe, results)))
    return any(each.failed for each in results)


def _describe(each: PlayOuts) -> str:
    line = (
        f"{each.name}: {each.proofs:,} proofs, {each.survived:,} survived, {each.failed:,} failed, "
        f"{each.unfinished:,} not finished; {each.nodes:,} nodes, {each.games:,} random games"
    )
    return "\n".join([line, *each.failures])
